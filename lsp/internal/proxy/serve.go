package proxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
)

// Options say for whom a server is shared, and which.
type Options struct {
	Workspace *workspace.Workspace
	Language  *session.Language
	Dir       string        // where the client works; "": in the workspace's directory
	Budget    time.Duration // how long a request that looks through the whole project waits for the server to know it
}

// farewellTimeout is how long a client may take to read what was still on its way when it left.
const farewellTimeout = time.Second

var (
	ErrDeaf = errors.New("the client has stopped reading")
	errLeft = errors.New("the client has left")
)

// Serve serves a client until it says exit, hangs up or breaks the protocol, or ctx ends; then it closes the stream. The
// error is nil if the client left in good order.
func Serve(ctx context.Context, stream io.ReadWriteCloser, options Options) error {
	g := newClient(options, stream)
	defer context.AfterFunc(ctx, func() { stream.Close() })()
	g.tasks.Go(g.follow)
	err := g.listen(stream)
	g.end(errLeft)
	g.tasks.Wait()
	g.leave()
	g.out.Close()
	select {
	case <-g.out.Done():
	case <-time.After(farewellTimeout):
		stream.Close()
		<-g.out.Done()
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && g.gaveUp.Load():
		return ErrDeaf
	}
	return err
}

func newClient(options Options, stream io.ReadWriteCloser) *client {
	g := &client{
		Options: options,
		wake:    make(chan struct{}, 1),
		asked:   map[string]context.CancelCauseFunc{},
		owed:    map[int64]func(reply){},
	}
	g.ctx, g.end = context.WithCancelCause(context.Background())
	g.out = process.NewWriteQueue(stream, func() {
		g.gaveUp.Store(true)
		g.end(ErrDeaf)
		stream.Close()
	})
	return g
}

// listen takes in what the client sends, to its end.
func (g *client) listen(stream io.Reader) error {
	in := bufio.NewReader(stream)
	for {
		body, err := readFrame(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrFrame):
			g.fail([]byte("null"), jsonrpc2.NewError(jsonrpc2.ParseError, err.Error()))
			return err
		case err != nil:
			return err
		}
		if over, err := g.receive(body); over || err != nil {
			return err
		}
	}
}

// Codes of errors that the protocol adds to those of JSON-RPC.
const (
	codeFailed    = jsonrpc2.Code(-32803) // the request was right and failed
	codeCancelled = jsonrpc2.Code(-32800)
)

// The most that a client may have under way.
const (
	requestLimit = 256      // requests that are not answered
	frameLimit   = 32 << 20 // bytes of a message
	bufferLimit  = 16 << 20 // bytes of text in open documents: far below what may wait for a server
)
