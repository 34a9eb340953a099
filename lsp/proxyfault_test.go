package lsp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/proxy"
	"tidepool/lsp/internal/text"
	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// isPublished matches diagnostics with a word.
func isPublished(word string) func(message) bool {
	return func(m message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), word)
	}
}

// hasHeard says whether the server has said something, up to now.
func (c *peer) hasHeard(matches func(message) bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.heard {
		if matches(m) {
			return true
		}
	}
	return false
}

func TestProxyCancel(t *testing.T) {
	t.Parallel()
	_, c, path := toyClient(t, lsptest.HangsOn("textDocument/hover"))
	id := c.begin("textDocument/hover", placed(path, 0, 4))
	c.call("textDocument/definition", placed(path, 0, 4)) // behind it
	c.notify("$/cancelRequest", fmt.Sprintf(`{"id":%s}`, id))
	c.isRefused(c.end(id), -32800, "")
	c.notify("$/cancelRequest", `{"id":"nobody's"}`)
	c.call("textDocument/definition", placed(path, 0, 4))
}

// A client that is gone has nothing open any more and waits for nothing; others go on.
func TestProxyVanishes(t *testing.T) {
	t.Parallel()
	p, c, path := toyClient(t, lsptest.HangsOn("textDocument/hover"))
	other := greeted(t, p)
	other.open(path, "def Alpha\nuse Alpha\nuse Alpha\n")
	lone := filepath.Join(filepath.Dir(path), "lone.toy")
	c.open(lone, "use Alpha\n")
	if got := c.references(path, 0, 4); got != "lone.toy:1 main.toy:1 main.toy:2" {
		t.Errorf("with its file: %s", got)
	}
	c.begin("textDocument/hover", placed(path, 0, 4))
	c.call("textDocument/definition", placed(path, 0, 4))
	if err := c.leave(); err != nil {
		t.Errorf("serve: %v", err)
	}
	eventually(t, "the request is cancelled", func() bool { return current(p).LastMessage() == "cancelled" })
	if got := other.references(path, 0, 4); got != "main.toy:1 main.toy:2 main.toy:3" {
		t.Errorf("after it has gone: %s", got)
	}
	if current(p).IsOpen(lone) {
		t.Error("its document is still open")
	}
}

// The server dies of a request: that one fails with the reason, and the next session knows the client's texts.
func TestProxyServerDies(t *testing.T) {
	t.Parallel()
	p, c, path := toyClient(t, lsptest.DiesOn("textDocument/hover"))
	c.open(path, "def Alpha\nuse Alpha\nuse Alpha\n")
	first := current(p)
	c.refused("textDocument/hover", placed(path, 0, 4), -32803, "cannot bear")
	if got := c.references(path, 0, 4); got != "main.toy:1 main.toy:2 main.toy:3" {
		t.Errorf("after the restart: %s", got)
	}
	if current(p) == first {
		t.Error("it is still the same session")
	}
	c.hears("diagnostics of the next session", isPublished(filepath.Base(path)))
}

// A server that ends again and again is given up; the client hears why, each time at once.
func TestProxyServerIsGivenUp(t *testing.T) {
	t.Parallel()
	_, c, path := toyClient(t, lsptest.DiesOn("textDocument/hover"))
	for range workspace.ExitLimit {
		c.refused("textDocument/hover", placed(path, 0, 4), -32803, "exited")
	}
	c.refused("textDocument/hover", placed(path, 0, 4), -32803, "not started again")
}

func TestProxyServerIsMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n")
	language := toy()
	language.Command = []string{"no-such-toy"}
	c := dialed(t, open(t, dir, language))
	for range 2 { // the client may try again
		c.refused("initialize", `{"capabilities":{}}`, -32803, "no-such-toy is not on PATH: run: toy install toy")
	}
}

// What a client asks beyond the limit is refused at once, and its neighbour is not held up.
func TestProxyFlood(t *testing.T) {
	t.Parallel()
	p, c, path := toyClient(t, lsptest.HangsOn("textDocument/hover"))
	other := greeted(t, p)
	for range 256 {
		c.begin("textDocument/hover", placed(path, 0, 4))
	}
	c.refused("textDocument/hover", placed(path, 0, 4), -32803, "not answered yet")
	first := current(p)
	const line = "use Alpha\n"
	c.open(path, strings.Repeat(line, 7000))
	for version := range 1000 { // the texts together are more than may wait for a server
		c.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[`+
			`{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":%q}]}`, text.URI(path), version+8, line))
	}
	other.call("textDocument/definition", placed(path, 0, 4))
	if err := c.leave(); err != nil {
		t.Errorf("serve: %v", err)
	}
	other.call("textDocument/definition", placed(path, 0, 4))
	if current(p) != first {
		t.Error("the server was taken for stuck")
	}
}

// A server that reads nothing is sent nothing more of clients before it counts as stuck.
func TestProxyServerIsBehind(t *testing.T) {
	t.Parallel()
	p, c, path := toyClient(t, lsptest.StopsReading("textDocument/hover"))
	other := greeted(t, p)
	c.begin("textDocument/hover", placed(path, 0, 4))
	c.open(path, strings.Repeat("x", process.WriteQueueLimit/16))
	other.open(path, strings.Repeat("y", process.WriteQueueLimit/16))
	answered := make(chan message, 100)
	var waiting sync.WaitGroup
	t.Cleanup(waiting.Wait)
	for range 10 {
		for _, who := range []*peer{c, other} {
			answer := who.answer(who.begin("textDocument/definition", placed(path, 0, 4)))
			waiting.Go(func() {
				select {
				case m := <-answer:
					answered <- m
				case <-t.Context().Done():
				}
			})
		}
	}
	c.isRefused(<-answered, -32803, "far behind")
	if size := current(p).Waiting(); size > process.WriteQueueLimit/2 {
		t.Errorf("%d bytes wait for the server", size)
	}
}

// A client that reads nothing holds up nobody, and ends when it hangs up.
func TestProxyDeafClient(t *testing.T) {
	t.Parallel()
	p, c, path := toyClient(t)
	shared, err := p.Proxy(ProxyOptions{Language: "toy"})
	if err != nil {
		t.Fatal(err)
	}
	near, far := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- shared.Serve(t.Context(), far) }()
	stuck := &peer{t: t, conn: near, done: done}
	stuck.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}`)
	for id := range 100 {
		stuck.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":%s}`, id+1, placed(path, 0, 4)))
	}
	c.open(path, "def Alpha\nbad luck\n")
	c.hears("its own diagnostics", isPublished("luck"))
	stuck.conn.Close()
	if err := stuck.served(); err != nil && !errors.Is(err, proxy.ErrNotReading) {
		t.Errorf("serve: %v", err)
	}
}

// Text that no client may hold ends that client.
func TestProxyTooMuchText(t *testing.T) {
	t.Parallel()
	_, c, path := toyClient(t)
	half := strings.Repeat("x", 8<<20)
	c.open(path, half)
	c.open(path+"2.toy", half+"x")
	if err := c.served(); !errors.Is(err, proxy.ErrTooMuch) {
		t.Errorf("serve: %v", err)
	}
	c.done <- nil
}

// The daemon's end ends its clients, and says why.
func TestProxyContextEnds(t *testing.T) {
	t.Parallel()
	p, _, _ := toyClient(t)
	shared, err := p.Proxy(ProxyOptions{Language: "toy"})
	if err != nil {
		t.Fatal(err)
	}
	near, far := net.Pipe()
	defer near.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() { done <- shared.Serve(ctx, far) }()
	reason := errors.New("good night")
	cancel(reason)
	if err := <-done; !errors.Is(err, reason) {
		t.Errorf("serve: %v", err)
	}
}

// Each client is told what is wrong with its own text, and nobody takes that for an error of the project.
func TestProxyDiagnostics(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		if err := p.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, b.name)
		first, second := greeted(t, p), greeted(t, p)
		wrong := func(word string) string {
			if b.name == "main.go" {
				return b.source + "\nfunc more() { " + word + "() }\n"
			}
			return b.source + "bad " + word + "\n"
		}
		first.open(path, wrong("oneWrong"))
		first.hears("its errors", isPublished("oneWrong"))
		second.open(path, wrong("anotherWrong"))
		second.hears("its errors", isPublished("anotherWrong"))
		// The toy names no version, so what it says late is taken to be of the text that it has now.
		if b.name == "main.go" && (first.hasHeard(isPublished("another")) || second.hasHeard(isPublished("oneWrong"))) {
			t.Error("a client has heard of the other's text")
		}
		// The clients' texts take turns at the server until each has its errors, so the disk's may have to wait.
		c := view(t, p).Completeness()
		for giveUp := time.Now().Add(peerPatience); c.State != Complete && time.Now().Before(giveUp); {
			c = view(t, p).Completeness()
		}
		if c.State != Complete {
			t.Errorf("the project is %s: %s", c.State, c.Reason)
		}
		put(t, filepath.Join(dir, "x"+filepath.Ext(path)), b.more("X", 1, 0))
		check := p.Check(t.Context(), filepath.Join(dir, "x"+filepath.Ext(path)))
		if !check.Over || len(check.Now) != 1 || len(check.Now[0].Problems) != 0 {
			t.Errorf("check: %+v", check)
		}
	})
}

// What changes on the disk is known to the next request, and a hint of the client is enough for what does not show.
func TestProxySeesTheDisk(t *testing.T) {
	t.Parallel()
	_, c, path := toyClient(t)
	more := filepath.Join(filepath.Dir(path), "more.toy")
	put(t, more, "use Alpha\n")
	if got := c.references(path, 0, 4); got != "main.toy:1 main.toy:2 more.toy:1" {
		t.Errorf("a file that came: %s", got)
	}
	if err := os.Remove(more); err != nil {
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", fmt.Sprintf(`{"changes":[{"uri":%q,"type":3}]}`, text.URI(more)))
	if got := c.references(path, 0, 4); got != "main.toy:1 main.toy:2" {
		t.Errorf("a file that went: %s", got)
	}
}
