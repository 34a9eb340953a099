package proxy

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
	"tidepool/lsp/internal/workspace"
)

// forward has the server answer a request of the client.
func (g *client) forward(ctx context.Context, texts session.Buffers, method string, params []byte) (reply, error) {
	t, server := g.home()
	defer server.Hold()()
	live, q, done, err := g.put(ctx, texts, method, params)
	if err != nil {
		return reply{}, err
	}
	defer done()
	board := muxOf(live)
	select {
	case a := <-q.reply:
		return a.within(t), nil
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
// done must be called when the question is answered.
func (g *client) put(
	ctx context.Context, texts session.Buffers, method string, params []byte,
) (live *session.Session, q *request, done func(), err error) {
	for again := true; ; again = false {
		live, done, err = g.ready(ctx, texts, method)
		if err != nil {
			return nil, nil, nil, err
		}
		q, err = muxOf(live).ask(g, texts, method, params)
		if err == nil {
			return live, q, done, nil
		}
		done()
		err = live.Because(ctx, live.Broken(err))
		var exit *session.ExitError
		if !again || !errors.As(err, &exit) || exit.GaveUp {
			return nil, nil, nil, err
		}
	}
}

// ready returns a session that can be asked, when it knows enough for a request of that kind or the budget is over.
func (g *client) ready(ctx context.Context, texts session.Buffers, method string) (live *session.Session, done func(), err error) {
	live, err = g.session(ctx)
	if err != nil {
		return nil, nil, err
	}
	done = func() {}
	budget, cancel := context.WithTimeout(ctx, g.Budget)
	defer cancel()
	if searches(method) {
		live.AwaitLoaded(budget)
	}
	if g.Language.TakesTurns() {
		done = g.takeTurn(budget, live, texts, searches(method))
	}
	if ctx.Err() != nil {
		done()
		return nil, nil, context.Cause(ctx)
	}
	return live, done, nil
}

// takeTurn keeps the server from other texts until done is called, and has one that remembers opened documents look into
// those of this client if it is to search. When ctx ends it gives up: the answer may then be about other texts.
func (g *client) takeTurn(ctx context.Context, live *session.Session, texts session.Buffers, search bool) (done func()) {
	board := muxOf(live)
	done, ok := live.Turns.Take(ctx, !board.agrees(texts))
	if !ok {
		return done
	}
	if search && g.Language.RemembersOpened {
		unseen, err := live.Show(texts) // what goes wrong shows with the request
		for path, version := range unseen {
			if err == nil && g.look(ctx, board, texts, path) {
				live.Seen(path, version)
			}
		}
	}
	return done
}

// look asks about a document, which is answered once the server has looked into it.
func (g *client) look(ctx context.Context, board *mux, texts session.Buffers, path string) bool {
	params := []byte(`{"textDocument":{"uri":` + strconv.Quote(string(text.URI(path))) + `}}`)
	q, err := board.ask(g, texts, protocol.MethodTextDocumentDocumentSymbol, params)
	if err != nil {
		return false
	}
	select {
	case <-q.reply:
		return true
	case <-board.gone:
	case <-ctx.Done():
	}
	return false
}

// lost returns what becomes of a question whose session has ended.
func (g *client) lost(ctx context.Context, live *session.Session, q *request) (reply, error) {
	select {
	case a := <-q.reply: // just before
		return a, nil
	default:
		return reply{}, live.Because(ctx, live.Broken(errHungUp))
	}
}

var errHungUp = fmt.Errorf("%w: the server has hung up", session.ErrBroken)

// home returns the client's tree and the server of its language there: neither lasts as long as the client may.
func (g *client) home() (*workspace.Tree, *workspace.Server) {
	t := g.Workspace.TreeAt(g.Dir)
	t.Know()
	return t, g.Workspace.ServerOf(g.Language, t)
}

// session returns the one that lives, or the next, told of everything that has changed on the disk.
func (g *client) session(ctx context.Context) (*session.Session, error) {
	t, server := g.home()
	for _, of := range server.Trees() {
		of.Sync()
	}
	live, err := server.Live(ctx)
	if err != nil {
		return nil, err
	}
	g.join(muxOf(live), t)
	return live, live.Because(ctx, server.Flush(live))
}

// join has the client hear what a session says.
func (g *client) join(board *mux, t *workspace.Tree) {
	foreign := t.Foreign()
	g.mu.Lock()
	known := g.mux == board
	g.mux, g.foreign = board, foreign
	g.mu.Unlock()
	if !known {
		board.join(g)
	}
}

// searches reports whether the answer to a request lies anywhere in the project, so that a server which does not know all
// of it would answer with less than there is.
func searches(method string) bool {
	switch method {
	case protocol.MethodTextDocumentReferences, protocol.MethodTextDocumentImplementation, protocol.MethodTextDocumentRename,
		protocol.MethodWorkspaceSymbol, protocol.MethodCallHierarchyIncomingCalls, protocol.MethodTypeHierarchySubtypes:
		return true
	}
	return false
}

// refusal returns the answer that says why there is no other.
func refusal(ctx context.Context, err error) reply {
	if errors.Is(context.Cause(ctx), errCancelled) {
		return failure(jsonrpc2.NewError(codeCancelled, errCancelled.Error()))
	}
	message := wording.OneLine(err.Error())
	if hint := wording.HintOf(err); hint != "" {
		message += ": " + hint
	}
	return failure(jsonrpc2.NewError(codeFailed, message))
}
