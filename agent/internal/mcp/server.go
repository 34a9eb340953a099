// Package mcp is `agent mcp`: it serves the daemon's tools to an MCP client on stdin and stdout.
//
// The session works as soon as the process runs, with a daemon or without. Each
// request to the daemon has its own connection, so closing it cancels exactly that
// request. One more connection stays open for the whole session: it counts the
// client as attached, and notices when the daemon exits and starts. The daemon alone
// knows the tools, and answers for prompts, resources and completion (forward.go).
//
// The legacy era are the revisions 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25
// of MCP, which begin with initialize. The modern era is 2026-07-28, which has no
// session: each request names its revision, and server/discover lists them. The era
// is decided for each request. Batches exist in 2025-03-26 only. The JSON-RPC layer
// is written by hand, because every hook pays for each import of this program.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"tidepool/protocol"
)

// Options configures a session.
type Options struct {
	Locate  func() protocol.Place // finds the daemon; called each time, since a .tidepool may be created later
	Dir     string                // the working directory, absolute
	Version string                // of this program
	PID     int                   // of this process
	Session string                // that the client said at the start that it is of; "" = unknown
	In      io.Reader
	Out     io.Writer
	Gone    func() bool // reports whether nobody reads Out any more; nil: a failed write shows it

	Launcher Launcher // starts the daemon; nil: no daemon is started
}

// A server is one session.
//
// Goroutines: Serve's caller waits for the end. One reads the input and answers
// what needs no daemon. Each other request has one, counted in calls. One stays
// attached to the daemon. Serve waits for all but the reader, which may be blocked in
// a read and ends with the process.
//
// Locks: writing and mu are never held together.
type server struct {
	Options
	ctx        context.Context // of the session
	end        context.CancelFunc
	inputEnded chan struct{} // closed at the end of the input
	calls      calls
	asked      asked
	waiting    suspendedCalls
	tools      tools
	lists      lists
	starter    starter

	writing sync.Mutex // held for one line of Out

	mu          sync.Mutex            // guards the fields below; never held during a write
	revision    string                // negotiated; "" before initialize
	client      string                // name and version of the client
	elicits     bool                  // the client can show questions to its user
	initialized bool                  // the client has sent initialized
	early       []protocol.LogMessage // that came before
	logLevel    string                // the least severe that the client wants, in the legacy era
	listeners   []listener            // of changes of the tools
	attaching   bool                  // the goroutine that stays attached has been started
	callCount   int                   // requests to the daemon so far, for their ids
	attached    sync.WaitGroup
}

// Serve answers requests until the input ends and those in flight are answered. It
// ends earlier, and cancels them, if ctx is done or the output fails.
func Serve(ctx context.Context, options Options) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{Options: options, ctx: ctx, end: cancel, inputEnded: make(chan struct{}), logLevel: defaultLogLevel}
	go func() {
		defer close(s.inputEnded)
		s.read()
	}()
	select {
	case <-s.inputEnded:
		s.awaitAnswers()
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

// An answerFunc receives the one answer to a message; nil means no answer.
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
		s.start(m, answer, s.answerInitialize)
	case "ping":
		answer(resultLine(m.id, json.RawMessage("{}")))
	case "logging/setLevel":
		s.start(m, answer, s.setLevel)
	case "tools/list":
		s.attach()
		s.start(m, answer, s.listTools)
	case "tools/call":
		s.attach()
		s.start(m, answer, s.callTool)
	default:
		of, known := forwardedMethod(m.method)
		if !known {
			answer(errorLine(m.id, unknownMethod(m.method)))
			return
		}
		s.attach()
		s.start(m, answer, s.forward(m.method, of))
	}
}

func unknownMethod(method string) *rpcError {
	return &rpcError{Code: protocol.CodeMethodNotFound, Message: "Method not found: " + method}
}

func reply(id, result json.RawMessage, err *rpcError) []byte {
	if err != nil {
		return errorLine(id, err)
	}
	return resultLine(id, result)
}

// A runFunc computes the result of a request from its params.
type runFunc func(context.Context, json.RawMessage) (json.RawMessage, *rpcError)

// start runs a request in its own goroutine. A request that was cancelled, by the
// client or by the end of the session, is not answered.
func (s *server) start(m message, answer answerFunc, run runFunc) {
	ctx, cancel := context.WithCancel(s.ctx)
	r, err := s.calls.begin(key(m.id), severity(m.logLevel), cancel)
	if err != nil {
		cancel()
		answer(errorLine(m.id, err))
		return
	}
	go func() {
		defer s.calls.group.Done()
		defer cancel()
		result, err := run(ctx, m.params)
		s.calls.freeID(r)
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
		early := s.early
		s.early = nil
		s.mu.Unlock()
		for _, l := range early {
			s.log(l.Level, l.Logger, l.Text)
		}
		s.announceTools()
		s.announceLists()
	case "notifications/cancelled":
		var params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if json.Unmarshal(m.params, &params) == nil && isID(params.RequestID) {
			s.calls.cancel(key(params.RequestID))
		}
	}
}

// write sends one line; nil sends none. A failed write ends the session.
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
