// Package unixsock is the client side of a Unix stream socket without package
// net, for programs whose start-up is most of their life.
//
// Importing net costs a process 0.1 ms before main. What is here costs a
// socket(2), a connect(2) and a few fcntl(2), and gives the same in return:
// deadlines, and a Close that ends a Read in another goroutine, both through
// the runtime's poller. Blocking system calls with SO_RCVTIMEO save nothing: a
// round trip takes 26 µs through the poller and 45 µs without it, because the
// runtime's own signals interrupt the call and its thread must be replaced
// (go test -bench RoundTrip ./internal/unixsock). In a process that makes only
// one, 1.40 ms long, the two were equal.
//
// A path may be longer than the 104 or 108 bytes of sockaddr_un. The socket's
// other end must run as the same user, or as root, where the kernel tells
// (Linux); elsewhere the socket's directory, mode 0700, is the guard.
package unixsock

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// ErrForeignPeer is returned by [Dial] when another user listens on the path.
var ErrForeignPeer = errors.New("the socket belongs to another user")

// A Conn is a connected stream socket. Reading, writing, deadlines and Close
// are those of [os.File]: safe for concurrent use; a deadline that has passed
// is os.ErrDeadlineExceeded, a Conn closed by another goroutine os.ErrClosed.
type Conn struct {
	*os.File
}

// Dial connects to the socket at path and sets deadline on the connection; the
// zero time means none. Errors are *os.PathError around os.ErrNotExist,
// syscall.ECONNREFUSED, os.ErrDeadlineExceeded (a listener that accepts
// nobody), [ErrForeignPeer] or what else the system reports.
func Dial(path string, deadline time.Time) (*Conn, error) {
	conn, err := dial(path, deadline)
	if err != nil {
		return nil, &os.PathError{Op: "connect", Path: path, Err: err}
	}
	return conn, nil
}

func dial(path string, deadline time.Time) (*Conn, error) {
	fd, err := newSocket()
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	if err := establish(fd, path, deadline); err != nil {
		_ = syscall.Close(fd)
		return nil, err
	}
	conn := &Conn{os.NewFile(uintptr(fd), path)}
	if err := conn.SetDeadline(deadline); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// establish connects fd while it still blocks: a full backlog is then waited
// for by the kernel, which reports it at once to a non-blocking socket.
func establish(fd int, path string, deadline time.Time) error {
	if err := connect(fd, path, deadline); err != nil {
		return err
	}
	if err := checkPeer(fd); err != nil {
		return err
	}
	return os.NewSyscallError("fcntl", syscall.SetNonblock(fd, true))
}

func connect(fd int, path string, deadline time.Time) error {
	for {
		if err := limitConnect(fd, deadline); err != nil {
			return err
		}
		switch err := connectPath(fd, path); err {
		case nil, syscall.EISCONN: // the latter after an EINTR, on some systems
			return nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return os.ErrDeadlineExceeded
		default:
			return err
		}
	}
}

// limitConnect makes connect(2) give up at the deadline.
func limitConnect(fd int, deadline time.Time) error {
	if deadline.IsZero() {
		return nil
	}
	left := time.Until(deadline)
	if left < time.Microsecond { // 0 would mean no limit
		return os.ErrDeadlineExceeded
	}
	limit := syscall.NsecToTimeval(left.Nanoseconds())
	return os.NewSyscallError("setsockopt", syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &limit))
}

// maxName is the longest path that fits sockaddr_un on every system, with room
// for the terminating zero.
const maxName = 103

// address names a path that is short enough. A leading "@" would mean Linux's
// abstract namespace.
func address(path string) *syscall.SockaddrUnix {
	if path != "" && path[0] == '@' {
		path = "./" + path
	}
	return &syscall.SockaddrUnix{Name: path}
}

// CloseWrite ends what this side sends; the other side reads the end of the
// stream and can still answer.
func (c *Conn) CloseWrite() error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = syscall.Shutdown(int(fd), syscall.SHUT_WR) }); err != nil {
		return err
	}
	return os.NewSyscallError("shutdown", failed)
}
