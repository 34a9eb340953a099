package daemon

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// inDir calls use with an address for a name in dir, whose own path may be of any length.
func inDir(dir *os.File, name string, use func(unix.Sockaddr) error) error {
	return use(&unix.SockaddrUnix{Name: "/proc/self/fd/" + strconv.Itoa(int(dir.Fd())) + "/" + name})
}

// peerUID returns the user who connected to fd.
func peerUID(fd int) (int, error) {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, os.NewSyscallError("getsockopt", err)
	}
	return int(peer.Uid), nil
}

// peerPID returns the process at the other end of fd, the one that called listen(2) if this one connected; 0 for one that
// this process cannot see.
func peerPID(fd int) (int, error) {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, os.NewSyscallError("getsockopt", err)
	}
	return int(peer.Pid), nil
}
