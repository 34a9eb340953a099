package lsp

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/lsp/lsptest"
)

// TestDaemonKilled kills a daemon that cannot clean up, with a server that ends neither on the end of its
// input nor on SIGTERM.
func TestDaemonKilled(t *testing.T) {
	if root := os.Getenv("LSP_TEST_DAEMON"); root != "" {
		p, err := Open(Options{Root: root, Languages: []Language{toy(lsptest.IgnoreEOF, lsptest.IgnoreTerm)}})
		if err != nil {
			t.Fatal(err)
		}
		view(t, p)
		fmt.Println(p.Status()[0].PID)
		select {}
	}
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\n")
	daemon := exec.Command(os.Args[0], "-test.run=^TestDaemonKilled$")
	daemon.Env = append(os.Environ(), "LSP_TEST_DAEMON="+dir, "TMPDIR="+t.TempDir())
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(bufio.NewReader(out), &pid); err != nil {
		t.Fatal(err)
	}
	server, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(server)
	if err := daemon.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	daemon.Wait()
	poll := []unix.PollFd{{Fd: int32(server), Events: unix.POLLIN}}
	n, err := unix.Poll(poll, int(time.Minute.Milliseconds()))
	for err == unix.EINTR { // the runtime interrupts its threads
		n, err = unix.Poll(poll, int(time.Minute.Milliseconds()))
	}
	if n != 1 || err != nil {
		t.Errorf("the server outlived its daemon: %v", err)
		unix.Kill(pid, unix.SIGKILL)
	}
}
