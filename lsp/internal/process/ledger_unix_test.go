//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// survivor is a process in a group of its own that does not end by itself.
func survivor(t *testing.T) (pid int, ended <-chan error) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "trap '' TERM; while :; do sleep 0.05; done")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	return cmd.Process.Pid, waited
}

// What a killed daemon has left is ended, and nobody else who got its id.
func TestLedgerEndsWhatWasLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "servers.json")
	left, ended := survivor(t)
	other, stays := survivor(t)
	gone, _ := survivor(t)
	l := OpenLedger(path)
	l.Enter(left)
	l.Enter(gone)
	l.Strike(gone)
	l.update(func(entries []ledgerEntry) []ledgerEntry {
		return append(entries, ledgerEntry{other, "Thu Jan  1 00:00:00 1970"}, ledgerEntry{1, startOf(1)}, ledgerEntry{PID: other})
	})
	OpenLedger(path) // as after SIGKILL: nothing was closed
	<-ended
	if startOf(gone) == "" || startOf(other) == "" {
		t.Error("a process was ended that was not to be")
	}
	select {
	case err := <-stays:
		t.Errorf("a process with an id from before was ended: %v", err)
	default:
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the ledger is still there: %v", err)
	}
}

// A ledger that a clone has put in the place of ours is neither read through a link, nor written through one.
func TestLedgerFollowsNoLink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	path, outside := filepath.Join(dir, "servers.json"), filepath.Join(t.TempDir(), "profile")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(outside, []byte("[]"), 0o600), os.Symlink(outside, path)); err != nil {
		t.Fatal(err)
	}
	OpenLedger(path).Enter(os.Getpid())
	if text, err := os.ReadFile(outside); string(text) != "[]" || err != nil {
		t.Errorf("outside is %q, %v", text, err)
	}
}
