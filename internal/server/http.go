package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

const (
	maxHTTPHeader = 16 << 10 // bytes of a request's header; net/http adds 4 KiB to it
	maxStreams    = 100      // requests of one connection of HTTP/2 that are open at once
	streamWindow  = 64 << 10 // bytes of bodies that a connection of HTTP/2 holds for handlers that have not read them
	http2Frame    = 16 << 10 // bytes of the longest frame that is read; a connection keeps a buffer of that size
	http2Table    = 4 << 10  // bytes of the header compression table
)

// An httpConn is a connection that carries HTTP instead of lines, as net/http sees it (httpconn.go). Over HTTP/1.1 its requests are
// answered one after the other, over HTTP/2 at most maxStreams at once. While none is being answered the connection may be evicted, and
// Shutdown closes it; a request that is being answered finishes.
//
// Goroutines: net/http reads and answers HTTP/1.1 on one of its own, and has another that notices the hang-up; for HTTP/2 it has one that
// reads, one that writes and one for each request. serveHTTP waits for the end of the connection, and each request is a user of it.
// Lock order: the server's mu, then mu.
type httpConn struct {
	*conn
	web    *http.Server
	closed chan struct{} // closed when net/http is done with the connection

	mu        sync.Mutex
	requests  int         // handlers that run
	streaming int         // those of them that declared themselves streams of events, see Stream
	active    bool        // net/http has read a request, whose handler may not have begun, and has not written its reply
	replying  bool        // a handler has run since the connection was idle: its reply may be on its way
	pinned    bool        // by requests or replying, unless all requests are streams of events
	gone      bool        // net/http is done with the connection
	streams   bool        // the connection carries HTTP/2
	leaving   *time.Timer // closes a connection of HTTP/2 whose client does not; nil: it has not been asked to
}

type httpKey struct{}

// isMethod reports whether the first byte of a connection begins a method of HTTP. net/http refuses what is none after all.
func isMethod(first byte) bool { return 'A' <= first && first <= 'Z' }

// serveHTTP answers the connection's requests by Options.HTTP until the connection ends. first is its first byte.
func (c *conn) serveHTTP(first byte) {
	h := &httpConn{conn: c, closed: make(chan struct{})}
	h.web = h.newWeb(first == preface2)
	c.http.Store(h)
	if c.server.isQuitting() { // stopReading has not seen it
		h.quit()
	}
	_ = h.web.Serve(&onlyConn{conn: h, ended: make(chan struct{})}) // it ends with the connection, or by goAway
	<-h.closed
	if h.leaving != nil {
		h.leaving.Stop()
	}
	c.finish()
}

// preface2 begins what a client of HTTP/2 sends first.
const preface2 = 'P'

// newWeb returns what reads and writes HTTP on the connection. Without TLS, a client that speaks HTTP/2 says so with its first bytes.
// Where it may, net/http reads 14 bytes before it answers; of other connections a bad line of fewer bytes is answered at once.
func (h *httpConn) newWeb(maybe2 bool) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(maybe2)
	return &http.Server{
		Handler:           http.HandlerFunc(h.handle),
		BaseContext:       func(net.Listener) context.Context { return context.WithValue(h.ctx, httpKey{}, h) },
		ConnState:         h.observeState,
		ReadHeaderTimeout: h.server.options.LineTimeout,
		MaxHeaderBytes:    maxHTTPHeader,
		Protocols:         protocols,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, MaxReadFrameSize: http2Frame, MaxDecoderHeaderTableSize: http2Table, MaxEncoderHeaderTableSize: http2Table,
			MaxReceiveBufferPerConnection: streamWindow, MaxReceiveBufferPerStream: streamWindow, WriteByteTimeout: writeTimeout,
		},
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(h.server.log.Handler(), slog.LevelDebug),
	}
}

// handle answers one request. A client that does not accept the rest of its reply within writeTimeout counts as gone.
func (h *httpConn) handle(w http.ResponseWriter, r *http.Request) {
	if r.Method == "PRI" { // net/http leaves a broken preface of HTTP/2 to handlers
		w.Header().Set("Connection", "close")
		http.Error(w, "this is no preface of HTTP/2", http.StatusHTTPVersionNotSupported)
		return
	}
	if err := h.begin(r); err != nil {
		w.Header().Set("Connection", "close")
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer h.end(r)
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{}) // HTTP/1.1 has that of the reply before
	defer func() { _ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) }()
	defer h.limitBody(control, r)()
	defer h.catch(w, r)
	h.handler().ServeHTTP(w, r)
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

// errGone is the reply to a request whose connection has ended.
var errGone = errors.New("the connection has ended")

// begin counts a request as one that is being answered. Its error says why it is not.
func (h *httpConn) begin(r *http.Request) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.streams = r.ProtoMajor > 1
	switch {
	case h.gone:
		return errGone
	case h.server.isQuitting(), !h.pinned && !h.pin():
		return errShutdown
	}
	h.pinned, h.replying = true, true
	h.requests++
	h.users.Add(1)
	h.server.received.Add(1)
	return nil
}

// end stops counting the request. A request of HTTP/2 that its client has reset may have begun after net/http has reported the connection
// idle, so nothing else would.
func (h *httpConn) end(r *http.Request) {
	h.mu.Lock()
	h.requests--
	if h.requests == 0 && h.streams && r.Context().Err() != nil {
		h.replying = false
	}
	h.settle()
	h.mu.Unlock()
	h.release()
}

// observeState learns from net/http when a request has been read, when all replies have been written and when the connection is closed.
func (h *httpConn) observeState(_ net.Conn, state http.ConnState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.active = state == http.StateActive
	if state != http.StateIdle && state != http.StateClosed {
		return
	}
	h.replying = false
	h.gone = state == http.StateClosed
	h.settle()
	if h.gone {
		close(h.closed)
	}
}

// isBusy reports whether a request is being answered. Callers hold mu.
func (h *httpConn) isBusy() bool { return h.requests > 0 || h.replying }

// settle pins the connection while somebody waits for an answer. At a shutdown it closes a connection that answers no request.
// Callers hold mu.
func (h *httpConn) settle() {
	awaited := h.isBusy() && (h.streaming == 0 || h.requests > h.streaming)
	switch {
	case h.pinned && !awaited:
		h.pinned = false
		h.unpin()
	case !h.pinned && awaited:
		h.pinned = h.pin() // an evicted connection stays so
	}
	if !h.isBusy() && h.server.isQuitting() {
		h.leave()
	}
}

// quit closes the connection when no request is being answered. A client of HTTP/2 is told at once to send no more.
func (h *httpConn) quit() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isBusy() && h.streams {
		h.goAway()
	}
	h.settle()
}

// evict closes the connection, which nothing pins.
func (h *httpConn) evict() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leave()
}

// leave closes the connection. Of HTTP/2, the end of the last reply may still be in net/http's buffer. GOAWAY flushes the buffer by one
// Write, which closes the connection; a client that does not read has refuseTimeout. Callers hold mu.
func (h *httpConn) leave() {
	switch {
	case !h.streams || h.gone:
		_ = h.net.Close()
	case h.leaving == nil:
		h.goAway()
		h.leaving = time.AfterFunc(refuseTimeout, func() { _ = h.net.Close() })
	}
}

// goAway has net/http send GOAWAY. It waits for nothing but the end of Serve, which the closed listener ends.
func (h *httpConn) goAway() {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	_ = h.web.Shutdown(over) // not for the end of the connection, since its context has ended
}

// isAnswering reports whether net/http has a request. It looks for a hang-up before the handler begins.
func (h *httpConn) isAnswering() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.active || h.isBusy()
}

// isAwaited reports whether somebody waits for an answer.
func (h *httpConn) isAwaited() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pinned
}

func (h *httpConn) isLeaving() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.leaving != nil
}
