package lsp

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"tidepool/lsp/internal/process"
)

// A ledger keeps in a file which servers run, so that the next project can end those that outlived this one: where no
// parent-death signal exists, a server that ignores the end of its input outlives a daemon that was killed. What
// cannot be written is not kept: a server is served without it. The nil ledger keeps nothing. Safe for concurrent use.
type ledger struct {
	path string

	mu      sync.Mutex
	entries []ledgerEntry
}

// A ledgerEntry is a process. Together both fields mean no other, ever: an id is given again.
type ledgerEntry struct {
	PID     int    `json:"pid"`
	Started string `json:"started"` // in the words of ps
}

// openLedger ends what the file at path names and still runs, and begins a new one; nil for no path.
func openLedger(path string) *ledger {
	if path == "" {
		return nil
	}
	data, _ := os.ReadFile(path)
	var left []ledgerEntry
	if json.Unmarshal(data, &left) == nil {
		for _, e := range left {
			if e.PID > 1 && e.Started != "" && startOf(e.PID) == e.Started {
				process.SignalGroup(e.PID, syscall.SIGKILL)
			}
		}
	}
	os.Remove(path)
	return &ledger{path: path}
}

// enter adds a process.
func (l *ledger) enter(pid int) {
	if l == nil {
		return
	}
	started := startOf(pid)
	l.update(func(entries []ledgerEntry) []ledgerEntry { return append(entries, ledgerEntry{pid, started}) })
}

// strike takes a process out that has ended.
func (l *ledger) strike(pid int) {
	if l == nil {
		return
	}
	l.update(func(entries []ledgerEntry) []ledgerEntry {
		return slices.DeleteFunc(entries, func(e ledgerEntry) bool { return e.PID == pid })
	})
}

func (l *ledger) update(change func([]ledgerEntry) []ledgerEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = change(l.entries)
	data, err := json.Marshal(l.entries)
	if err == nil {
		os.WriteFile(l.path, data, 0o600)
	}
}

// startTimeout bounds a question to ps.
const startTimeout = 2 * time.Second

// startOf is when a process began, as ps says it; "" if it does not run.
func startOf(pid int) string {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
