package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
)

// startTree runs a shell that has started two processes, and returns when all three run.
func startTree(t *testing.T) (root int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Log("the process table is read on Linux only: here it must be empty")
		if table := processTable(); table != nil {
			t.Errorf("got %v", table)
		}
		return 0
	}
	cmd := exec.Command("sh", "-c", "sleep 1000 & sleep 1000 & wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	for giveUp := time.Now().Add(daemontest.Patience); len(below(cmd.Process.Pid)) < 2; {
		if time.Now().After(giveUp) {
			t.Fatal("the shell has not started its processes")
		}
		time.Sleep(10 * time.Millisecond) // between two looks
	}
	return cmd.Process.Pid
}

// below returns the children of a process that run sleep: between fork and exec they share the shell's pages.
func below(root int) (children []process) {
	for _, p := range processTable() {
		program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.pid))
		shell, wrong := os.Readlink(fmt.Sprintf("/proc/%d/exe", root))
		if p.parent == root && err == nil && wrong == nil && program != shell {
			children = append(children, p)
		}
	}
	return children
}

func TestUsageOfRealProcesses(t *testing.T) {
	root := startTree(t)
	if root == 0 {
		return
	}
	table := processTable()
	u := usageOf(root, table)
	want := table[root].resident
	for _, child := range below(root) {
		if child.resident == 0 {
			t.Errorf("process %d occupies nothing", child.pid)
		}
		want += table[child.pid].resident
	}
	if u.own != table[root].resident || u.own == 0 || u.whole != want || u.whole <= u.own {
		t.Errorf("got %+v, want %d of %d", u, table[root].resident, want)
	}
	if whole := usageOf(os.Getpid(), table).whole; whole < u.whole+table[os.Getpid()].resident {
		t.Errorf("this process and what it has started occupy %d, a part of it %d", whole, u.whole)
	}
}

func TestUsageOfGrandchildren(t *testing.T) {
	table := map[int]process{
		1: {1, 0, 100, 1000 << 20, "init"}, 5: {5, 1, 1, 10 << 20, "daemon"}, 6: {6, 5, 2, 20 << 20, "gopls"},
		7: {7, 6, 4, 40 << 20, "gopls"}, 8: {8, 1, 8, 80 << 20, "other"}, 9: {9, 7, 0, 1000, "sh"},
	}
	if u := usageOf(5, table); u != (usage{own: 10 << 20, whole: 70<<20 + 1000, ticks: 7, parts: "daemon 10 MB, 2 gopls 60 MB"}) {
		t.Errorf("got %+v", u)
	}
	if u := usageOf(4, table); u != (usage{}) {
		t.Errorf("a process that has ended occupies %+v", u)
	}
}

func TestWatch(t *testing.T) {
	root := startTree(t)
	if root == 0 {
		return
	}
	w := watchTree(func() int { return root })
	settled := w.settled(t.Context(), time.Minute)
	w.stop()
	own, whole := w.peaks()
	if settled.whole == 0 || whole < settled.whole || own < settled.own || own > whole {
		t.Errorf("settled at %+v, peaks %d and %d", settled, own, whole)
	}
}
