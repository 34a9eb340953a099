package server

import (
	"context"
	"io"
	"os"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// LanguageServers are what a connection may turn to.
type LanguageServers interface {
	// Attach finds the server that a client asks for, or says why there is none. An error is sent as that of a tool.
	Attach(r *protocol.LSPAttach) (LanguageServer, error)
}

// A LanguageServer serves one client.
type LanguageServer interface {
	// Serve speaks the Language Server Protocol on a stream until either side ends it, or ctx does, and closes it. It
	// says why it did, for the log.
	Serve(ctx context.Context, stream io.ReadWriteCloser) error
}

// turn makes the connection one to a language server, for the rest of its life. It reports whether the caller still
// reads lines.
func (c *conn) turn(r *protocol.LSPAttach) bool {
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
	c.present()
	c.write(&protocol.LSPAttached{PID: os.Getpid(), Version: s.options.Version})
	log := s.log.With("language", r.Language, "client", wording.ClipBytes(r.Client, maxForeign))
	log.Info("language client attached")
	ctx, stop := s.untilQuit(c.ctx)
	if err = found.Serve(ctx, turned{c}); err != nil {
		log = log.With("err", err)
	}
	stop()
	log.Info("language client gone")
	c.finish()
	return false
}

// untilQuit is ctx, ended by the order to quit as well: a language client has no call to finish, and finds its server
// again by another start.
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

// turned is a connection behind its last line. There is no time limit for a message: a client that does not finish
// one holds up nobody but itself.
type turned struct{ *conn }

func (t turned) Read(p []byte) (int, error) {
	if t.lines.Buffered() {
		return t.lines.Read(p)
	}
	if err := t.net.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	if t.server.isQuitting() { // the order to quit sets a deadline, before this or after
		return 0, errShutdown
	}
	return t.net.Read(p)
}

func (t turned) Write(p []byte) (int, error) {
	if err := t.net.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	return t.net.Write(p)
}

func (t turned) Close() error { return t.net.Close() }
