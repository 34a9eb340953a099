package server

import (
	"context"
	"io"
	"os"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// LanguageServers finds the language server that serves a client.
type LanguageServers interface {
	// Attach returns the server that a client asks for. An error is sent as that of a tool.
	Attach(r *protocol.LSPAttach) (LanguageServer, error)
}

// A LanguageServer serves one client.
type LanguageServer interface {
	// Serve speaks the Language Server Protocol on a stream until either side or ctx ends it, and closes it. Its error, for
	// the log, says why it ended.
	Serve(ctx context.Context, stream io.ReadWriteCloser) error
}

// serveLSP hands the connection to a language server for the rest of its life. If it refuses, it reports true: the caller
// still reads lines.
func (c *conn) serveLSP(r *protocol.LSPAttach) bool {
	s := c.server
	if c.open.Load() > 0 {
		c.reject(protocol.CodeInvalidRequest, "LSPAttach wants a connection of its own: send it on one where nothing is unanswered")
		return true
	}
	if s.options.LanguageServers == nil {
		c.reject(protocol.CodeInvalidParams, "this daemon has no language servers")
		return true
	}
	found, err := s.options.LanguageServers.Attach(r)
	if err != nil {
		c.write(&protocol.ErrorResponse{Error: asError(err)})
		return true
	}
	c.countClient()
	c.write(&protocol.LSPAttached{PID: os.Getpid(), Version: s.options.Version})
	log := s.log.With("language", r.Language, "client", wording.ClipBytes(r.Client, maxForeign))
	log.Info("language client attached")
	ctx, stop := s.untilQuit(c.ctx)
	if err = found.Serve(ctx, lspStream{c}); err != nil {
		log = log.With("err", err)
	}
	stop()
	log.Info("language client gone")
	c.finish()
	return false
}

// untilQuit returns a context that ends with ctx and at Shutdown. Requests that must not delay the drain use it:
// a language client reconnects to the next daemon, and a question can no longer be answered.
func (s *Server) untilQuit(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-s.quit:
			cancel(errShutdown)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil); <-done }
}

// maxForeign is how many bytes of a client's text go into the log.
const maxForeign = 100

// An lspStream is the connection behind its last line. A message has no read timeout: a client that does not finish one delays
// nobody but itself.
type lspStream struct{ *conn }

// Read returns first what the Reader of lines has read ahead: a client may send its first message right after LSPAttach.
func (t lspStream) Read(p []byte) (int, error) {
	if t.lines.Buffered() {
		return t.lines.Read(p)
	}
	if err := t.net.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	if t.server.isQuitting() { // Shutdown sets a deadline, before this or after
		return 0, errShutdown
	}
	return t.net.Read(p)
}

// Write fails if the client does not accept the bytes within writeTimeout.
func (t lspStream) Write(p []byte) (int, error) {
	if err := t.net.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	return t.net.Write(p)
}

func (t lspStream) Close() error { return t.net.Close() }
