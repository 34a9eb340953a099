package daemontest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Halt stops a process by SIGSTOP, and returns once none of its threads runs: a busy machine lets the others go on for a moment after
// kill(2). Where the system has no /proc it returns at once.
func Halt(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(time.Minute); ; {
		halted, err := isHalted(pid)
		if halted || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-deadline:
			return fmt.Errorf("process %d runs on a minute after SIGSTOP", pid)
		}
	}
}

// isHalted reports whether all threads of a process are stopped.
func isHalted(pid int) (bool, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil {
		return false, err
	}
	for _, path := range threads {
		stat, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue // the thread has ended
		}
		if err != nil {
			return false, err
		}
		_, state, _ := strings.Cut(string(stat), ") ") // the name of a thread of ours has no parenthesis
		if !strings.HasPrefix(state, "T") {
			return false, nil
		}
	}
	return true, nil
}
