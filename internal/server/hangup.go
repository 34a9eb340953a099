package server

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// awaitHangUp waits, after the end of the input, until the peer closes its side altogether. It reports false if this side was
// closed or woken before. It occupies no thread: the runtime's poller calls back at every change of the socket's state. A
// connection that is no socket cannot be half closed, so the end of its input is the hang-up.
func awaitHangUp(conn net.Conn) bool {
	socket, ok := conn.(syscall.Conn)
	if !ok || isTCP(conn) {
		return true
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	_ = raw.Read(func(fd uintptr) bool { // fails only when closed or woken
		gone = isHungUp(int32(fd))
		return gone
	})
	return gone
}

// hasHungUp reports, without waiting, whether the peer has closed its side altogether. For a connection that is no socket it
// reports false.
func hasHungUp(conn net.Conn) (gone bool) {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return true
	}
	err = raw.Control(func(fd uintptr) { gone = isHungUp(int32(fd)) })
	return gone || err != nil
}

// isHungUp polls the descriptor without waiting.
func isHungUp(fd int32) bool {
	fds := []unix.PollFd{{Fd: fd}}
	for {
		_, err := unix.Poll(fds, 0)
		if err != unix.EINTR {
			return err == nil && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0
		}
	}
}
