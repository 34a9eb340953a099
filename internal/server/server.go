package server

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/peer"
	"tidepool/protocol"
)

// Options configures a Server. The zero value of each field works.
type Options struct {
	Hooks    Hooks        // nil: every hook passes
	Tools    Tools        // nil: no tools
	Features Features     // nil: no prompts, no resources
	Advice   string       // sent with the list of tools: when a model should prefer them
	Status   Status       // nil: the pid, the version and what the server counts
	Version  string       // sent to clients
	Log      *slog.Logger // nil: nothing is logged

	// LanguageServers serve connections that ask for one. nil: none.
	LanguageServers LanguageServers

	// HTTP answers the requests of connections that carry HTTP. Its handlers make calls by Do. nil: such connections are refused.
	HTTP http.Handler

	Scrubber Scrubber // nil: no output is scrubbed, and a client that asks for it is told so

	Questions Questions               // nil: no questions
	Feed      Feed                    // nil: nothing can be watched
	Messages  Messages                // nil: clients that attach are sent none
	Observe   func(protocol.Activity) // called after each tool call; must not block; nil: not called

	// Yield is called with the build of a client that attaches with one. It reports whether this daemon hands over to that
	// build. nil: never.
	Yield func(build string) bool

	Workers        int           // tool calls that run at once; 0: 8
	MaxConnections int           // connections open at once; 0: 2048
	CallTimeout    time.Duration // of a tool call and of a status that waits; 0: 2 minutes
	HookTimeout    time.Duration // of everything else; 0: 5 seconds
	LineTimeout    time.Duration // from the first byte of a line to its last; 0: 30 seconds
	DrainTimeout   time.Duration // how long Shutdown lets calls run on; 0: 10 seconds
}

const (
	policyAtOnce   = 64                   // handlers of PreToolUse that run at once
	hooksAtOnce    = 64                   // handlers of other hooks that run at once
	waitsAtOnce    = 64                   // requests for the status that wait at once
	featuresAtOnce = 16                   // requests of MCP about no tool that run at once
	unfinished     = 32                   // unanswered requests of one connection
	inlineLimit    = 2 * time.Millisecond // how long a hook may delay the reading of its connection
	writeTimeout   = 10 * time.Second     // how long a client may take to accept a reply
	refuseTimeout  = 100 * time.Millisecond
)

// A Server answers connections until Shutdown.
//
// Goroutines: Serve's caller accepts. Each connection has one that reads, and one that waits for Shutdown while a language
// server has it or it watches; one that carries HTTP has net/http's. Each tool call has one, and so has a hook that took longer than inlineLimit. The last user of a
// connection closes it. Shutdown waits for all of them.
//
// Locks: mu and a conn's mu are never held together, and no handler is called with either held.
type Server struct {
	options  Options
	log      *slog.Logger
	work     context.Context // parent of all calls' contexts; outlives quit by the drain timeout
	cancel   context.CancelCauseFunc
	tools    chan struct{} // holds one element for each tool call that runs
	policy   chan struct{} // holds one element for each PreToolUse that runs
	hooks    chan struct{} // holds one element for each other handler that runs
	waits    chan struct{} // holds one element for each status that waits
	features chan struct{} // holds one element for each request of MCP about no tool
	lines    *lineMemory   // memory of long lines

	confined func(pid int) error // why a peer is not served

	clients  atomic.Int64 // attached
	inFlight atomic.Int64 // tool calls
	calls    atomic.Int64 // tool calls since the start
	received atomic.Int64 // connections and lines since the start

	quit    chan struct{} // closed by Shutdown
	drained chan struct{} // closed when quit is and no connection is left

	mu        sync.Mutex
	quitting  bool
	listeners []net.Listener
	conns     map[*conn]struct{}
	order     list.List // connections that are not evicted, the oldest first
	evicted   evictions
}

// Stats are a server's counters.
type Stats struct {
	Clients       int   // attached now
	CallsInFlight int   // tool calls, including those that wait for a worker
	Calls         int64 // tool calls since the start
}

// errShutdown is the cause of the contexts of calls that outlast the drain.
var errShutdown = errors.New("the daemon is stopping: ask again when it runs")

// New returns a server that is ready for Serve.
func New(o Options) *Server {
	setDefault(&o.Workers, 8)
	setDefault(&o.MaxConnections, 2048)
	setDefault(&o.CallTimeout, 2*time.Minute)
	setDefault(&o.HookTimeout, 5*time.Second)
	setDefault(&o.LineTimeout, 30*time.Second)
	setDefault(&o.DrainTimeout, 10*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		options:  o,
		log:      o.Log,
		tools:    make(chan struct{}, o.Workers),
		policy:   make(chan struct{}, policyAtOnce),
		hooks:    make(chan struct{}, hooksAtOnce),
		waits:    make(chan struct{}, waitsAtOnce),
		features: make(chan struct{}, featuresAtOnce),
		quit:     make(chan struct{}),
		drained:  make(chan struct{}),

		confined: peer.Confinement(),
		conns:    make(map[*conn]struct{}),
		lines:    newLineMemory(),
	}
	s.work, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// setDefault replaces the zero value of an option.
func setDefault[T int | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// Stats returns the present counters.
func (s *Server) Stats() Stats {
	return Stats{int(s.clients.Load()), int(s.inFlight.Load()), s.calls.Load()}
}

// Shutdown stops accepting and reading, lets calls in flight finish for the drain timeout, then cancels them, and
// returns when every goroutine of the server has ended. If ctx ends before, it cancels the calls at once and does not wait for
// those that ignore it: the error says how many connections they hold.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stopReading()
	drain := time.NewTimer(s.options.DrainTimeout)
	defer drain.Stop()
	select {
	case <-s.drained:
	case <-drain.C:
	case <-ctx.Done():
	}
	s.cancel(errShutdown)
	select {
	case <-s.drained:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) == 0 {
		return nil
	}
	return fmt.Errorf("stopping the server: %d connections have calls that do not end: %w", len(s.conns), context.Cause(ctx))
}

// Drain stops accepting and reading, and returns when all calls in flight have finished, or when ctx ends. It cancels nothing;
// call Shutdown afterwards.
func (s *Server) Drain(ctx context.Context) {
	s.stopReading()
	select {
	case <-s.drained:
	case <-ctx.Done():
	}
}

// stopReading closes the listener and interrupts the reading of all connections. Calls in flight continue.
func (s *Server) stopReading() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quitting {
		return
	}
	s.quitting = true
	close(s.quit)
	for _, l := range s.listeners {
		_ = l.Close()
	}
	for c := range s.conns {
		c.wake()
	}
	s.checkDrained()
}

// checkDrained closes drained if no connection is left. Callers hold mu.
func (s *Server) checkDrained() {
	if !s.quitting || len(s.conns) > 0 {
		return
	}
	select {
	case <-s.drained:
	default:
		close(s.drained)
	}
}

// addConn registers a connection. Its error says why the server refuses it.
func (s *Server) addConn(nc net.Conn, port http.Handler) (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.quitting:
		return nil, errShutdown
	case s.order.Len() >= s.options.MaxConnections && !s.evictOldest():
		return nil, fmt.Errorf("%d connections are open, which is the most, and all are in use: close some, or raise server.max_connections", s.order.Len())
	}
	c := newConn(s, nc)
	c.port = port
	s.conns[c] = struct{}{}
	c.inOrder = s.order.PushBack(c)
	s.received.Add(1)
	return c, nil
}

// removeConn unregisters a connection.
func (s *Server) removeConn(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.order.Remove(c.inOrder) // nothing if it was evicted
	s.checkDrained()
}

// isQuitting reports whether Shutdown has been called.
func (s *Server) isQuitting() bool {
	select {
	case <-s.quit:
		return true
	default:
		return false
	}
}
