package proxy

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
)

// ownPrefix begins the ids and tokens that a server knows requests of clients by. Those of our own are numbers.
const ownPrefix = "tidepool/"

// A mux is where clients of proxies meet one session: it knows which of them asked what, and whom a message of
// the server is for. Its methods never wait.
type mux struct {
	session *session.Session
	gone    chan struct{} // closed when the server says no more

	mu      sync.Mutex // taken last, after documents.mu
	clients map[*client]bool
	asked   map[string]*request // by id, as the server knows it
	tokens  map[string]token    // of progress, by what the server sends
	last    int                 // the last id given
}

// A request is a request of a client that the server has not answered.
type request struct {
	id     string
	from   *client
	method string
	about  session.Buffers // what the client had when it asked
	tokens []string        // of progress, as the server knows them
	reply  chan reply      // capacity 1
}

// A reply is a response, whose parts are as they came. One of them is nil.
type reply struct{ result, failure []byte }

// A token is whose progress it is, and what that client calls it.
type token struct {
	client *client
	name   []byte
}

// muxOf returns the mux of a session.
func muxOf(s *session.Session) *mux {
	return s.Share(func() session.Tap { return newMux(s) }).(*mux)
}

func newMux(s *session.Session) *mux {
	return &mux{
		session: s,
		gone:    make(chan struct{}),
		clients: map[*client]bool{},
		asked:   map[string]*request{},
		tokens:  map[string]token{},
	}
}

// join has a client hear what the server says from now on.
func (b *mux) join(g *client) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clients[g] = true
}

// leave undoes join: documents that nobody else holds are closed, and what the client asked is cancelled.
func (b *mux) leave(g *client, held session.Buffers) {
	b.mu.Lock()
	delete(b.clients, g)
	var open []*request
	for _, q := range b.asked {
		if q.from == g {
			open = append(open, q)
		}
	}
	maps.DeleteFunc(b.tokens, func(_ string, t token) bool { return t.client == g })
	b.mu.Unlock()
	for _, q := range open {
		b.cancel(q)
		b.settle(q.id)
	}
	for path := range held {
		b.release(path)
	}
}

// release closes a document unless another client holds it.
func (b *mux) release(path string) {
	for _, other := range b.present() {
		if _, ok := other.texts()[path]; ok {
			return
		}
	}
	b.session.Documents.Release(path) // what goes wrong ends the session
}

func (b *mux) present() []*client {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []*client
	for g := range b.clients {
		all = append(all, g)
	}
	return all
}

// ask sends a request of a client, right behind the texts that it is about.
func (b *mux) ask(from *client, v session.Buffers, method string, params []byte) (*request, error) {
	q := b.register(from, v, method)
	params = b.exchangeTokens(q, params)
	err := b.session.Request(v, session.DocumentIn(params), jsonrpc2.AppendCall(nil, jsonrpc2.NewStringID(q.id), method, params))
	if err != nil {
		b.settle(q.id)
		return nil, err
	}
	return q, nil
}

// agrees reports whether a client's texts are those of the disk.
func (b *mux) agrees(v session.Buffers) bool {
	for path, client := range v {
		if text, ok := b.session.Documents.TextOnDisk(path); ok && text == client.Text {
			continue
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != client.Text {
			return false
		}
	}
	return true
}

func (b *mux) register(from *client, v session.Buffers, method string) *request {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	q := &request{id: ownPrefix + strconv.Itoa(b.last), from: from, method: method, about: v, reply: make(chan reply, 1)}
	b.asked[q.id] = q
	return q
}

// exchangeTokens puts tokens of ours in the place of those by which the client wants to hear of progress: two clients
// may have chosen the same.
func (b *mux) exchangeTokens(q *request, params []byte) []byte {
	if !bytes.Contains(params, []byte("Token")) {
		return params
	}
	changed, err := rewrite(params, func(key string, value []byte) []byte {
		if key != "workDoneToken" && key != "partialResultToken" {
			return value
		}
		ours := q.id + "/" + key
		b.mu.Lock()
		defer b.mu.Unlock()
		b.tokens[ours] = token{q.from, bytes.Clone(value)}
		q.tokens = append(q.tokens, ours)
		return []byte(strconv.Quote(ours))
	})
	if err != nil {
		return params // the server says what is wrong with them
	}
	return changed
}

// settle forgets a question and returns it, nil if there is none.
func (b *mux) settle(id string) *request {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.asked[id]
	if q != nil {
		delete(b.asked, id)
		for _, t := range q.tokens {
			delete(b.tokens, t)
		}
	}
	return q
}

// cancel tells the server that nobody waits for the answer to a question, if it bears that.
func (b *mux) cancel(q *request) {
	b.session.Cancel(q.method, q.id)
}

// stop tells the server that a client has cancelled work, by the token that the client knows it by.
func (b *mux) stop(g *client, name []byte) {
	b.mu.Lock()
	ours := ""
	for t, known := range b.tokens {
		if known.client == g && bytes.Equal(known.name, name) {
			ours = t
		}
	}
	b.mu.Unlock()
	if ours != "" {
		b.session.Notify(protocol.MethodWindowWorkDoneProgressCancel, map[string]json.RawMessage{"token": tokenOnWire(ours)}) // what goes wrong ends the session
	}
}

// HangUp says that the server will answer nothing more.
func (b *mux) HangUp() { close(b.gone) }
