package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"tidepool/protocol"
)

// Accepting backs off while file descriptors or memory are exhausted.
const (
	minBackoff = 5 * time.Millisecond
	maxBackoff = time.Second
	// closePause gives the goroutine that reads an evicted connection time to release its descriptor.
	closePause = 100 * time.Microsecond
)

// Serve accepts and answers connections until Shutdown, then returns nil. It closes l. It may be called once.
func (s *Server) Serve(l net.Listener) error { return s.accept(l, nil) }

// ServePort is Serve for a listener whose connections carry HTTP only, which handler answers. The connections share the bounds of the
// others. The system does not tell who is at their other end: PeerPID returns 0.
func (s *Server) ServePort(l net.Listener, handler http.Handler) error { return s.accept(l, handler) }

func (s *Server) accept(l net.Listener, port http.Handler) error {
	if !s.adopt(l) {
		return l.Close()
	}
	backoff := minBackoff
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
			backoff = minBackoff
			s.admit(conn, port)
		case s.isQuitting():
			return nil
		case !isTransient(err):
			return fmt.Errorf("accepting connections: %w", err)
		case s.evictIfFull(err):
			s.sleep(closePause)
		default:
			s.log.Warn("cannot accept a connection; trying again", "err", err, "after", backoff)
			s.sleep(backoff)
			backoff = min(2*backoff, maxBackoff)
		}
	}
}

// adopt makes l a listener that Shutdown closes, unless it has been called before.
func (s *Server) adopt(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, l)
	return !s.quitting
}

// admit starts to serve a connection, or refuses it. port answers what comes by a port; nil: it comes by the socket.
func (s *Server) admit(nc net.Conn, port http.Handler) {
	c, err := s.addConn(nc, port)
	if err != nil {
		refuse(nc, err, port != nil)
		return
	}
	go c.serve()
}

// refuse sends the reason and closes the connection. The reply fits any socket's buffer, so a peer that does not read cannot
// block the goroutine that accepts.
func refuse(nc net.Conn, reason error, overHTTP bool) {
	_ = nc.SetWriteDeadline(time.Now().Add(refuseTimeout))
	message := "not served: " + reason.Error()
	reply := protocol.AppendResponse(nil, &protocol.ErrorResponse{Error: &protocol.Error{Code: protocol.CodeInternal, Message: message}})
	if overHTTP {
		reply = plainReply(http.StatusServiceUnavailable, message)
	}
	_, _ = nc.Write(reply)
	_ = nc.Close()
}

// isTransient reports whether accepting may work again once others have closed descriptors.
func isTransient(err error) bool {
	for _, errno := range []syscall.Errno{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.EINTR,
	} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// sleep waits for d, or for Shutdown.
func (s *Server) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.quit:
	}
}
