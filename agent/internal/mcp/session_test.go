package mcp

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// patience is how long a test waits for what must come.
const patience = 10 * time.Second

// A session is the client's side of a running server.
type session struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan struct{}
	stop  context.CancelFunc
	gone  atomic.Bool // what the server is told when it looks for the client
}

// serve starts a server for the project in dir.
func serve(t *testing.T, dir string) *session {
	t.Helper()
	return serveWith(t, dir, nil)
}

// serveWith also gives it what starts daemons.
func serveWith(t *testing.T, dir string, launcher Launcher) *session {
	t.Helper()
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	s := &session{t: t, in: in, lines: make(chan string, 100), ended: make(chan struct{}), stop: stop}
	go func() {
		defer close(s.ended)
		Serve(ctx, Options{
			Locate:  func() protocol.Place { return protocol.Locate(func(string) string { return "" }, dir) },
			Dir:     dir,
			Session: "s-1",
			Version: "1.2.3",
			PID:     42,
			In:      stdin,
			Out:     stdout,
			Gone:    s.gone.Load,

			Launcher: launcher,
		})
		stdout.Close()
	}()
	go func() {
		defer close(s.lines)
		lines := protocol.NewReader(out)
		for {
			line, err := lines.ReadLine()
			if err != nil {
				return
			}
			s.lines <- string(line)
		}
	}()
	t.Cleanup(func() {
		in.Close()
		out.Close()
		stop()
		<-s.ended
	})
	return s
}

// handshake starts a session of a revision.
func (s *session) handshake(revision string) {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"tester","version":"7"}}}`)
	s.next()
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (s *session) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatalf("sending %.80s: %v", line, err)
	}
}

// next returns the next line of the server that is no log message.
func (s *session) next() string {
	s.t.Helper()
	for {
		if line := s.line(); !strings.Contains(line, `"method":"notifications/message"`) {
			return line
		}
	}
}

// wantLog compares the next line, which is a log message.
func (s *session) wantLog(level, logger, text string) {
	s.t.Helper()
	want := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","logger":"` + logger + `","data":"` + text + `"}}`
	if got := s.line(); got != want {
		s.t.Errorf("got  %s\nwant %s", got, want)
	}
}

// line returns the next line of the server.
func (s *session) line() string {
	s.t.Helper()
	select {
	case line, ok := <-s.lines:
		if !ok {
			s.t.Fatal("the server has ended")
		}
		return line
	case <-time.After(patience):
		s.t.Fatal("the server says nothing")
	}
	return ""
}

// want compares the next line.
func (s *session) want(line string) {
	s.t.Helper()
	if got := s.next(); got != line {
		s.t.Errorf("got  %.300s\nwant %.300s", got, line)
	}
}

// wantNothing checks that nothing is said before the answer to a ping.
func (s *session) wantNothing() {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":"nothing","method":"ping"}`)
	s.want(`{"jsonrpc":"2.0","id":"nothing","result":{}}`)
}

// call asks for a tool with extra params.
func (s *session) call(id, tool, extra string) {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `"` + extra + `}}`)
}

// wantText checks that the next line is a call's result with this text in it.
func (s *session) wantText(id, text string, isError bool) {
	s.t.Helper()
	line := s.next()
	var answer struct {
		ID     json.RawMessage `json:"id"`
		Result *toolResult     `json:"result"`
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Result == nil || len(answer.Result.Content) != 1 {
		s.t.Fatalf("no result: %.300s", line)
	}
	if string(answer.ID) != id || answer.Result.IsError != isError || !strings.Contains(answer.Result.Content[0].Text, text) {
		s.t.Errorf("got %.500s\nwant id %s, isError %v, %.300s", line, id, isError, text)
	}
	if strings.Contains(line, "structuredContent") {
		s.t.Errorf("structuredContent hides the text: %.300s", line)
	}
}

// A daemon is a scripted peer with tools.
type daemon struct {
	tools  []protocol.ToolDefinition
	advice string
	call   func(*peertest.Conn, *protocol.MCPToolCall)
	// request answers MCPRequests; nil: this daemon does not know them.
	request func(*peertest.Conn, *protocol.MCPRequest)
	// attached gets every connection that says Attach, if it is not nil.
	attached chan *peertest.Conn
}

func (d *daemon) start(t *testing.T, dir string) *peertest.Peer {
	t.Helper()
	return peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		switch r := r.(type) {
		case *protocol.Attach:
			if r.PID != 42 {
				t.Errorf("attached as %+v", r)
			}
			c.Reply(&protocol.Attached{PID: 1, Version: "1"})
			if d.attached != nil {
				d.attached <- c
			}
		case *protocol.ToolsListRequest:
			c.Reply(&protocol.ToolsListResponse{Tools: d.tools, Instructions: d.advice})
		case *protocol.MCPToolCall:
			d.call(c, r)
		case *protocol.MCPRequest:
			if d.request == nil {
				c.Reply(&protocol.ErrorResponse{Error: &protocol.Error{Code: protocol.CodeMethodNotFound, Message: `unknown request type "MCPRequest"`}})
				return
			}
			d.request(c, r)
		default:
			t.Errorf("unexpected %T", r)
		}
	})
}

func tooled(name string) []protocol.ToolDefinition {
	return []protocol.ToolDefinition{{Name: name, Description: "<" + name + ">", InputSchema: json.RawMessage(`{"type":"object"}`)}}
}

func toolsJSON(name string) string {
	return `{"tools":[{"name":"` + name + `","description":"<` + name + `>","inputSchema":{"type":"object"}}]}`
}

const listChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
