package server

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"tidepool/protocol"
)

// echoes is a language server for one language, which sends back what it gets.
type echoes struct{ attached chan *protocol.LSPAttach }

func (e echoes) Attach(r *protocol.LSPAttach) (LanguageServer, error) {
	if r.Language != "go" {
		return nil, &protocol.Error{Code: protocol.CodeInvalidParams, Message: "no such language"}
	}
	if e.attached != nil {
		e.attached <- r
	}
	return e, nil
}

func (echoes) Serve(ctx context.Context, stream io.ReadWriteCloser) error {
	defer stream.Close()
	_, err := io.Copy(stream, stream)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

const lspAttach, lspAttached = `{"type":"LSPAttach","language":"go","cwd":"/p","client":"vi"}` + "\n", `…"type":"LSPAttached","pid":`

// What comes right behind the line is already the other protocol, and so is what never ends in a newline.
func TestConnectionTurns(t *testing.T) {
	e := echoes{make(chan *protocol.LSPAttach, 1)}
	c := dial(t, serveOn(t, Options{LanguageServers: e, LineTimeout: time.Millisecond}))
	c.send(ping)
	c.expect(pong)
	c.send(lspAttach + "Content-Length: 2\r\n\r\n{}")
	c.expect(lspAttached)
	if r := <-e.attached; *r != (protocol.LSPAttach{Language: "go", Cwd: "/p", Client: "vi"}) {
		t.Errorf("got %+v", r)
	}
	for _, more := range []string{"", "half a mess", "age"} {
		c.send(more)
	}
	c.closeWrite()
	rest, err := io.ReadAll(c.lines)
	if want := "Content-Length: 2\r\n\r\n{}half a message"; string(rest) != want || err != nil {
		t.Errorf("got %q, %v, want %q", rest, err, want)
	}
}

func TestTurnIsRefused(t *testing.T) {
	c := dial(t, serveOn(t, Options{}))
	c.send(lspAttach)
	c.expect("…no language servers")
	c = dial(t, serveOn(t, Options{LanguageServers: echoes{}}))
	c.send(`{"type":"LSPAttach","language":"cobol"}` + "\n")
	c.expect(`{"type":"ErrorResponse","error":{"code":-32602,"message":"no such language"}}`)
	c.send(ping)
	c.expect(pong)
}

func TestTurnWantsAConnectionOfItsOwn(t *testing.T) {
	begun, held := make(chan struct{}), make(chan struct{})
	c := dial(t, serveOn(t, Options{LanguageServers: echoes{}, Tools: scripted{
		"hold": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
			close(begun)
			<-held
			return Result{}, nil
		},
	}}))
	c.send(callLine("1", "hold"))
	<-begun
	c.send(lspAttach)
	c.expect("…connection of its own")
	close(held)
	c.expect(`…"id":"1"`)
	c.send(lspAttach)
	c.expect(lspAttached)
}

// A language client is presence, and never an answer that the end would wait for.
func TestTurnedConnectionIsPresence(t *testing.T) {
	s := New(Options{LanguageServers: echoes{}, DrainTimeout: time.Hour})
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	stop := serveWith(t, s, l)
	c := dial(t, l.Addr().String())
	c.send(lspAttach)
	c.expect(lspAttached)
	if got := s.Stats().Clients; got != 1 {
		t.Errorf("%d clients", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.AwaitIdle(ctx, 16*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("idle: %v", err)
	}
	stop(t.Context())
	if rest, err := io.ReadAll(c.lines); len(rest) > 0 || err != nil {
		t.Errorf("got %q, %v", rest, err)
	}
	if got := s.Stats().Clients; got != 0 {
		t.Errorf("%d clients", got)
	}
}
