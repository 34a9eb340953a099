package daemon

import (
	"bufio"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// Another user who gets at the socket in spite of its mode is not served. Only root can become another user; for
// everybody else the test ends with the mode.
func TestListenerKeepsOtherUsersOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	d := claim(t, dir)
	if os.Geteuid() != 0 {
		return
	}
	greet(t, d.Listener())
	stranger := dialAs(t, d.Socket(), 65534)
	defer stranger.Close()
	friend, err := net.Dial("unix", d.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer friend.Close()
	if line, err := bufio.NewReader(friend).ReadString('\n'); line != "hello\n" {
		t.Errorf("the friend got %q, %v", line, err)
	}
	if line, err := bufio.NewReader(stranger).ReadString('\n'); line != "" || err == nil {
		t.Errorf("the stranger got %q, %v", line, err)
	}
}

// dialAs connects to path on a thread that has become another user, except to the file system, whose modes would keep
// it away from the socket; the thread ends with it.
func dialAs(t *testing.T, path string, uid int) *os.File {
	t.Helper()
	type result struct {
		fd  int
		err error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread()
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err == nil {
			err = connectAs(fd, path, uid)
		}
		done <- result{fd, err}
	}()
	r := <-done
	if r.err != nil {
		t.Fatalf("connecting as user %d: %v", uid, r.err)
	}
	return os.NewFile(uintptr(r.fd), path)
}

func connectAs(fd int, path string, uid int) error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
		return errno
	}
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0); errno != 0 {
		return errno
	}
	return syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
}
