package server

import (
	"context"
	"net"
	"syscall"
)

type peerKey struct{}

// PeerPID returns the process that made the connection of a call, from the context of its handler. 0: the system does not tell.
// The process may have ended since, or have passed the connection to another one.
func PeerPID(ctx context.Context) int {
	if c, is := ctx.Value(peerKey{}).(*conn); is {
		c.peerOnce.Do(func() { c.peer = peerOf(c.net) })
		return c.peer
	}
	return 0
}

// peerOf asks the system for the process at the other end of a connection; 0 if it does not tell.
func peerOf(nc net.Conn) (pid int) {
	socket, is := nc.(syscall.Conn)
	if !is {
		return 0
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0
	}
	if err := raw.Control(func(fd uintptr) { pid, err = peerPID(int(fd)) }); err != nil {
		return 0
	}
	if err != nil {
		return 0
	}
	return pid
}
