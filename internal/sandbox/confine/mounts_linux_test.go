//go:build amd64 || arm64

package confine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// inNamespaces is a variable of the process that does a test's work in namespaces of its own: the directory for it.
const inNamespaces = "TIDEPOOL_TEST_CONFINE"

// What is hidden stays hidden, and the command starts, when a directory on the way is closed while the view is made. Another command may
// close it, or somebody outside. The process is no root in its user namespace, or a closed directory would not be one.
func TestHiddenInAClosedDirectory(t *testing.T) {
	if dir := os.Getenv(inNamespaces); dir != "" {
		hideInClosed(t, dir)
		return
	}
	dir := t.TempDir()
	t.Cleanup(func() {
		if out, err := exec.Command("chmod", "-R", "u+rwx", dir).CombinedOutput(); err != nil {
			t.Errorf("opening %s: %v: %s", dir, err, out)
		}
	})
	const user = 12321
	cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inNamespaces+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: user, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: user, HostID: os.Getegid(), Size: 1}},
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN},
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

func hideInClosed(t *testing.T, dir string) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	devices, err := cloneDevices()
	if err != nil {
		t.Fatal(err)
	}
	if err := mountDev(devices); err != nil {
		t.Fatal(err)
	}
	for _, row := range []closing{
		{name: "closed outside", then: "chmod 0 closed"},
		{name: "closed by another command", writable: true, then: "chmod 0 closed"},
		{name: "put in the place of the covered one", writable: true, then: "mv closed was; mkdir closed; echo secret > closed/socket; chmod 0 closed"},
		{name: "closed outside before it is covered", then: "chmod 0 closed", late: true},
		{name: "closed by another command before it is covered", writable: true, then: "chmod 0 closed", late: true},
	} {
		t.Run(row.name, func(t *testing.T) { row.try(t, dir) })
	}
}

// A closing is how a directory is closed that has something hidden in it.
type closing struct {
	name     string
	writable bool   // the command may write beside the closed directory
	then     string // what happens after the socket was covered
	late     bool   // that happens when the socket is about to be covered, not after
}

func (c closing) try(t *testing.T, dir string) {
	top, err := os.MkdirTemp(dir, "row")
	if err != nil {
		t.Fatal(err)
	}
	shell := func(line string) string {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = top
		out, _ := cmd.CombinedOutput() // a refusal is what the caller looks for
		return string(out)
	}
	shell("mkdir closed; echo secret > closed/socket")
	v := &view{trees: map[string]int{}}
	if c.writable {
		whole := Mount{Kind: Write, Path: top, From: top}
		if err := errors.Join(v.clone([]Mount{whole}), v.mount(whole)); err != nil {
			t.Fatal(err)
		}
	}
	hidden := Mount{Kind: Hide, Path: filepath.Join(top, "closed", "socket")}
	if c.late {
		tree, err := cloneTree(emptyFile, 0)
		if err != nil {
			t.Fatal(err)
		}
		shell(c.then)
		if err := v.attach(hidden, tree); err != nil {
			t.Fatal("covering:", err)
		}
	} else {
		if err := v.mount(hidden); err != nil {
			t.Fatal(err)
		}
		shell(c.then)
		if out := shell("cat closed/socket"); out != "cat: closed/socket: Permission denied\n" {
			t.Fatalf("the directory is not closed: %q", out)
		}
	}
	if err := v.seal(); err != nil {
		t.Fatal("sealing:", err)
	}
	if c.late && !c.writable {
		return // who closed it outside may open it, and the command sees then what is there, as it sees what is made later
	}
	if out := shell("chmod 755 closed; cat closed/socket was/socket"); strings.Contains(out, "secret") {
		t.Errorf("the command reads %q", out)
	}
}
