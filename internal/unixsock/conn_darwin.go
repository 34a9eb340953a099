package unixsock

import (
	"path/filepath"
	"sync"
	"syscall"
)

func newSocket() (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	return fd, err
}

// chdir serialises changes of the process's working directory.
var chdir sync.Mutex

// connectPath reaches a path that is too long from inside its directory: there
// is no connectat(2), and no /proc. For that moment relative paths of the whole
// process mean that directory.
func connectPath(fd int, path string) error {
	if len(path) <= maxName {
		return syscall.Connect(fd, address(path))
	}
	dir, name := filepath.Split(path)
	if len(name) > maxName {
		return syscall.ENAMETOOLONG
	}
	chdir.Lock()
	defer chdir.Unlock()
	back, err := syscall.Open(".", syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(back)
	if dir != "" {
		if err := syscall.Chdir(dir); err != nil {
			return err
		}
		defer syscall.Fchdir(back)
	}
	return syscall.Connect(fd, address(name))
}

// checkPeer trusts the permissions of the socket's directory: LOCAL_PEERCRED
// is out of reach of package syscall.
func checkPeer(int) error { return nil }
