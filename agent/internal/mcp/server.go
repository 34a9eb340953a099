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
// spoken, which begin with initialize, and 2026-07-28, which has no session:
// each request names its revision, and server/discover tells which there are.
// Each request decides for itself to which era it belongs. Batches belong to
// 2025-03-26 only. The JSON-RPC layer is written by hand because of what a hook
// pays for each import of this program.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

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
	Gone    func() bool // whether nobody reads Out any more; nil: that shows when it is written to

	Launcher Launcher // starts the daemon; nil: it comes by itself or not at all
}

// A server is one session.
//
// Goroutines: Serve, the caller's, waits for the end; one reads the input and
// answers what needs no daemon; each other request has its own, known to calls;
// one stays attached to the daemon. At the end all but the reader, which may be
// blocked for good, are awaited.
type server struct {
	Options
	ctx     context.Context // of the session
	end     context.CancelFunc
	silent  chan struct{} // closed when the client has said all
	calls   calls
	asked   asked
	waiting waitingRoom
	tools   tools
	starter starter

	writing sync.Mutex // held for one line of Out

	mu          sync.Mutex // guards what follows; never held while writing
	revision    string     // negotiated; "" before initialize
	client      string     // name and version of the client
	elicits     bool       // the client of a session shows questions to its user
	initialized bool       // the client said so
	listeners   []listener // for news of the tools
	attaching   bool       // the goroutine that stays attached runs
	callCount   int        // calls made so far, for their ids
	attached    sync.WaitGroup
}

// Serve answers until the output fails, or ctx is done, which cancels what
// still runs; or until the input ends and what then runs has been answered.
func Serve(ctx context.Context, options Options) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{Options: options, ctx: ctx, end: cancel, silent: make(chan struct{})}
	go func() {
		defer close(s.silent)
		s.read()
	}()
	select {
	case <-s.silent:
		s.answerTheRest()
	case <-ctx.Done():
	}
	cancel()
	s.finish()
	s.waiting.clear()
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
		s.asked.end(m.id, m.result)
		answer(nil)
	case m.id == nil:
		s.notified(m)
		answer(nil)
	default:
		s.request(m, answer)
	}
}

func (s *server) request(m message, answer answerFunc) {
	meta := parseMeta(m.params)
	if meta.isModern() || m.method == "server/discover" {
		s.modernRequest(m, meta, answer)
		return
	}
	switch m.method {
	case "initialize":
		if err := s.initialize(m.params); err != nil {
			answer(errorLine(m.id, err))
			return
		}
		s.attach()
		s.start(m, answer, s.introduce)
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

// A runFunc finds the result of a request by its params.
type runFunc func(context.Context, json.RawMessage) (json.RawMessage, *rpcError)

// start runs a request beside the others. A request that was cancelled, by
// the client or by the end of the session, is not answered.
func (s *server) start(m message, answer answerFunc, run runFunc) {
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
