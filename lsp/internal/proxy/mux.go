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

// A mux shares one session among clients. It replaces the ids and progress tokens of clients by its own, so that two clients may
// choose the same ones, and it decides which clients a message of the server goes to.
//
// Its methods are called by the clients' goroutines and by the reader of the session's connection. None of them waits for anything but
// mu, so no client can delay the session.
type mux struct {
	session *session.Session
	gone    chan struct{} // closed when the server sends no more

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
	return s.Share(func() session.Interceptor { return newMux(s) }).(*mux)
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

// join adds a client to those that receive the server's notifications.
func (x *mux) join(c *client) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.clients[c] = true
}

// leave undoes join: documents that nobody else holds are closed, and what the client asked is cancelled.
func (x *mux) leave(c *client, held session.Buffers) {
	x.mu.Lock()
	delete(x.clients, c)
	var open []*request
	for _, q := range x.asked {
		if q.from == c {
			open = append(open, q)
		}
	}
	maps.DeleteFunc(x.tokens, func(_ string, t token) bool { return t.client == c })
	x.mu.Unlock()
	for _, q := range open {
		x.cancel(q)
		x.settle(q.id)
	}
	for path := range held {
		x.release(path)
	}
}

// release closes a document unless another client holds it.
func (x *mux) release(path string) {
	for _, other := range x.present() {
		if _, ok := other.texts()[path]; ok {
			return
		}
	}
	x.session.Documents.Release(path) // what goes wrong ends the session
}

func (x *mux) present() []*client {
	x.mu.Lock()
	defer x.mu.Unlock()
	var all []*client
	for c := range x.clients {
		all = append(all, c)
	}
	return all
}

// ask sends a request of a client, in one step with the texts that it is about. The answer arrives on the request's reply channel.
func (x *mux) ask(from *client, v session.Buffers, method string, params []byte) (*request, error) {
	q := x.register(from, v, method)
	params = x.exchangeTokens(q, params)
	err := x.session.Request(v, session.DocumentIn(params), jsonrpc2.AppendCall(nil, jsonrpc2.NewStringID(q.id), method, params))
	if err != nil {
		x.settle(q.id)
		return nil, err
	}
	return q, nil
}

// agrees reports whether all of a client's texts are those of the disk. A file that cannot be read does not agree.
func (x *mux) agrees(v session.Buffers) bool {
	for path, client := range v {
		if text, ok := x.session.Documents.TextOnDisk(path); ok && text == client.Text {
			continue
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != client.Text {
			return false
		}
	}
	return true
}

func (x *mux) register(from *client, v session.Buffers, method string) *request {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.last++
	q := &request{id: ownPrefix + strconv.Itoa(x.last), from: from, method: method, about: v, reply: make(chan reply, 1)}
	x.asked[q.id] = q
	return q
}

// exchangeTokens replaces the progress tokens of a request by ours and remembers whose they are: two clients may have chosen the
// same token.
func (x *mux) exchangeTokens(q *request, params []byte) []byte {
	if !bytes.Contains(params, []byte("Token")) {
		return params
	}
	changed, err := rewrite(params, func(key string, value []byte) []byte {
		if key != "workDoneToken" && key != "partialResultToken" {
			return value
		}
		ours := q.id + "/" + key
		x.mu.Lock()
		defer x.mu.Unlock()
		x.tokens[ours] = token{q.from, bytes.Clone(value)}
		q.tokens = append(q.tokens, ours)
		return []byte(strconv.Quote(ours))
	})
	if err != nil {
		return params // the server says what is wrong with them
	}
	return changed
}

// settle removes a request, with its tokens, and returns it; nil if it is not open any more. Whoever gets it answers it.
func (x *mux) settle(id string) *request {
	x.mu.Lock()
	defer x.mu.Unlock()
	q := x.asked[id]
	if q != nil {
		delete(x.asked, id)
		for _, t := range q.tokens {
			delete(x.tokens, t)
		}
	}
	return q
}

// cancel tells the server that nobody waits for an answer, unless its language says that the method cannot be cancelled.
func (x *mux) cancel(q *request) {
	x.session.Cancel(q.method, q.id)
}

// stop tells the server that a client has cancelled work; name is the client's own token.
func (x *mux) stop(c *client, name []byte) {
	x.mu.Lock()
	ours := ""
	for t, known := range x.tokens {
		if known.client == c && bytes.Equal(known.name, name) {
			ours = t
		}
	}
	x.mu.Unlock()
	if ours != "" {
		x.session.Notify(protocol.MethodWindowWorkDoneProgressCancel, map[string]json.RawMessage{"token": tokenOnWire(ours)}) // what goes wrong ends the session
	}
}

// HangUp tells the waiting requests that the server answers nothing more. The session calls it once.
func (x *mux) HangUp() { close(x.gone) }
