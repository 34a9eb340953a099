package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// peerPatience is how long a test waits for what must come.
const peerPatience = patienceOfTests

// A peer is a client of a Proxy, which knows nothing but frames.
type peer struct {
	t    testing.TB
	conn net.Conn
	done chan error // what Serve returned

	mu      sync.Mutex
	last    int
	answers map[string]chan message
	heard   []message
	news    chan struct{} // closed and replaced when something is heard
}

// A message is one of JSON-RPC.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// dialed is a peer that has said nothing yet.
func dialed(t testing.TB, p *Project) *peer { return dialedFrom(t, p, "") }

// dialedFrom is dialed by a client that works in dir.
func dialedFrom(t testing.TB, p *Project, dir string) *peer {
	t.Helper()
	shared, err := p.Proxy(ProxyOptions{Language: p.workspace.Languages[0].ID, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	near, far := net.Pipe()
	c := &peer{t: t, conn: near, done: make(chan error, 1), answers: map[string]chan message{}, news: make(chan struct{})}
	go func() { c.done <- shared.Serve(context.Background(), far) }()
	go c.listen()
	t.Cleanup(func() {
		near.Close()
		<-c.done
	})
	return c
}

// greeted is a peer that may begin.
func greeted(t testing.TB, p *Project) *peer {
	t.Helper()
	return dialed(t, p).greet()
}

// greet says what comes first.
func (c *peer) greet() *peer {
	c.t.Helper()
	c.call("initialize", `{"processId":null,"rootUri":null,"capabilities":{"workspace":{"applyEdit":true}}}`)
	c.notify("initialized", `{}`)
	return c
}

func (c *peer) listen() {
	in := jsonrpc2.NewHeaderStream(c.conn).(interface {
		ReadFrame(ctx context.Context) ([]byte, int64, error)
	})
	for {
		body, _, err := in.ReadFrame(context.Background())
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.t.Errorf("the proxy sent %q: %v", body, err)
			return
		}
		c.take(m)
	}
}

func (c *peer) take(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.Method == "" {
		if answer, ok := c.answers[string(m.ID)]; ok {
			answer <- m
			return
		}
	}
	c.heard = append(c.heard, m)
	close(c.news)
	c.news = make(chan struct{})
}

func (c *peer) send(body string) {
	c.t.Helper()
	if _, err := c.conn.Write(session.AppendFrame(nil, []byte(body))); err != nil {
		c.t.Fatalf("sending %.100s: %v", body, err)
	}
}

func (c *peer) notify(method, params string) {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// begin sends a request and returns its id.
func (c *peer) begin(method, params string) string {
	c.t.Helper()
	c.mu.Lock()
	c.last++
	id := fmt.Sprint(c.last)
	c.answers[id] = make(chan message, 1)
	c.mu.Unlock()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id
}

// end waits for the answer to a request.
func (c *peer) end(id string) message {
	c.t.Helper()
	select {
	case m := <-c.answer(id):
		return m
	case <-time.After(peerPatience):
		c.t.Fatalf("no answer to request %s", id)
	}
	return message{}
}

// answer is where the answer to a request comes.
func (c *peer) answer(id string) <-chan message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answers[id]
}

// call makes a request that must work.
func (c *peer) call(method, params string) string {
	c.t.Helper()
	m := c.end(c.begin(method, params))
	if m.Error != nil {
		c.t.Fatalf("%s: %+v", method, *m.Error)
	}
	return string(m.Result)
}

// refused makes a request that must fail with a code, and words.
func (c *peer) refused(method, params string, code int, words string) {
	c.t.Helper()
	c.isRefused(c.end(c.begin(method, params)), code, words)
}

func (c *peer) isRefused(m message, code int, words string) {
	c.t.Helper()
	if m.Error == nil || m.Error.Code != code || !strings.Contains(m.Error.Message, words) {
		c.t.Errorf("got %s %+v, want error %d with %q", m.Result, m.Error, code, words)
	}
}

// hears waits for what the server says that matches.
func (c *peer) hears(what string, matches func(message) bool) message {
	c.t.Helper()
	timeout := time.After(peerPatience)
	for {
		c.mu.Lock()
		for _, m := range c.heard {
			if matches(m) {
				c.mu.Unlock()
				return m
			}
		}
		news := c.news
		c.mu.Unlock()
		select {
		case <-news:
		case <-timeout:
			c.t.Fatalf("never heard %s", what)
		}
	}
}

// open says that the client has a file open with a text.
func (c *peer) open(path, content string) {
	c.t.Helper()
	quoted, _ := json.Marshal(content)
	c.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"toy","version":7,"text":%s}}`, text.URI(path), quoted))
}

// references are where the name at a place is used, as "file:line".
func (c *peer) references(path string, line, character int) string {
	c.t.Helper()
	return places(c.t, c.call("textDocument/references", placed(path, line, character)))
}

func placed(path string, line, character int) string {
	return fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d},"context":{"includeDeclaration":true}}`,
		text.URI(path), line, character)
}

func places(t testing.TB, result string) string {
	t.Helper()
	var found []struct {
		URI   string `json:"uri"`
		Range struct {
			Start struct{ Line int } `json:"start"`
		} `json:"range"`
	}
	if err := json.Unmarshal([]byte(result), &found); err != nil {
		t.Fatalf("%s: %v", result, err)
	}
	var list []string
	for _, at := range found {
		list = append(list, fmt.Sprintf("%s:%d", filepath.Base(at.URI), at.Range.Start.Line+1))
	}
	return strings.Join(list, " ")
}

// leave hangs up and returns what Serve says of it.
func (c *peer) leave() error {
	c.t.Helper()
	c.conn.Close()
	err := c.served()
	c.done <- err // for the cleanup
	return err
}

func (c *peer) served() error {
	c.t.Helper()
	select {
	case err := <-c.done:
		return err
	case <-time.After(peerPatience):
		c.t.Fatal("Serve does not return")
	}
	return errors.New("unreachable")
}
