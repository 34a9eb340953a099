// Package peer knows the process at the other end of a Unix socket: its id, and whether it is confined as this process is not.
package peer

import (
	"net"
	"syscall"
)

// PID asks the system for the process at the other end of a connection; 0 if it does not tell.
func PID(nc net.Conn) (pid int) {
	socket, is := nc.(syscall.Conn)
	if !is {
		return 0
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0
	}
	if err := raw.Control(func(fd uintptr) { pid, err = pidOf(int(fd)) }); err != nil {
		return 0
	}
	if err != nil {
		return 0
	}
	return pid
}
