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

// forward returns the server's answer to a request of the client. When the client cancels, the server is told so and still decides how
// the request ends: many answer with what they have. When the client leaves, nobody waits for that.
func (c *client) forward(ctx context.Context, texts session.Buffers, method string, params []byte) (reply, error) {
	t, server := c.home()
	defer server.Hold()()
	live, q, done, err := c.put(ctx, texts, method, params)
	if err != nil {
		return reply{}, err
	}
	defer done()
	shared := muxOf(live)
	select {
	case a := <-q.reply:
		return a.within(t), nil
	case <-shared.gone:
		return c.lost(ctx, live, q)
	case <-ctx.Done():
	}
	if c.ctx.Err() != nil { // what is left of the client is cancelled together
		return reply{}, errLeft
	}
	shared.cancel(q)
	select { // the server says how it ends
	case a := <-q.reply:
		return a, nil
	case <-shared.gone:
		return c.lost(ctx, live, q)
	case <-c.ctx.Done():
		return reply{}, errLeft
	}
}

// put sends a request to the server. If the session turns out to have ended, put sends the request to the next one, once. done
// must be called when the request is answered: until then the server may be kept from other texts.
func (c *client) put(
	ctx context.Context, texts session.Buffers, method string, params []byte,
) (live *session.Session, q *request, done func(), err error) {
	for again := true; ; again = false {
		live, done, err = c.ready(ctx, texts, method)
		if err != nil {
			return nil, nil, nil, err
		}
		q, err = muxOf(live).ask(c, texts, method, params)
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

// ready returns a live session once it knows enough for a request of that kind, or once the budget is over: an editor would rather
// have an early answer than none.
func (c *client) ready(ctx context.Context, texts session.Buffers, method string) (live *session.Session, done func(), err error) {
	live, err = c.session(ctx)
	if err != nil {
		return nil, nil, err
	}
	done = func() {}
	budget, cancel := context.WithTimeout(ctx, c.Budget)
	defer cancel()
	if searches(method) {
		live.AwaitLoaded(budget)
	}
	if c.Language.TakesTurns() {
		done = c.takeTurn(budget, live, texts, searches(method))
	}
	if ctx.Err() != nil {
		done()
		return nil, nil, context.Cause(ctx)
	}
	return live, done, nil
}

// takeTurn keeps other texts from the server until done is called. Before a search, a server that remembers opened documents is made to
// read those of this client. When ctx ends, takeTurn gives up: the answer may then be about other texts.
func (c *client) takeTurn(ctx context.Context, live *session.Session, texts session.Buffers, search bool) (done func()) {
	shared := muxOf(live)
	done, ok := live.Turns.Take(ctx, !shared.agrees(texts))
	if !ok {
		return done
	}
	if search && c.Language.RemembersOpened {
		unseen, err := live.Show(texts) // what goes wrong shows with the request
		for path, version := range unseen {
			if err == nil && c.awaitRead(ctx, shared, texts, path) {
				live.Seen(path, version)
			}
		}
	}
	return done
}

// awaitRead asks for a document's symbols, which a server answers once it has read the document. It reports whether that came.
func (c *client) awaitRead(ctx context.Context, shared *mux, texts session.Buffers, path string) bool {
	params := []byte(`{"textDocument":{"uri":` + strconv.Quote(string(text.URI(path))) + `}}`)
	q, err := shared.ask(c, texts, protocol.MethodTextDocumentDocumentSymbol, params)
	if err != nil {
		return false
	}
	select {
	case <-q.reply:
		return true
	case <-shared.gone:
	case <-ctx.Done():
	}
	return false
}

// lost returns the answer to a request whose session has ended: one that came just before, else why the session ended.
func (c *client) lost(ctx context.Context, live *session.Session, q *request) (reply, error) {
	select {
	case a := <-q.reply: // just before
		return a, nil
	default:
		return reply{}, live.Because(ctx, live.Broken(errHungUp))
	}
}

var errHungUp = fmt.Errorf("%w: the server has hung up", session.ErrBroken)

// home returns the client's tree and the server of its language there: neither lasts as long as the client may.
func (c *client) home() (*workspace.Tree, *workspace.Server) {
	t := c.Workspace.TreeAt(c.Dir)
	t.Know()
	return t, c.Workspace.ServerOf(c.Language, t)
}

// session returns the live session, or starts the next one, after it was told of everything that has changed on the disk.
func (c *client) session(ctx context.Context) (*session.Session, error) {
	t, server := c.home()
	for _, of := range server.Trees() {
		of.Sync()
	}
	live, err := server.Live(ctx)
	if err != nil {
		return nil, err
	}
	c.join(muxOf(live), t)
	return live, live.Because(ctx, server.Flush(live))
}

// join makes the client receive the notifications of a session.
func (c *client) join(shared *mux, t *workspace.Tree) {
	foreign := t.Foreign()
	c.mu.Lock()
	known := c.mux == shared
	c.mux, c.foreign = shared, foreign
	c.mu.Unlock()
	if !known {
		shared.join(c)
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

// refusal returns an error as an answer, with its hint: the client has one line to show.
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
