// Package mounttest lets tests mount file systems that their user may not mount: it runs such a test again, in a user namespace and a
// mount namespace of its own.
package mounttest

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// inside is the variable of a process that runs a test again.
const inside = "TIDEPOOL_MOUNTTEST"

// Allowed reports whether the test goes on and may mount. If its user may not, Allowed runs the test again, where it may, reports its
// failure, and returns false. The test fails on a machine that allows neither.
func Allowed(t *testing.T) bool {
	t.Helper()
	probe := t.TempDir()
	err := unix.Mount("tmpfs", probe, "tmpfs", 0, "size=4k")
	switch {
	case err == nil:
		if err := unix.Unmount(probe, unix.MNT_DETACH); err != nil {
			t.Fatal(err)
		}
		return true
	case !errors.Is(err, unix.EPERM):
		t.Fatal(err)
	case os.Getenv(inside) != "":
		t.Fatal("mounting is not permitted in a user namespace of its own either: run the test where unshare -Urm works")
	}
	again(t)
	return false
}

// again runs the test in namespaces of its own.
func again(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.Dir = os.Getenv("PWD") // where this process began: its TestMain may have gone elsewhere
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   unix.SIGKILL,
	}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("in namespaces of its own: %v\n%s", err, out)
	}
}

// Mount mounts a file system for the time of the test, which must be allowed to.
func Mount(t *testing.T, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	if err := unix.Mount(source, target, kind, flags, data); err != nil {
		t.Fatalf("mounting %s: %v", target, err)
	}
	if flags&unix.MS_REMOUNT != 0 {
		return
	}
	t.Cleanup(func() {
		if err := unix.Unmount(target, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}
