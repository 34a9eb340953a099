package proxy

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
)

// A client is one connection of an editor, or of any other client of the protocol.
//
// Goroutines: Serve's caller reads the client's messages, so notifications take effect in their order; the write queue's pump writes
// to the client; follow sends the server the texts that the client has changed; and each request has one until it is answered.
// Serve waits for all of them.
//
// Locks: mu guards the fields below it. It is never held while something is sent or waited for, and it is taken after no other lock
// of this package: a mux calls its clients with its own mu released.
type client struct {
	Options

	out    *process.WriteQueue
	gaveUp atomic.Bool     // the client has stopped reading
	ctx    context.Context // of its requests; ended when it leaves
	end    context.CancelCauseFunc
	tasks  sync.WaitGroup
	wake   chan struct{} // capacity 1: follow has something to send

	mu         sync.Mutex // never held while anything is sent or waited for
	stage      stage
	can        capabilities
	buffers    session.Buffers                    // what it has open
	unreported string                             // the document that it has last changed, until diagnostics of that text are published; "": none
	closed     []string                           // what it has closed since follow last sent
	asked      map[string]context.CancelCauseFunc // its requests that are not answered, by id as it stands on the wire
	owed       map[int64]func(reply)              // the server's requests that it has not answered
	last       int64                              // the last id given to one
	mux        *mux                               // of the session that it last used
	foreign    func(path string) bool             // reports whether a path lies in another worktree
}

// A stage is a client's place in the protocol's lifecycle, which only moves forward but for a failed initialize.
type stage int

const (
	uninitialized stage = iota // before initialize
	initializing               // initialize is being answered
	ready                      // requests and notifications count
	shutDown                   // after shutdown: only exit may follow
)

// receive handles one message. over reports that it was exit, the last one. A message that is no JSON-RPC is answered with an error
// and skipped: the framing still holds.
func (c *client) receive(body []byte) (over bool, err error) {
	m, err := jsonrpc2.ScanMessageView(body)
	if err != nil {
		c.fail([]byte("null"), jsonrpc2.NewError(jsonrpc2.ParseError, "this is no message of JSON-RPC 2.0: send one object a frame"))
		return false, nil
	}
	method, _ := m.MethodString()
	switch m.Kind {
	case jsonrpc2.MessageViewCall:
		c.begin(m.IDRaw, method, m.Params)
	case jsonrpc2.MessageViewNotification:
		if method == protocol.MethodExit {
			return true, nil
		}
		return false, c.notified(method, m.Params)
	default:
		c.answered(m.ID, reply{m.Result, m.ErrorRaw})
	}
	return false, nil
}

// begin starts the goroutine that answers a request, or refuses the request at once. The id stays taken until the answer is queued.
func (c *client) begin(id []byte, method string, params []byte) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	texts, refusal := c.admit(id, method, cancel)
	if refusal != nil {
		cancel(nil)
		c.fail(id, refusal)
		return
	}
	c.tasks.Go(func() {
		defer cancel(nil)
		a := c.serve(ctx, texts, method, params)
		c.mu.Lock()
		delete(c.asked, string(id))
		c.mu.Unlock()
		c.send(appendResponse(nil, id, a))
	})
}

// admit registers a request under its id and returns the client's buffers at this moment: the request is about these, whatever the
// client types before the answer. The error says why the request is refused.
func (c *client) admit(id []byte, method string, cancel context.CancelCauseFunc) (session.Buffers, *jsonrpc2.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := method == protocol.MethodInitialize
	switch {
	case c.stage == shutDown:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, method+" after shutdown: only exit may follow")
	case first && c.stage != uninitialized:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize was already sent: start another server for another workspace")
	case !first && c.stage != ready:
		return nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, method+" before the answer to initialize")
	case len(c.asked) >= requestLimit:
		return nil, jsonrpc2.Errorf(codeFailed, "%d requests are not answered yet: wait for some, or cancel them", requestLimit)
	case c.asked[string(id)] != nil:
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the id %s belongs to a request that is not answered yet", id)
	case isWithheld(method):
		return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, method+" needs a server of one's own: it is not among the capabilities")
	case first:
		c.stage = initializing
	case method == protocol.MethodShutdown:
		c.stage = shutDown
	}
	c.asked[string(id)] = cancel
	return c.buffers, nil
}

// serve returns the answer to a request: its own to initialize and shutdown, the server's to all others.
func (c *client) serve(ctx context.Context, texts session.Buffers, method string, params []byte) reply {
	switch method {
	case protocol.MethodInitialize:
		return c.initialize(ctx, params)
	case protocol.MethodShutdown:
		return reply{result: []byte("null")}
	}
	a, err := c.forward(ctx, texts, method, params)
	if err != nil {
		return refusal(ctx, err)
	}
	return a
}

// cancel cancels the client's request with this id, as it stands on the wire. An unknown id has been answered already.
func (c *client) cancel(id []byte) {
	c.mu.Lock()
	cancel := c.asked[string(id)]
	c.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

var errCancelled = errors.New("the client has cancelled the request")

// ask sends a request of the server to the client, under an id of the client's own numbering. then is called once, with the
// client's answer, or with an error when the client leaves before it answers.
func (c *client) ask(method string, params []byte, then func(reply)) {
	c.mu.Lock()
	if c.ctx.Err() != nil {
		c.mu.Unlock()
		then(gone())
		return
	}
	c.last++
	id := c.last
	c.owed[id] = then
	c.mu.Unlock()
	c.send(jsonrpc2.AppendCall(nil, jsonrpc2.NewNumberID(id), method, params))
}

func gone() reply { return failure(jsonrpc2.NewError(jsonrpc2.InternalError, errLeft.Error())) }

// answered passes the client's answer on to whoever asked. An id that is not owed is ignored.
func (c *client) answered(to jsonrpc2.IDView, a reply) {
	id, _ := to.ID()
	number, _ := id.Number()
	c.mu.Lock()
	then := c.owed[number]
	delete(c.owed, number)
	c.mu.Unlock()
	if then != nil {
		then(a)
	}
}

// leave closes at the server what only this client had open, cancels its requests there, and fails the server's requests to it.
func (c *client) leave() {
	c.mu.Lock()
	shared, held, owed := c.mux, c.buffers, c.owed
	c.mux, c.buffers, c.owed = nil, nil, nil
	c.mu.Unlock()
	if shared != nil {
		shared.leave(c, held)
	}
	for _, then := range owed {
		then(gone())
	}
}

// texts returns the client's buffers, which nobody changes: edit replaces them.
func (c *client) texts() session.Buffers {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buffers
}

// concerns reports whether diagnostics of a file that the client has not opened are for it: the file lies in its worktree.
func (c *client) concerns(path string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.foreign != nil && !c.foreign(path)
}

// answers reports whether the client's capabilities include a request of the server.
func (c *client) answers(method string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stage == ready && c.can.answers(method)
}

// notify passes a notification of the server on, once the client is initialized.
func (c *client) notify(method string, params []byte) {
	c.mu.Lock()
	initialized := c.stage == ready
	c.mu.Unlock()
	if initialized {
		c.send(jsonrpc2.AppendNotification(nil, method, params))
	}
}

// notifyProgress passes progress on under the token that the client knows.
func (c *client) notifyProgress(params, name []byte) {
	renamed, err := rewrite(params, func(key string, value []byte) []byte {
		if key == "token" {
			return name
		}
		return value
	})
	if err == nil {
		c.notify(protocol.MethodProgress, renamed)
	}
}

// notifyDiagnostics passes diagnostics on with the client's version of the document, without one if version is nil: a client drops
// diagnostics of a version that it does not know.
func (c *client) notifyDiagnostics(params []byte, version *int32) {
	ours, err := rewrite(params, func(key string, value []byte) []byte {
		if key != "version" {
			return value
		}
		return versionOnWire(version)
	})
	if err == nil {
		c.notify(protocol.MethodTextDocumentPublishDiagnostics, ours)
	}
}

// reported notes that diagnostics of the client's text of a document were published.
func (c *client) reported(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unreported == path {
		c.unreported = ""
	}
}

func (c *client) fail(id []byte, err *jsonrpc2.Error) { c.send(appendResponse(nil, id, failure(err))) }

// send queues a message. It never blocks: when more than the write queue's limit waits, the queue closes the client's stream.
func (c *client) send(body []byte) {
	c.out.Write(session.AppendFrame(nil, bytes.TrimSpace(body)))
}
