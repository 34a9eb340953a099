package daemon

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// bindIn binds fd to a name in dir, whose own path may be of any length, by moving this thread alone there.
func bindIn(dir *os.File, fd int, name string) error {
	runtime.LockOSThread()
	if err := unix.PthreadFchdir(int(dir.Fd())); err != nil {
		runtime.UnlockOSThread()
		return os.NewSyscallError("pthread_fchdir_np", err)
	}
	err := unix.Bind(fd, &unix.SockaddrUnix{Name: name})
	if unix.PthreadFchdir(-1) == nil { // else the thread is not fit for other goroutines and ends with this one
		runtime.UnlockOSThread()
	}
	return err
}

// peerUID is the user who connected to fd.
func peerUID(fd int) (int, error) {
	peer, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, os.NewSyscallError("getsockopt", err)
	}
	return int(peer.Uid), nil
}
