package daemon

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// bindIn binds fd to a name in dir, whose own path may be of any length.
func bindIn(dir *os.File, fd int, name string) error {
	short := "/proc/self/fd/" + strconv.Itoa(int(dir.Fd())) + "/" + name
	return unix.Bind(fd, &unix.SockaddrUnix{Name: short})
}

// peerUID is the user who connected to fd.
func peerUID(fd int) (int, error) {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, os.NewSyscallError("getsockopt", err)
	}
	return int(peer.Uid), nil
}
