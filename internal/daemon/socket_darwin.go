package daemon

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// inDir calls use with an address for a name in dir, whose own path may be of any length, by moving this thread alone
// there.
func inDir(dir *os.File, name string, use func(unix.Sockaddr) error) error {
	runtime.LockOSThread()
	if err := unix.PthreadFchdir(int(dir.Fd())); err != nil {
		runtime.UnlockOSThread()
		return os.NewSyscallError("pthread_fchdir_np", err)
	}
	err := use(&unix.SockaddrUnix{Name: name})
	if unix.PthreadFchdir(-1) == nil { // else the thread is not fit for other goroutines and ends with this one
		runtime.UnlockOSThread()
	}
	return err
}

// peerUID returns the user who connected to fd.
func peerUID(fd int) (int, error) {
	peer, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, os.NewSyscallError("getsockopt", err)
	}
	return int(peer.Uid), nil
}

// peerPID returns the process at the other end of fd.
func peerPID(fd int) (int, error) {
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	return pid, os.NewSyscallError("getsockopt", err)
}
