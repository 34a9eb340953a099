// Package client sends requests of tidepool/protocol to the daemon of a project
// over its socket.
package client

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"tidepool/internal/state"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// A Session is one connection to the daemon. Send, Receive and Close may run in
// different goroutines, but only one Send and one Receive at a time.
type Session struct {
	conn  *unixsock.Conn
	lines *protocol.Reader
}

// Open connects to the daemon of a place. The deadline applies to the whole
// session; the zero time means none. The error is an *[UnreachableError].
func Open(place protocol.Place, deadline time.Time) (*Session, error) {
	conn, err := dial(place, deadline, unixsock.Dial)
	if err != nil {
		return nil, &UnreachableError{Place: place, Err: err}
	}
	return &Session{conn: conn, lines: protocol.NewReader(conn)}, nil
}

// dial connects to the socket of a place. It refuses a link, which a clone may have
// brought to point at another daemon.
func dial(place protocol.Place, deadline time.Time, connect func(string, time.Time) (*unixsock.Conn, error)) (*unixsock.Conn, error) {
	if err := state.Dialable(place.Socket); err != nil {
		return nil, err
	}
	return connect(place.Socket, deadline)
}

// Ask sends one request over its own connection and returns the reply. A daemon
// that exits may close the connection without a reply. Then Ask sends the request
// once more, since another daemon may have started. So it is for requests that may
// run twice.
func Ask(place protocol.Place, request protocol.Request, deadline time.Time) (protocol.Response, error) {
	response, err := ask(place, request, deadline)
	if IsUnread(err) || errors.Is(err, io.EOF) {
		return ask(place, request, deadline)
	}
	return response, err
}

func ask(place protocol.Place, request protocol.Request, deadline time.Time) (protocol.Response, error) {
	conn, err := dial(place, deadline, unixsock.DialBlocking)
	if err != nil {
		return nil, &UnreachableError{Place: place, Err: err}
	}
	session := &Session{conn: conn, lines: protocol.NewReader(conn)}
	defer session.Close()
	unsent := session.Send(request)
	response, err := session.Receive()
	if unsent == nil {
		return response, err
	}
	if refused, ok := errors.AsType[*protocol.Error](err); ok { // before it was asked, as a daemon does whose connections are all in use
		return nil, refused
	}
	return nil, unsent
}

// Send writes one request.
func (s *Session) Send(request protocol.Request) error {
	line := protocol.AppendRequest(make([]byte, 0, 4<<10), request)
	if _, err := s.conn.Write(line); err != nil {
		return &BrokenError{Reason: "the daemon does not take the request", Err: err}
	}
	return nil
}

// Receive reads one reply. Raw JSON in it is valid until the next Receive. The
// error is a *[BrokenError], or the *[protocol.Error] with which the daemon replied.
func (s *Session) Receive() (protocol.Response, error) {
	line, err := s.lines.ReadLine()
	if err != nil {
		return nil, &BrokenError{Reason: reasonOf(err), Err: err}
	}
	response, err := protocol.DecodeResponse(line)
	if err != nil {
		return nil, &BrokenError{Reason: "the daemon's reply cannot be read", Err: err}
	}
	if refused, ok := response.(*protocol.ErrorResponse); ok {
		return nil, refusal(refused)
	}
	return response, nil
}

func refusal(r *protocol.ErrorResponse) error {
	if r.Error == nil {
		return &BrokenError{Reason: "the daemon refused without a reason"}
	}
	return r.Error
}

func reasonOf(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "the daemon did not answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return "the daemon closed the connection before it answered"
	}
	return "the daemon's reply cannot be read"
}

// Read reads the bytes after a reply that has switched the connection to another
// protocol.
func (s *Session) Read(p []byte) (int, error) { return s.lines.Read(p) }

// Write writes bytes unchanged, after such a reply.
func (s *Session) Write(p []byte) (int, error) { return s.conn.Write(p) }

// CloseWrite ends the output of this side.
func (s *Session) CloseWrite() error { return s.conn.CloseWrite() }

// SetDeadline replaces the session's deadline.
func (s *Session) SetDeadline(deadline time.Time) error { return s.conn.SetDeadline(deadline) }

// Close hangs up, which cancels the session's requests.
func (s *Session) Close() error { return s.conn.Close() }

// An UnreachableError means that no daemon answers at a place.
type UnreachableError struct {
	Place protocol.Place
	Err   error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("no daemon answers for %s: %v", e.Place.Project, e.Err)
}

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Hint says how to start the daemon.
func (e *UnreachableError) Hint() string {
	if errors.Is(e.Err, unixsock.ErrForeignPeer) {
		return "stop that daemon and run `controlserver serve` as this user"
	}
	if refused, is := errors.AsType[*state.RefusedError](e.Err); is {
		return refused.Hint()
	}
	return fmt.Sprintf("run `controlserver serve` in %s", e.Place.Project)
}

// IsAbsent reports whether an error means that there is no daemon.
func IsAbsent(err error) bool {
	_, unreachable := errors.AsType[*UnreachableError](err)
	return unreachable && (errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED))
}

// IsUnread reports whether an error means that the connection was closed before the
// request was read, so it may be sent again. The system reports that by a reset. The
// end of the stream alone may be that of a daemon that the request has crashed.
func IsUnread(err error) bool {
	_, broken := errors.AsType[*BrokenError](err)
	return broken && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE))
}

// A BrokenError means that a daemon answers, but not as the protocol says.
type BrokenError struct {
	Reason string
	Err    error // nil if there is no more to say than the reason
}

func (e *BrokenError) Error() string {
	if e.Err == nil || errors.Is(e.Err, io.EOF) || errors.Is(e.Err, os.ErrDeadlineExceeded) {
		return e.Reason
	}
	return fmt.Sprintf("%s: %v", e.Reason, e.Err)
}

// Unwrap returns the cause.
func (e *BrokenError) Unwrap() error { return e.Err }

// Hint says where to look.
func (e *BrokenError) Hint() string {
	return "look into .tidepool/logs/controlserver.log; `controlserver stop` and `controlserver serve` start it afresh"
}
