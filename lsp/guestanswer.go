package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// behind is how many bytes may wait for a server before it is sent nothing more of clients: a client that floods shall
// not make the server look stuck.
const behind = outboxLimit / 8

var errBehind = errors.New("the language server is far behind with what it is sent: ask again later")

// forward has the server answer a request of the client.
func (g *guest) forward(ctx context.Context, texts buffers, method string, params []byte) (reply, error) {
	defer g.server.hold()()
	live, q, err := g.put(ctx, texts, method, params)
	if err != nil {
		return reply{}, err
	}
	board := live.wire.board
	select {
	case a := <-q.reply:
		return a, nil
	case <-board.gone:
		return g.lost(ctx, live, q)
	case <-ctx.Done():
	}
	if g.ctx.Err() != nil { // what is left of the client is cancelled together
		return reply{}, errLeft
	}
	board.cancel(q)
	select { // the server says how it ends
	case a := <-q.reply:
		return a, nil
	case <-board.gone:
		return g.lost(ctx, live, q)
	case <-g.ctx.Done():
		return reply{}, errLeft
	}
}

// put sends a request to the server. If the session turns out to be at its end, it does so with the next one.
func (g *guest) put(ctx context.Context, texts buffers, method string, params []byte) (*session, *question, error) {
	for again := true; ; again = false {
		live, err := g.session(ctx)
		if err != nil {
			return nil, nil, err
		}
		if searches(method) {
			live.loaded(ctx, g.server.project.budget)
		}
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if live.process.in.waiting() > behind {
			return nil, nil, errBehind
		}
		q, err := live.wire.board.ask(g, texts, method, params)
		if err == nil {
			return live, q, nil
		}
		err = live.because(ctx, live.broken(err))
		var exit *ExitError
		if !again || !errors.As(err, &exit) || exit.GaveUp {
			return nil, nil, err
		}
	}
}

// lost is what becomes of a question whose session has ended.
func (g *guest) lost(ctx context.Context, live *session, q *question) (reply, error) {
	select {
	case a := <-q.reply: // just before
		return a, nil
	default:
		return reply{}, live.because(ctx, live.broken(errHungUp))
	}
}

var errHungUp = errors.New("the server has hung up")

// session is the one that lives, or the next, told of everything that has changed on the disk.
func (g *guest) session(ctx context.Context) (*session, error) {
	for _, t := range g.server.trees() {
		t.sync()
	}
	live, err := g.server.live(ctx)
	if err != nil {
		return nil, err
	}
	g.join(live.wire.board)
	return live, live.because(ctx, g.server.flush(live))
}

// join has the client hear what a session says.
func (g *guest) join(board *switchboard) {
	g.mu.Lock()
	known := g.board == board
	g.board = board
	g.mu.Unlock()
	if !known {
		board.join(g)
	}
}

// searches says whether the answer to a request lies anywhere in the project, so that a server which does not know all
// of it would answer with less than there is.
func searches(method string) bool {
	switch method {
	case protocol.MethodTextDocumentReferences, protocol.MethodTextDocumentImplementation, protocol.MethodTextDocumentRename,
		protocol.MethodWorkspaceSymbol, protocol.MethodCallHierarchyIncomingCalls, protocol.MethodTypeHierarchySubtypes:
		return true
	}
	return false
}

// refusal is the answer that says why there is no other.
func refusal(ctx context.Context, err error) reply {
	if errors.Is(context.Cause(ctx), errCancelled) {
		return failure(jsonrpc2.NewError(codeCancelled, errCancelled.Error()))
	}
	message := oneLine(err.Error())
	if hinted, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		message += ": " + hinted.Hint()
	}
	return failure(jsonrpc2.NewError(codeFailed, message))
}
