package process

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tidepool/internal/state"
)

// A Ledger keeps in a file which programs run, so that who comes after us can end those that outlived us: where no
// parent-death signal exists, a program that ignores the end of its input outlives one that was killed. What cannot be
// written is not kept: a program runs without it. The nil Ledger keeps nothing. Safe for concurrent use.
type Ledger struct {
	path string

	mu      sync.Mutex
	entries []ledgerEntry
}

// A ledgerEntry is a process. Together both fields mean no other, ever: an id is given again.
type ledgerEntry struct {
	PID     int    `json:"pid"`
	Started string `json:"started"` // in the words of ps
}

// maxLedger bounds a ledger that is read, in bytes: a process takes 60.
const maxLedger = 1 << 20

// OpenLedger ends what the file at path names and still runs, and begins a new one; nil for no path.
func OpenLedger(path string) *Ledger {
	if path == "" {
		return nil
	}
	var data []byte
	_ = state.Within(path, func(kept *state.File) (err error) {
		data, err = kept.Read(maxLedger)
		return errors.Join(err, kept.Remove())
	})
	var left []ledgerEntry
	if json.Unmarshal(data, &left) == nil {
		for _, e := range left {
			if e.PID > 1 && e.Started != "" && startOf(e.PID) == e.Started {
				SignalGroup(e.PID, kill)
			}
		}
	}
	return &Ledger{path: path}
}

// Enter adds a process.
func (l *Ledger) Enter(pid int) {
	if l == nil {
		return
	}
	started := startOf(pid)
	l.update(func(entries []ledgerEntry) []ledgerEntry { return append(entries, ledgerEntry{pid, started}) })
}

// Strike takes a process out that has ended.
func (l *Ledger) Strike(pid int) {
	if l == nil {
		return
	}
	l.update(func(entries []ledgerEntry) []ledgerEntry {
		return slices.DeleteFunc(entries, func(e ledgerEntry) bool { return e.PID == pid })
	})
}

func (l *Ledger) update(change func([]ledgerEntry) []ledgerEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = change(l.entries)
	data, err := json.Marshal(l.entries)
	if err == nil {
		_ = state.Within(l.path, func(kept *state.File) error { return kept.Replace(data) })
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
