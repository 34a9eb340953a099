package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNothingOutlivesTheDaemon kills a daemon that cannot clean up. The servers and all that they have started end
// with it: the kernel kills a server itself; typescript-language-server's tsserver, which is not our child, sees the
// end of its input, and what is stopped and cannot see it is hung up on by the kernel, because its group is an orphan.
func TestNothingOutlivesTheDaemon(t *testing.T) {
	for _, state := range []string{"idle", "loading", "stopped"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			eachServer(t, func(t *testing.T, language Language, dir string) {
				scratch := t.TempDir()
				daemon := startDaemon(t, language, dir, state, "TMPDIR="+scratch)
				family := descendants(daemon.Process.Pid)
				if len(family) == 0 {
					t.Fatal("the daemon has no server")
				}
				var alive []*os.File
				for _, pid := range family {
					fd, err := unix.PidfdOpen(pid, 0)
					if err != nil {
						continue // it has ended just now
					}
					alive = append(alive, os.NewFile(uintptr(fd), fmt.Sprint(pid, " ", commandOf(pid))))
					// gopls v0.23 has a process beside it, in a session of its own, that takes note of crashes.
					if group, err := unix.Getpgid(pid); state == "stopped" && err == nil && group == family[0] {
						unix.PidfdSendSignal(fd, unix.SIGSTOP, nil, 0)
						eventually(t, "it has stopped", func() bool { return stoppedOrGone(pid) })
					}
				}
				if err := daemon.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				daemon.Wait()
				for _, process := range alive {
					if !ends(process) {
						t.Errorf("outlives the daemon: %s", process.Name())
						unix.PidfdSendSignal(int(process.Fd()), unix.SIGKILL, nil, 0)
					}
					process.Close()
				}
				// A go command that gopls has run since goes on for a moment, and makes its directories anew.
				eventually(t, "its group is gone", func() bool { return unix.Kill(-family[0], 0) != nil })
				if left := listed(t, scratch); len(left) != 1 {
					t.Errorf("a daemon that is killed leaves %q", left)
				}
				next := openWith(t, Options{Root: dir, Languages: []Language{}, Env: environment("TMPDIR=" + scratch)})
				if next.Close(t.Context()); len(listed(t, scratch)) > 0 {
					t.Errorf("the next daemon leaves %q", listed(t, scratch))
				}
			})
		})
	}
}

// ends waits for a process, for a minute: one that has just started may have to come to read its input first.
func ends(process *os.File) bool {
	poll := []unix.PollFd{{Fd: int32(process.Fd()), Events: unix.POLLIN}}
	for giveUp := time.Now().Add(time.Minute); ; {
		n, err := unix.Poll(poll, int(time.Until(giveUp).Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n == 1 && err == nil
		}
	}
}

// startDaemon runs this binary again, as a daemon with one server, and returns when that is in the state asked for.
func startDaemon(t *testing.T, language Language, dir, state string, env ...string) *exec.Cmd {
	t.Helper()
	daemon := exec.Command(os.Args[0], "-test.run=^TestDaemonOfOneServer$")
	daemon.Env = append(environment(env...), "LSP_TEST_LANGUAGE="+language.ID, "LSP_TEST_DIR="+dir, "LSP_TEST_STATE="+state, "GOWORK=off")
	daemon.Stderr = os.Stderr
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { daemon.Process.Kill(); daemon.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "started" {
			return daemon
		}
	}
	t.Fatal("the daemon has ended")
	return nil
}

// TestDaemonOfOneServer is what startDaemon runs. By itself it tests nothing. It is killed: what it makes it leaves.
func TestDaemonOfOneServer(t *testing.T) {
	dir := os.Getenv("LSP_TEST_DIR")
	if dir == "" {
		return
	}
	languages := slices.DeleteFunc(installed(t), func(l Language) bool { return l.ID != os.Getenv("LSP_TEST_LANGUAGE") })
	p, err := Open(Options{Root: dir, Languages: languages})
	if err != nil {
		t.Fatal(err)
	}
	switch os.Getenv("LSP_TEST_STATE") {
	case "loading":
		eventually(t, "the server has a process", func() bool { return first(p).PID != 0 })
	default:
		if err := p.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println("\nstarted")
	select {}
}

// stoppedOrGone says whether a process does nothing.
func stoppedOrGone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(rest, "T") || strings.HasPrefix(rest, "Z")
}

// descendants are the children of a process, their children, and so on.
func descendants(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		var state string
		var child, parent int
		fmt.Sscan(string(data), &child)
		fmt.Sscan(rest, &state, &parent)
		children[parent] = append(children[parent], child)
	}
	family := children[pid]
	for i := 0; i < len(family); i++ {
		family = append(family, children[family[i]]...)
	}
	return family
}

func commandOf(pid int) string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(line), "\x00", " ")
}
