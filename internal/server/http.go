package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"tidepool/protocol"
)

// maxHTTPHeader bounds the header of an HTTP request, in bytes. net/http adds 4 KiB to it.
const maxHTTPHeader = 16 << 10

// An httpConn is a connection that carries HTTP/1.1 instead of lines, as net/http sees it. Its requests are answered one after
// the other. Between two of them it may be evicted, and Shutdown closes it; a request that is being answered finishes.
//
// Goroutines: net/http reads and answers on one of its own, and has another that notices the hang-up; serveHTTP waits for the end.
// Lock order: the server's mu, then mu.
type httpConn struct {
	*conn
	closed chan struct{} // closed when net/http is done with the connection

	mu        sync.Mutex
	answering bool // a handler runs, or its reply is being written
}

type httpKey struct{}

// errHungCalls is the reply on a connection whose earlier calls ignore their deadlines.
var errHungCalls = errors.New("earlier calls of this connection have not ended: open another one")

// isMethod reports whether the first byte of a connection begins a method of HTTP. net/http refuses what is none after all.
func isMethod(first byte) bool { return 'A' <= first && first <= 'Z' }

// serveHTTP answers the connection's requests by Options.HTTP until the connection ends.
func (c *conn) serveHTTP() {
	h := &httpConn{conn: c, closed: make(chan struct{})}
	c.http.Store(h)
	if c.server.isQuitting() { // stopReading has not seen it
		h.quit()
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	server := &http.Server{
		Handler:                      http.HandlerFunc(h.handle),
		BaseContext:                  func(net.Listener) context.Context { return context.WithValue(c.ctx, httpKey{}, h) },
		ConnState:                    h.observeState,
		ReadHeaderTimeout:            c.server.options.LineTimeout,
		MaxHeaderBytes:               maxHTTPHeader,
		Protocols:                    protocols,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(c.server.log.Handler(), slog.LevelDebug),
	}
	_ = server.Serve(&onlyConn{conn: h}) // it ends with the connection
	c.finish()
}

// handle answers one request.
func (h *httpConn) handle(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor != 1 { // net/http leaves HTTP/2's preface to handlers
		w.Header().Set("Connection", "close")
		http.Error(w, "this socket speaks HTTP/1.1", http.StatusHTTPVersionNotSupported)
		return
	}
	if err := h.begin(); err != nil {
		w.Header().Set("Connection", "close")
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer h.catch(w, r)
	h.server.options.HTTP.ServeHTTP(w, r)
}

// catch turns a panic of the handler into a reply. If the reply has begun, the client sees it end too soon.
func (h *httpConn) catch(w http.ResponseWriter, r *http.Request) {
	switch v := recover(); v {
	case nil:
	case http.ErrAbortHandler:
		panic(v)
	default:
		h.server.log.Error("panic", "in", r.Pattern, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
		w.Header().Set("Connection", "close")
		http.Error(w, "internal error: see the daemon's log", http.StatusInternalServerError)
	}
}

// begin counts a request as one that is being answered. Its error says why the connection is closed instead.
func (h *httpConn) begin() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.server.isQuitting(), !h.pin():
		return errShutdown
	case len(h.calls) > cap(h.calls)-2: // this request takes a place, and so may its call
		h.unpin()
		return errHungCalls
	}
	h.answering = true
	h.server.received.Add(1)
	h.calls <- struct{}{}
	return nil
}

// observeState learns from net/http when a reply has been sent and when the connection is closed.
func (h *httpConn) observeState(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateIdle:
		h.end()
	case http.StateClosed:
		h.end()
		close(h.closed)
	}
}

// end stops counting the request. At a shutdown it closes the connection, whose reply is out.
func (h *httpConn) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.answering {
		h.answering = false
		<-h.calls
		h.unpin()
	}
	if h.server.isQuitting() {
		_ = h.net.Close()
	}
}

// quit closes the connection unless a request is being answered.
func (h *httpConn) quit() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.answering {
		_ = h.net.Close()
	}
}

func (h *httpConn) isAnswering() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.answering
}

// Read returns first what the Reader of lines has read ahead. The end of the input is reported while a request is being answered
// only if the client has hung up: net/http takes it for that and cancels the request's context.
func (h *httpConn) Read(p []byte) (int, error) {
	if h.lines.Buffered() {
		return h.lines.Read(p)
	}
	n, err := h.net.Read(p)
	if err == io.EOF && h.isAnswering() && !awaitHangUp(h.net) {
		return 0, os.ErrDeadlineExceeded // net/http has interrupted the read, since the reply is ready
	}
	return n, err
}

func (h *httpConn) Write(p []byte) (int, error)        { return h.net.Write(p) }
func (h *httpConn) Close() error                       { return h.net.Close() }
func (h *httpConn) LocalAddr() net.Addr                { return h.net.LocalAddr() }
func (h *httpConn) RemoteAddr() net.Addr               { return h.net.RemoteAddr() }
func (h *httpConn) SetDeadline(t time.Time) error      { return h.net.SetDeadline(t) }
func (h *httpConn) SetReadDeadline(t time.Time) error  { return h.net.SetReadDeadline(t) }
func (h *httpConn) SetWriteDeadline(t time.Time) error { return h.net.SetWriteDeadline(t) }

// An onlyConn is a listener with one connection. It ends with it.
type onlyConn struct {
	conn     *httpConn
	accepted bool
}

// Accept returns the connection, and io.EOF once that is closed.
func (l *onlyConn) Accept() (net.Conn, error) {
	if l.accepted {
		<-l.conn.closed
		return nil, io.EOF
	}
	l.accepted = true
	return l.conn, nil
}

func (l *onlyConn) Close() error   { return nil }
func (l *onlyConn) Addr() net.Addr { return l.conn.LocalAddr() }

// errNoHTTP is the reply to a request that does not belong to a connection of HTTP.
var errNoHTTP = errors.New("the request came by no connection that speaks HTTP")

// OverHTTP reports whether a call, whose context this is, was made by Do.
func OverHTTP(ctx context.Context) bool {
	_, is := ctx.Value(httpKey{}).(*httpConn)
	return is
}

// Do answers a request as if the client of an HTTP request had sent it as a line, with the limits, the timeouts and the log of
// lines. ctx is the HTTP request's context: when the client hangs up, the call is cancelled. One call at a time.
func Do(ctx context.Context, r protocol.Request) protocol.Response {
	h, is := ctx.Value(httpKey{}).(*httpConn)
	if !is {
		return &protocol.ErrorResponse{Error: asError(errNoHTTP)}
	}
	limit := h.server.options.HookTimeout
	switch r := r.(type) { // a call may outlive its request
	case *protocol.MCPToolCall:
		r.Arguments = bytes.Clone(r.Arguments)
		limit = h.server.callLimit(r)
	case *protocol.MCPRequest:
		r.Params = bytes.Clone(r.Params)
		limit = h.server.options.CallTimeout
	}
	k := h.beginUnder(ctx, r, limit)
	k.replies = make(chan protocol.Response, 1)
	go k.run()
	return <-k.replies
}
