// Package mcp is `agent mcp`: the daemon's tools, served to an MCP client on
// stdin and stdout.
//
// The session is up as soon as the process is, with a daemon or without. What
// needs the daemon asks it over a connection of its own, so that closing the
// connection cancels exactly that; one more connection, kept for life, says
// that a client is present and notices when the daemon goes and comes. Which
// tools there are, and everything about them, the daemon knows.
//
// Revisions 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25 of MCP are
// spoken; batches belong to the second of them only. The JSON-RPC layer is
// written by hand because of what a hook pays for each import of this program.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"tidepool/protocol"
)

// Options say what a session runs on.
type Options struct {
	Locate  func() protocol.Place // where the daemon is; asked each time, for a project may become one late
	Dir     string                // the working directory, absolute
	Version string                // of this program
	PID     int                   // of this process
	In      io.Reader
	Out     io.Writer
}

// A server is one session.
//
// Goroutines: Serve, the caller's, waits for the end; one reads the input and
// answers what needs no daemon; each tools/list and tools/call has its own,
// known to calls; one stays attached to the daemon. At the end all but the
// reader, which may be blocked for good, are awaited.
type server struct {
	Options
	ctx   context.Context // of the session
	end   context.CancelFunc
	calls calls
	tools tools

	writing sync.Mutex // held for one line of Out

	mu          sync.Mutex // guards what follows; never held while writing
	revision    string     // negotiated; "" before initialize
	client      string     // name and version of the client
	initialized bool       // the client said so
	attaching   bool       // the goroutine that stays attached runs
	callCount   int        // calls made so far, for their ids
	attached    sync.WaitGroup
}

// Serve answers until the input ends, the output fails, or ctx is done. Calls
// that still run are cancelled.
func Serve(ctx context.Context, options Options) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{Options: options, ctx: ctx, end: cancel}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.read()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	cancel()
	s.finish()
}

// shutdownGrace is how long the end waits for goroutines; one that writes to a
// client that no longer reads would take for ever. Claude Code gives 100 ms.
const shutdownGrace = 50 * time.Millisecond

func (s *server) finish() {
	done := make(chan struct{})
	go func() {
		s.calls.finish()
		s.mu.Lock()
		s.attaching = true // too late to begin
		s.mu.Unlock()
		s.attached.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(shutdownGrace):
	}
}

func (s *server) read() {
	lines := protocol.NewReader(s.In)
	for {
		line, err := lines.ReadLine()
		switch {
		case err == nil:
			s.receive(line)
		case errors.Is(err, protocol.ErrLineTooLong):
			s.write(errorLine(nil, invalid("a line is at most 16 MiB")))
		case errors.Is(err, io.ErrUnexpectedEOF):
			s.receive(line)
			return
		default:
			return
		}
	}
}

// receive handles one line: a message or a batch of them.
func (s *server) receive(line []byte) {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '\r') {
		line = line[1:]
	}
	switch {
	case len(line) == 0:
	case line[0] == '[':
		s.receiveBatch(line)
	default:
		s.handle(line, s.write)
	}
}

// An answerFunc takes the one answer to a message; nil is none.
type answerFunc func(line []byte)

func (s *server) handle(data []byte, answer answerFunc) {
	m, err := parseMessage(data)
	switch {
	case err != nil:
		answer(errorLine(m.id, err))
	case m.method == "":
		answer(nil)
	case m.id == nil:
		s.notified(m)
		answer(nil)
	default:
		s.request(m, answer)
	}
}

func (s *server) request(m message, answer answerFunc) {
	switch m.method {
	case "initialize":
		result, err := s.initialize(m.params)
		answer(reply(m.id, result, err))
	case "ping":
		answer(resultLine(m.id, json.RawMessage("{}")))
	case "tools/list":
		s.attach()
		s.start(m, answer, s.listTools)
	case "tools/call":
		s.attach()
		s.start(m, answer, s.callTool)
	default:
		answer(errorLine(m.id, &rpcError{Code: protocol.CodeMethodNotFound, Message: "Method not found: " + m.method}))
	}
}

func reply(id, result json.RawMessage, err *rpcError) []byte {
	if err != nil {
		return errorLine(id, err)
	}
	return resultLine(id, result)
}

// start runs a request beside the others. A request that was cancelled, by
// the client or by the end of the session, is not answered.
func (s *server) start(m message, answer answerFunc, run func(context.Context, json.RawMessage) (json.RawMessage, *rpcError)) {
	ctx, cancel := context.WithCancel(s.ctx)
	r, err := s.calls.begin(key(m.id), cancel)
	if err != nil {
		cancel()
		answer(errorLine(m.id, err))
		return
	}
	go func() {
		defer s.calls.group.Done()
		defer cancel()
		result, err := run(ctx, m.params)
		s.calls.leave(r)
		if ctx.Err() != nil {
			answer(nil)
			return
		}
		answer(reply(m.id, result, err))
	}()
}

func (s *server) notified(m message) {
	switch m.method {
	case "notifications/initialized":
		s.mu.Lock()
		s.initialized = true
		s.mu.Unlock()
		s.announceTools()
	case "notifications/cancelled":
		var params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if json.Unmarshal(m.params, &params) == nil && isID(params.RequestID) {
			s.calls.cancel(key(params.RequestID))
		}
	}
}

// revisions of MCP, newest first.
func revisions() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} }

const batchRevision = "2025-03-26"

func (s *server) initialize(params json.RawMessage) (json.RawMessage, *rpcError) {
	var wanted struct {
		ProtocolVersion string `json:"protocolVersion"`
		ClientInfo      struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"clientInfo"`
	}
	if err := json.Unmarshal(params, &wanted); err != nil {
		return nil, &rpcError{Code: protocol.CodeInvalidParams, Message: "initialize: params must be an object with protocolVersion and clientInfo"}
	}
	revision := revisions()[0]
	if slices.Contains(revisions(), wanted.ProtocolVersion) {
		revision = wanted.ProtocolVersion
	}
	s.mu.Lock()
	s.revision = revision
	s.client = strings.TrimSpace(wanted.ClientInfo.Name + " " + wanted.ClientInfo.Version)
	s.mu.Unlock()
	s.attach()
	return marshal(map[string]any{
		"protocolVersion": revision,
		"capabilities":    map[string]any{"tools": map[string]any{"listChanged": true}},
		"serverInfo":      map[string]any{"name": "tidepool", "version": s.Version},
	}), nil
}

// write sends one line; nil is none. A client that takes no more is gone.
func (s *server) write(line []byte) {
	if line == nil {
		return
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.Out.Write(append(line, '\n')); err != nil {
		s.end()
	}
}

// notify sends a notification to the client.
func (s *server) notify(method string, params any) {
	s.write(notificationLine(method, params))
}
