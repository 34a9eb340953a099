package lsp

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

// guestID begins the ids and tokens that a server knows requests of clients by. Those of our own are numbers.
const guestID = "tidepool/"

// A switchboard is where clients of proxies meet one session: it knows which of them asked what, and whom a message of
// the server is for. Its methods never wait.
type switchboard struct {
	session *session.Session
	gone    chan struct{} // closed when the server says no more

	mu     sync.Mutex // taken last, after documents.mu
	guests map[*guest]bool
	asked  map[string]*question // by id, as the server knows it
	tokens map[string]token     // of progress, by what the server sends
	last   int                  // the last id given
}

// A question is a request of a client that the server has not answered.
type question struct {
	id     string
	from   *guest
	method string
	about  session.Buffers // what the client had when it asked
	tokens []string        // of progress, as the server knows them
	reply  chan reply      // capacity 1
}

// A reply is a response, whose parts are as they came. One of them is nil.
type reply struct{ result, failure []byte }

// A token is whose progress it is, and what that client calls it.
type token struct {
	guest *guest
	name  []byte
}

// boardOf returns the switchboard of a session.
func boardOf(s *session.Session) *switchboard {
	return s.Share(func() session.Tap { return newSwitchboard(s) }).(*switchboard)
}

func newSwitchboard(s *session.Session) *switchboard {
	return &switchboard{
		session: s,
		gone:    make(chan struct{}),
		guests:  map[*guest]bool{},
		asked:   map[string]*question{},
		tokens:  map[string]token{},
	}
}

// join has a client hear what the server says from now on.
func (b *switchboard) join(g *guest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.guests[g] = true
}

// leave undoes join: documents that nobody else holds are closed, and what the client asked is cancelled.
func (b *switchboard) leave(g *guest, held session.Buffers) {
	b.mu.Lock()
	delete(b.guests, g)
	var open []*question
	for _, q := range b.asked {
		if q.from == g {
			open = append(open, q)
		}
	}
	maps.DeleteFunc(b.tokens, func(_ string, t token) bool { return t.guest == g })
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
func (b *switchboard) release(path string) {
	for _, other := range b.present() {
		if _, ok := other.texts()[path]; ok {
			return
		}
	}
	b.session.Documents.Release(path) // what goes wrong ends the session
}

func (b *switchboard) present() []*guest {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []*guest
	for g := range b.guests {
		all = append(all, g)
	}
	return all
}

// ask sends a request of a client, right behind the texts that it is about.
func (b *switchboard) ask(from *guest, v session.Buffers, method string, params []byte) (*question, error) {
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
func (b *switchboard) agrees(v session.Buffers) bool {
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

func (b *switchboard) register(from *guest, v session.Buffers, method string) *question {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	q := &question{id: guestID + strconv.Itoa(b.last), from: from, method: method, about: v, reply: make(chan reply, 1)}
	b.asked[q.id] = q
	return q
}

// exchangeTokens puts tokens of ours in the place of those by which the client wants to hear of progress: two clients
// may have chosen the same.
func (b *switchboard) exchangeTokens(q *question, params []byte) []byte {
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
func (b *switchboard) settle(id string) *question {
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
func (b *switchboard) cancel(q *question) {
	b.session.Cancel(q.method, q.id)
}

// stop tells the server that a client has cancelled work, by the token that the client knows it by.
func (b *switchboard) stop(g *guest, name []byte) {
	b.mu.Lock()
	ours := ""
	for t, known := range b.tokens {
		if known.guest == g && bytes.Equal(known.name, name) {
			ours = t
		}
	}
	b.mu.Unlock()
	if ours != "" {
		b.session.Notify(protocol.MethodWindowWorkDoneProgressCancel, map[string]json.RawMessage{"token": tokenOnWire(ours)}) // what goes wrong ends the session
	}
}

// HangUp says that the server will answer nothing more.
func (b *switchboard) HangUp() { close(b.gone) }
