package daemon

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"tidepool/internal/state"
)

const (
	// backlog is how many connections may wait to be accepted; the kernel lowers it to its own limit. A client that
	// connects without waiting is refused beyond it. It bounds how many connections a hook waits behind: eight threads that
	// connect and hang up without a pause keep the queue full. On two idle processors the slowest of 20 hooks beside them
	// took 0.9 s with 1,024, and takes 0.1 to 0.2 s (go test -v -run Trials/PreToolUse ./cmd/soak).
	backlog = 128
	// maxAddress is the longest path that fits into a socket address on every system.
	maxAddress = 103
)

// A SocketError is why a path cannot be the socket.
type SocketError struct {
	Path string
	Err  error
}

func (e *SocketError) Error() string { return "cannot listen on " + e.Path + ": " + e.Err.Error() }
func (e *SocketError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *SocketError) Hint() string {
	if errors.Is(e.Err, errNoSocket) {
		return "move it away, or set TIDEPOOL_CONTROL_SOCKET to another path"
	}
	return "set TIDEPOOL_CONTROL_SOCKET to a path on a local disk that you may write to"
}

var errNoSocket = errors.New("something else is there, which is not removed")

// removeStale removes the socket of a daemon that died. Only the holder of the lock may call it.
func removeStale(home *state.Dir, socket string) error {
	info, err := home.File(filepath.Base(socket)).Stat()
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().Type() != os.ModeSocket {
		err = errNoSocket
	}
	if err == nil {
		err = home.RemoveSocket(filepath.Base(socket))
	}
	if err != nil {
		return &SocketError{socket, err}
	}
	return nil
}

// listen makes the socket at path, which must not exist, and returns its FileInfo. home is the directory of path.
func listen(home *state.Dir, path string) (net.Listener, os.FileInfo, error) {
	socket, err := bind(home, path)
	if err != nil {
		return nil, nil, &SocketError{path, err}
	}
	defer socket.Close() // FileListener has its own descriptor
	bound, err := home.File(filepath.Base(path)).Stat()
	if err == nil && bound.Mode().Type() != os.ModeSocket {
		err = errNoSocket
	}
	if err != nil {
		return nil, nil, &SocketError{path, err}
	}
	l, err := net.FileListener(socket)
	if err != nil {
		return nil, nil, &SocketError{path, err}
	}
	return &listener{UnixListener: l.(*net.UnixListener), address: net.UnixAddr{Name: path, Net: "unix"}}, bound, nil
}

// bind makes a listening socket of mode 0600. Between bind(2) and listen(2) the kernel refuses every connection, so nobody
// connects before the mode is set.
func bind(home *state.Dir, path string) (*os.File, error) {
	dir, err := home.Directory()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	socket, err := newSocket(path)
	if err != nil {
		return nil, err
	}
	fd := int(socket.Fd())
	if err := withAddress(dir, path, func(a unix.Sockaddr) error { return unix.Bind(fd, a) }); err != nil {
		return nil, errors.Join(os.NewSyscallError("bind", err), socket.Close())
	}
	if err := home.CloseSocketToOthers(filepath.Base(path)); err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	if err := unix.Listen(fd, backlog); err != nil {
		return nil, errors.Join(os.NewSyscallError("listen", err), socket.Close())
	}
	return socket, nil
}

func newSocket(name string) (*os.File, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	unix.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), name), nil
}

// withAddress calls use with the address of path. A path that is too long for one is given relative to its open
// directory.
func withAddress(dir *os.File, path string, use func(unix.Sockaddr) error) error {
	if len(path) <= maxAddress {
		return use(&unix.SockaddrUnix{Name: path})
	}
	return inDir(dir, filepath.Base(path), use)
}

// isListening reports whether a process listens on a socket, whether it accepts or not.
func isListening(path string) bool {
	socket, err := connect(path)
	if err == nil {
		socket.Close()
	}
	return err == nil || errors.Is(err, unix.EAGAIN)
}

// connect connects without waiting.
func connect(path string) (*os.File, error) {
	home, err := state.Around(path)
	if err != nil {
		return nil, err
	}
	defer home.Close()
	dir, err := home.Directory()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	socket, err := newSocket(path)
	if err != nil {
		return nil, err
	}
	fd := int(socket.Fd())
	err = unix.SetNonblock(fd, true)
	if err == nil {
		err = withAddress(dir, path, func(a unix.Sockaddr) error { return unix.Connect(fd, a) })
	}
	if err != nil {
		return nil, errors.Join(os.NewSyscallError("connect", err), socket.Close())
	}
	return socket, nil
}

var (
	errStranger  = errors.New("another user listens on its socket")
	errElsewhere = errors.New("it runs in another container")
)

// listenerOf returns the process that listens on a socket, as the system reports it.
func listenerOf(path string) (pid int, err error) {
	socket, err := connect(path)
	if err != nil {
		return 0, err
	}
	defer socket.Close()
	uid, err := peerUID(int(socket.Fd()))
	if err != nil {
		return 0, err
	}
	if uid != os.Geteuid() {
		return 0, errStranger
	}
	if pid, err = peerPID(int(socket.Fd())); err == nil && pid <= 0 {
		err = errElsewhere
	}
	return pid, err
}

// A listener accepts only connections of the user who runs the daemon.
type listener struct {
	*net.UnixListener
	address net.UnixAddr
}

// Addr returns the socket's path, however it was bound.
func (l *listener) Addr() net.Addr { return &l.address }

// Accept returns the next connection of this user.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if isOurs(conn) {
			return conn, nil
		}
		conn.Close()
	}
}

// isOurs reports whether the peer of conn runs as this process's user.
func isOurs(conn *net.UnixConn) bool {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	ours := false
	err = raw.Control(func(fd uintptr) {
		uid, err := peerUID(int(fd))
		ours = err == nil && uid == os.Geteuid()
	})
	return err == nil && ours
}
