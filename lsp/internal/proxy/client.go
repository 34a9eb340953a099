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
// Goroutines: Serve's caller listens; the outbox's pump writes to the client; follow gives the server the texts that
// the client has changed; and each request has its own until it is answered. Serve waits for all of them.
type client struct {
	Options

	out    *process.WriteQueue
	gaveUp atomic.Bool     // out has given the client up
	ctx    context.Context // of its requests; ended when it leaves
	end    context.CancelCauseFunc
	tasks  sync.WaitGroup
	wake   chan struct{} // capacity 1: follow has something to do

	mu         sync.Mutex // never held while anything is sent or waited for
	stage      stage
	can        capabilities
	buffers    session.Buffers                    // what it has open
	unreported string                             // the document that it has last changed, until it hears of that text; "": none
	closed     []string                           // what it has closed since follow last looked
	asked      map[string]context.CancelCauseFunc // its requests that are not answered, by id as it stands on the wire
	owed       map[int64]func(reply)              // the server's requests that it has not answered
	last       int64                              // the last id given to one
	mux        *mux                               // of the session that it last used
	foreign    func(path string) bool             // says of a path that it lies in another worktree
}

// A stage is how far the life of a client is.
type stage int

const (
	uninitialized stage = iota // it has not said initialize
	initializing               // that is being answered
	ready
	shutDown // it has said shutdown
)

// receive takes in one message. over says that it was the last.
func (g *client) receive(body []byte) (over bool, err error) {
	m, err := jsonrpc2.ScanMessageView(body)
	if err != nil {
		g.fail([]byte("null"), jsonrpc2.NewError(jsonrpc2.ParseError, "this is no message of JSON-RPC 2.0: send one object a frame"))
		return false, nil
	}
	method, _ := m.MethodString()
	switch m.Kind {
	case jsonrpc2.MessageViewCall:
		g.begin(m.IDRaw, method, m.Params)
	case jsonrpc2.MessageViewNotification:
		if method == protocol.MethodExit {
			return true, nil
		}
		return false, g.notified(method, m.Params)
	default:
		g.answered(m.ID, reply{m.Result, m.ErrorRaw})
	}
	return false, nil
}

// begin begins to answer a request, or refuses it.
func (g *client) begin(id []byte, method string, params []byte) {
	ctx, cancel := context.WithCancelCause(g.ctx)
	texts, refusal := g.admit(id, method, cancel)
	if refusal != nil {
		cancel(nil)
		g.fail(id, refusal)
		return
	}
	g.tasks.Go(func() {
		defer cancel(nil)
		a := g.serve(ctx, texts, method, params)
		g.mu.Lock()
		delete(g.asked, string(id))
		g.mu.Unlock()
		g.send(appendResponse(nil, id, a))
	})
}

// admit counts a request in and returns the texts that it is about.
func (g *client) admit(id []byte, method string, cancel context.CancelCauseFunc) (session.Buffers, *jsonrpc2.Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	first := method == protocol.MethodInitialize
	switch {
	case g.stage == shutDown:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, method+" after shutdown: only exit may follow")
	case first && g.stage != uninitialized:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize was already said: start another server for another workspace")
	case !first && g.stage != ready:
		return nil, jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, method+" before the answer to initialize")
	case len(g.asked) >= requestLimit:
		return nil, jsonrpc2.Errorf(codeFailed, "%d requests are not answered yet: wait for some, or cancel them", requestLimit)
	case g.asked[string(id)] != nil:
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "the id %s belongs to a request that is not answered yet", id)
	case isWithheld(method):
		return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, method+" needs a server of one's own: it is not among the capabilities")
	case first:
		g.stage = initializing
	case method == protocol.MethodShutdown:
		g.stage = shutDown
	}
	g.asked[string(id)] = cancel
	return g.buffers, nil
}

// serve finds the answer to a request.
func (g *client) serve(ctx context.Context, texts session.Buffers, method string, params []byte) reply {
	switch method {
	case protocol.MethodInitialize:
		return g.initialize(ctx, params)
	case protocol.MethodShutdown:
		return reply{result: []byte("null")}
	}
	a, err := g.forward(ctx, texts, method, params)
	if err != nil {
		return refusal(ctx, err)
	}
	return a
}

// cancel ends a request of the client's.
func (g *client) cancel(id []byte) {
	g.mu.Lock()
	cancel := g.asked[string(id)]
	g.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

var errCancelled = errors.New("the client has cancelled the request")

// ask puts a request of the server to the client. then gets the answer, or what stands for one when the client leaves.
func (g *client) ask(method string, params []byte, then func(reply)) {
	g.mu.Lock()
	if g.ctx.Err() != nil {
		g.mu.Unlock()
		then(gone())
		return
	}
	g.last++
	id := g.last
	g.owed[id] = then
	g.mu.Unlock()
	g.send(jsonrpc2.AppendCall(nil, jsonrpc2.NewNumberID(id), method, params))
}

func gone() reply { return failure(jsonrpc2.NewError(jsonrpc2.InternalError, errLeft.Error())) }

// answered takes in the answer to a request of the server.
func (g *client) answered(to jsonrpc2.IDView, a reply) {
	id, _ := to.ID()
	number, _ := id.Number()
	g.mu.Lock()
	then := g.owed[number]
	delete(g.owed, number)
	g.mu.Unlock()
	if then != nil {
		then(a)
	}
}

// leave gives up everything that the server holds for the client.
func (g *client) leave() {
	g.mu.Lock()
	board, held, owed := g.mux, g.buffers, g.owed
	g.mux, g.buffers, g.owed = nil, nil, nil
	g.mu.Unlock()
	if board != nil {
		board.leave(g, held)
	}
	for _, then := range owed {
		then(gone())
	}
}

// texts returns what the client has open.
func (g *client) texts() session.Buffers {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.buffers
}

// concerns reports whether the client may want to hear of a file that it has not opened.
func (g *client) concerns(path string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.foreign != nil && !g.foreign(path)
}

// answers reports whether the client has announced that it answers a request.
func (g *client) answers(method string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stage == ready && g.can.answers(method)
}

// notify passes a notification of the server on.
func (g *client) notify(method string, params []byte) {
	g.mu.Lock()
	listening := g.stage == ready
	g.mu.Unlock()
	if listening {
		g.send(jsonrpc2.AppendNotification(nil, method, params))
	}
}

// notifyProgress passes progress on under the token that the client knows.
func (g *client) notifyProgress(params, name []byte) {
	renamed, err := rewrite(params, func(key string, value []byte) []byte {
		if key == "token" {
			return name
		}
		return value
	})
	if err == nil {
		g.notify(protocol.MethodProgress, renamed)
	}
}

// notifyDiagnostics passes diagnostics on: those of the client's own text with its version, if the server names one.
func (g *client) notifyDiagnostics(params []byte, version *int32) {
	ours, err := rewrite(params, func(key string, value []byte) []byte {
		if key != "version" {
			return value
		}
		return versionOnWire(version)
	})
	if err == nil {
		g.notify(protocol.MethodTextDocumentPublishDiagnostics, ours)
	}
}

// reported says that the client has heard what the server makes of its text of a document.
func (g *client) reported(path string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.unreported == path {
		g.unreported = ""
	}
}

func (g *client) fail(id []byte, err *jsonrpc2.Error) { g.send(appendResponse(nil, id, failure(err))) }

// send queues a message. A client that does not read is given up, and holds up nobody.
func (g *client) send(body []byte) {
	g.out.Write(session.AppendFrame(nil, bytes.TrimSpace(body)))
}
