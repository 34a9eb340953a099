package server

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/protocol"
)

// Options say what a server serves and how long it waits. The zero value of each field is usable.
type Options struct {
	Hooks   Hooks        // nil: every hook passes
	Tools   Tools        // nil: there are none
	Advice  string       // sent with the tools: when a model shall prefer them
	Status  Status       // nil: the pid, the version and what the server counts
	Version string       // told to clients
	Log     *slog.Logger // nil: nothing is logged

	// LanguageServers are what a connection may become one to. nil: there are none.
	LanguageServers LanguageServers

	Questions Questions               // nil: nobody is asked anything
	Feed      Feed                    // nil: there is nothing to watch
	Observe   func(protocol.Activity) // told of each hook and tool call that has ended; must not block; nil: nobody is

	// Yield is told the build of a client that attaches with one, and reports whether this daemon has given up its
	// place for that. nil: never.
	Yield func(build string) bool

	Workers        int           // tool calls that run at once; 0: 8
	MaxConnections int           // connections open at once; 0: 2048
	CallTimeout    time.Duration // of a tool call and of a status that waits; 0: 2 minutes
	HookTimeout    time.Duration // of everything else; 0: 5 seconds
	LineTimeout    time.Duration // from the first byte of a line to its last; 0: 30 seconds
	DrainTimeout   time.Duration // how long Shutdown lets calls run on; 0: 10 seconds
}

const (
	policyAtOnce  = 64                   // handlers of PreToolUse that run at once
	hooksAtOnce   = 64                   // handlers of other hooks that run at once
	waitsAtOnce   = 64                   // requests for the status that wait at once
	unfinished    = 32                   // requests of one connection that are not answered yet
	patience      = 2 * time.Millisecond // how long a hook may hold up the reading of its connection
	writeTimeout  = 10 * time.Second     // how long a client may take to accept a reply
	refuseTimeout = 100 * time.Millisecond
)

// A Server answers connections until Shutdown. Goroutines: Serve's caller accepts; each connection has one that
// reads, and one that waits for Shutdown while it is one to a language server; a tool call and a hook that lost
// patience have one each. The last to leave a connection closes it.
type Server struct {
	options Options
	log     *slog.Logger
	work    context.Context // of all calls; outlives the order to quit
	cancel  context.CancelCauseFunc
	tools   chan struct{} // holds one element for each tool call that runs
	policy  chan struct{} // holds one element for each PreToolUse that runs
	hooks   chan struct{} // holds one element for each other handler that runs
	waits   chan struct{} // holds one element for each status that waits
	room    *room         // for long lines

	clients  atomic.Int64 // attached
	inFlight atomic.Int64 // tool calls
	calls    atomic.Int64 // tool calls since the start
	heard    atomic.Int64 // connections and lines since the start

	quit    chan struct{} // closed by Shutdown
	drained chan struct{} // closed when quit is and no connection is left

	mu       sync.Mutex
	quitting bool
	listener net.Listener
	conns    map[*conn]struct{}
	order    list.List // of the connections that count, the oldest first
	closed   closings
}

// Stats is what a server counts.
type Stats struct {
	Clients       int   // attached now
	CallsInFlight int   // tool calls, those that wait for a worker included
	Calls         int64 // tool calls since the start
}

// errShutdown is the cause with which calls end that outlast the drain.
var errShutdown = errors.New("the daemon is stopping: ask again when it runs")

// New returns a server that waits for Serve.
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
		options: o,
		log:     o.Log,
		tools:   make(chan struct{}, o.Workers),
		policy:  make(chan struct{}, policyAtOnce),
		hooks:   make(chan struct{}, hooksAtOnce),
		waits:   make(chan struct{}, waitsAtOnce),
		quit:    make(chan struct{}),
		drained: make(chan struct{}),
		conns:   make(map[*conn]struct{}),
		room:    newRoom(),
	}
	s.work, s.cancel = context.WithCancelCause(context.Background())
	return s
}

func setDefault[T int | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// Stats tells what the server has counted.
func (s *Server) Stats() Stats {
	return Stats{int(s.clients.Load()), int(s.inFlight.Load()), s.calls.Load()}
}

// Shutdown stops accepting and reading, lets calls in flight finish for the drain timeout, then cancels them, and
// returns when every goroutine of the server has ended. If ctx ends before, the calls are cancelled at once and
// those that ignore that are left behind: the error says how many connections they hold.
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

// Drain stops accepting and reading, and returns when all calls in flight have finished, or when ctx ends. It cancels
// nothing: Shutdown still has to be called.
func (s *Server) Drain(ctx context.Context) {
	s.stopReading()
	select {
	case <-s.drained:
	case <-ctx.Done():
	}
}

func (s *Server) stopReading() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quitting {
		return
	}
	s.quitting = true
	close(s.quit)
	if s.listener != nil {
		_ = s.listener.Close()
	}
	for c := range s.conns {
		c.wake()
	}
	s.checkDrained()
}

// checkDrained is called with mu held.
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

// enter makes a connection and counts it in, or says why not.
func (s *Server) enter(nc net.Conn) (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.quitting:
		return nil, errShutdown
	case s.order.Len() >= s.options.MaxConnections && !s.closeOldest():
		return nil, fmt.Errorf("%d connections are open, which is the most, and all are in use: close some, or raise server.max_connections", s.order.Len())
	}
	c := newConn(s, nc)
	s.conns[c] = struct{}{}
	c.place = s.order.PushBack(c)
	s.heard.Add(1)
	return c, nil
}

// leave counts a connection out.
func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.order.Remove(c.place) // nothing if it was closed for another
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
