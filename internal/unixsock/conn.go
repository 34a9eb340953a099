// Package unixsock is the client side of a Unix stream socket without package
// net, for programs whose start-up is most of their life.
//
// Importing net costs a process 0.1 ms before main. What is here costs a
// socket(2), a connect(2) and a few fcntl(2). [Dial] gives the same in return:
// deadlines, and a Close that ends a Read in another goroutine, both through
// the runtime's poller. [DialBlocking] is for a process that makes one exchange
// and ends: setting up the poller and its timer takes 2.5 % of such a process.
// In one that lives on, the poller is faster, 26 µs for a round trip against
// 45, because no thread that blocks has to be replaced
// (go test -bench RoundTrip ./internal/unixsock).
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
	blocking bool      // made by DialBlocking
	fd       int       // if it blocks
	deadline time.Time // of the whole connection, if it blocks
}

// Dial connects to the socket at path and sets deadline on the connection; the
// zero time means none. Errors are *os.PathError around os.ErrNotExist,
// syscall.ECONNREFUSED, os.ErrDeadlineExceeded (a listener that accepts
// nobody), [ErrForeignPeer] or what else the system reports.
func Dial(path string, deadline time.Time) (*Conn, error) {
	return dial(path, deadline, func(fd int) (*Conn, error) {
		if err := syscall.SetNonblock(fd, true); err != nil {
			return nil, os.NewSyscallError("fcntl", err)
		}
		conn := &Conn{File: os.NewFile(uintptr(fd), path)}
		return conn, conn.SetDeadline(deadline)
	})
}

// DialBlocking is Dial for a single goroutine: calls block its thread. Close
// ends no call in another goroutine, and SetDeadline is an error. The deadline
// holds for all calls together, however slowly the other side takes and sends.
func DialBlocking(path string, deadline time.Time) (*Conn, error) {
	return dial(path, deadline, func(fd int) (*Conn, error) {
		return &Conn{File: os.NewFile(uintptr(fd), path), blocking: true, fd: fd, deadline: deadline}, nil
	})
}

func dial(path string, deadline time.Time, wrap func(fd int) (*Conn, error)) (*Conn, error) {
	fd, err := newSocket()
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	if err = connect(fd, path, deadline); err == nil {
		err = checkPeer(fd)
	}
	var conn *Conn
	if err == nil {
		conn, err = wrap(fd)
	}
	if err != nil {
		if conn != nil {
			_ = conn.Close()
		} else {
			_ = syscall.Close(fd)
		}
		return nil, &os.PathError{Op: "connect", Path: path, Err: err}
	}
	return conn, nil
}

// connect works on a descriptor that blocks: the kernel then waits while the
// listener's backlog is full, which a non-blocking socket is told at once.
func connect(fd int, path string, deadline time.Time) error {
	for {
		if err := limitCalls(fd, syscall.SO_SNDTIMEO, deadline); err != nil {
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

// limitCalls makes blocking calls on fd give up at the deadline: connect(2) and
// write(2) with SO_SNDTIMEO, read(2) with SO_RCVTIMEO.
func limitCalls(fd, option int, deadline time.Time) error {
	if deadline.IsZero() {
		return nil
	}
	left := time.Until(deadline)
	if left < time.Microsecond { // 0 would mean no limit
		return os.ErrDeadlineExceeded
	}
	limit := syscall.NsecToTimeval(left.Nanoseconds())
	return os.NewSyscallError("setsockopt", syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, option, &limit))
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
