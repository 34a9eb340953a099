package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/process"
)

// guestID begins the ids and tokens that a server knows requests of clients by. Those of our own are numbers.
const guestID = "tidepool/"

// A switchboard is where clients of proxies meet one session: it knows which of them asked what, and whom a message of
// the server is for. Its methods never wait.
type switchboard struct {
	wire  *wire
	used  atomic.Bool   // somebody has been here; until then nothing is looked at
	gone  chan struct{} // closed when the server says no more
	turns *turns        // at a server that takes them

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
	about  buffers    // what the client had when it asked
	tokens []string   // of progress, as the server knows them
	reply  chan reply // capacity 1
}

// A reply is a response, whose parts are as they came. One of them is nil.
type reply struct{ result, failure []byte }

// A token is whose progress it is, and what that client calls it.
type token struct {
	guest *guest
	name  []byte
}

func newSwitchboard(w *wire) *switchboard {
	return &switchboard{
		wire:   w,
		gone:   make(chan struct{}),
		turns:  newTurns(),
		guests: map[*guest]bool{},
		asked:  map[string]*question{},
		tokens: map[string]token{},
	}
}

// join has a client hear what the server says from now on.
func (b *switchboard) join(g *guest) {
	b.used.Store(true)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.guests[g] = true
}

// leave undoes join: documents that nobody else holds are closed, and what the client asked is cancelled.
func (b *switchboard) leave(g *guest, held buffers) {
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
	b.wire.documents.release(path) // what goes wrong ends the session
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

// ask sends a request of a client, right behind the texts that it is about. Servers answer badly for files that are
// not open, some not at all.
func (b *switchboard) ask(from *guest, v buffers, method string, params []byte) (*question, error) {
	q := b.register(from, v, method)
	params = b.exchangeTokens(q, params)
	d := b.wire.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	err := b.put(v)
	if path := pathIn(params); err == nil && path != "" {
		if err = d.open(path); !errors.Is(err, errBroken) {
			err = nil // the server says what it makes of a file that cannot be read
		}
	}
	if err == nil {
		b.wire.silence.ask()
		_, err = b.wire.send(jsonrpc2.AppendCall(nil, jsonrpc2.NewStringID(q.id), method, params))
	}
	if err != nil {
		b.settle(q.id)
		return nil, err
	}
	return q, nil
}

// show gives the server the texts of a client. Of a lingering server it returns what it has not looked into: versions
// by path.
func (b *switchboard) show(v buffers) (map[string]int32, error) {
	d := b.wire.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	err := b.put(v)
	return maps.Clone(d.unseen), err
}

// offer is show while nobody asks about the disk: a server that takes turns may answer by what comes behind a request.
func (b *switchboard) offer(v buffers) error {
	d := b.wire.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claims > 0 {
		return errClaimed
	}
	return b.put(v)
}

var errClaimed = errors.New("somebody asks about the disk")

// How many bytes may wait for a server before it is sent no more requests of clients, and no more of their texts unasked:
// one that floods shall neither make the server look stuck nor hold up others.
const (
	behind  = process.OutboxLimit / 8
	crowded = behind / 16
)

var errBehind = errors.New("the language server is far behind with what it is sent: ask again later")

// put gives the server the texts of a client, unless too much waits for it already. Callers hold documents.mu.
func (b *switchboard) put(v buffers) error {
	if b.wire.waiting() > behind {
		return errBehind
	}
	return b.wire.documents.show(v)
}

// agrees says whether a client's texts are those of the disk.
func (b *switchboard) agrees(v buffers) bool {
	for path, client := range v {
		if text, ok := b.wire.documents.asOnDisk(path); ok && text == client.text {
			continue
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != client.text {
			return false
		}
	}
	return true
}

// isClaimed says whether somebody asks about the disk, or waits for the server to look at it.
func (b *switchboard) isClaimed() bool {
	d := b.wire.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.claims > 0
}

// seen says that the server has looked into a version of a document.
func (b *switchboard) seen(path string, version int32) {
	d := b.wire.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unseen[path] == version {
		delete(d.unseen, path)
	}
}

func (b *switchboard) register(from *guest, v buffers, method string) *question {
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
	b.wire.silence.giveUp()
	if q.method == b.wire.documents.progress.language.Unstoppable {
		return
	}
	b.notify(protocol.MethodCancelRequest, map[string]string{"id": q.id})
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
		b.notify(protocol.MethodWindowWorkDoneProgressCancel, map[string]json.RawMessage{"token": tokenOnWire(ours)})
	}
}

func (b *switchboard) notify(method string, params any) {
	b.wire.documents.mu.Lock()
	defer b.wire.documents.mu.Unlock()
	b.wire.notify(method, params) // what goes wrong ends the session
}

// hangUp says that the server will answer nothing more.
func (b *switchboard) hangUp() {
	select {
	case <-b.gone:
	default:
		close(b.gone)
	}
}
