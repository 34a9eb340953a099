package unixsock

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

func newSocket() (int, error) {
	return syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
}

// connectPath reaches a path that is too long through its directory, opened.
func connectPath(fd int, path string) error {
	if len(path) <= maxName {
		return syscall.Connect(fd, address(path))
	}
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	dirFD, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(dirFD)
	short := "/proc/self/fd/" + strconv.Itoa(dirFD) + "/" + name
	if len(short) > maxName {
		return syscall.ENAMETOOLONG
	}
	return syscall.Connect(fd, address(short))
}

// checkPeer compares the user who called listen(2) with ours.
func checkPeer(fd int) error {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return os.NewSyscallError("getsockopt", err)
	}
	if peer.Uid != 0 && int(peer.Uid) != os.Getuid() {
		return ErrForeignPeer
	}
	return nil
}
