package server

import (
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

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

// Write closes the connection behind the last bytes of one that leaves.
func (h *httpConn) Write(p []byte) (int, error) {
	n, err := h.net.Write(p)
	if h.isLeaving() {
		_ = h.net.Close()
	}
	return n, err
}

func (h *httpConn) Close() error                       { return h.net.Close() }
func (h *httpConn) LocalAddr() net.Addr                { return h.net.LocalAddr() }
func (h *httpConn) RemoteAddr() net.Addr               { return h.net.RemoteAddr() }
func (h *httpConn) SetDeadline(t time.Time) error      { return h.net.SetDeadline(t) }
func (h *httpConn) SetReadDeadline(t time.Time) error  { return h.net.SetReadDeadline(t) }
func (h *httpConn) SetWriteDeadline(t time.Time) error { return h.net.SetWriteDeadline(t) }

// An onlyConn is a listener with one connection. It ends with it, or when it is closed.
type onlyConn struct {
	conn     *httpConn
	accepted bool // used by Accept's caller only
	once     sync.Once
	ended    chan struct{} // closed by Close
}

// Accept returns the connection, and io.EOF once that or the listener is closed.
func (l *onlyConn) Accept() (net.Conn, error) {
	if !l.accepted {
		l.accepted = true
		return l.conn, nil
	}
	select {
	case <-l.conn.closed:
	case <-l.ended:
	}
	return nil, io.EOF
}

// Close ends Accept. The connection lives on.
func (l *onlyConn) Close() error {
	l.once.Do(func() { close(l.ended) })
	return nil
}

// Addr returns the address of the connection.
func (l *onlyConn) Addr() net.Addr { return l.conn.LocalAddr() }

// A requestBody is the body of a request over HTTP/1.1. It knows whether it was read to its end.
type requestBody struct {
	io.ReadCloser
	ended bool
}

// Read reads the body.
func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

// limitBody bounds how long net/http waits for a body: LineTimeout while no handler reads it with a deadline of its own, and
// refuseTimeout once the handler has returned without it, since net/http reads the rest before it replies.
func (h *httpConn) limitBody(control *http.ResponseController, r *http.Request) (done func()) {
	if r.ProtoMajor > 1 || r.ContentLength == 0 {
		return func() {}
	}
	body := &requestBody{ReadCloser: r.Body}
	r.Body = body
	_ = control.SetReadDeadline(time.Now().Add(h.server.options.LineTimeout))
	return func() {
		if !body.ended { // otherwise net/http reads for hang-ups
			_ = control.SetReadDeadline(time.Now().Add(refuseTimeout))
		}
	}
}
