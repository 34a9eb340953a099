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

// Options says which server is shared, and with whom.
type Options struct {
	Workspace *workspace.Workspace
	Language  *session.Language
	Dir       string        // where the client works; "": in the workspace's directory
	Budget    time.Duration // how long a request that looks through the whole project waits for the server to know it
}

// flushTimeout is how long a client may take to read what was queued when it left.
const flushTimeout = time.Second

var (
	// ErrNotReading is the error of a client whose write queue is full.
	ErrNotReading = errors.New("the client has stopped reading")
	errLeft       = errors.New("the client has left")
)

// Serve serves a client until it says exit, hangs up or breaks the protocol, or ctx ends; then it closes the stream. The
// error is nil if the client left in good order.
func Serve(ctx context.Context, stream io.ReadWriteCloser, options Options) error {
	c := newClient(options, stream)
	defer context.AfterFunc(ctx, func() { stream.Close() })()
	c.tasks.Go(c.follow)
	err := c.listen(stream)
	c.end(errLeft)
	c.tasks.Wait()
	c.leave()
	c.out.Close()
	select {
	case <-c.out.Done():
	case <-time.After(flushTimeout):
		stream.Close()
		<-c.out.Done()
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && c.gaveUp.Load():
		return ErrNotReading
	}
	return err
}

func newClient(options Options, stream io.ReadWriteCloser) *client {
	c := &client{
		Options: options,
		wake:    make(chan struct{}, 1),
		asked:   map[string]context.CancelCauseFunc{},
		owed:    map[int64]func(reply){},
	}
	c.ctx, c.end = context.WithCancelCause(context.Background())
	c.out = process.NewWriteQueue(stream, func() {
		c.gaveUp.Store(true)
		c.end(ErrNotReading)
		stream.Close()
	})
	return c
}

// listen handles the client's messages in their order, until exit, the end of the stream or an error.
func (c *client) listen(stream io.Reader) error {
	in := bufio.NewReader(stream)
	for {
		body, err := readFrame(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrFrame):
			c.fail([]byte("null"), jsonrpc2.NewError(jsonrpc2.ParseError, err.Error()))
			return err
		case err != nil:
			return err
		}
		if over, err := c.receive(body); over || err != nil {
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
