package serve

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/doctor"
	"tidepool/internal/git"
	"tidepool/internal/trust"
	"tidepool/internal/wording"
)

// A trustState tells the parts of the daemon whether a project is trusted. It reads the present record each time.
type trustState struct {
	store trust.Store
	first fs.FileInfo // the record when the trustState was made; nil: there was none
}

func newTrustState() trustState {
	t := trustState{store: trust.Open(os.Getenv)}
	t.first = t.stamp()
	return t
}

// Trusted reports whether what the project around a directory brings along may run. It reports false if the record cannot be read;
// the status and the doctor show why.
func (t trustState) Trusted(dir string) bool {
	trusted, _ := t.store.Trusted(dir)
	return trusted
}

// Own reports whether the user has made everything in a directory, since git tracks nothing of it. It reports false if git
// cannot tell.
func (t trustState) Own(dir string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), gitTimeout)
	defer cancel()
	tracked, err := git.Tracks(ctx, dir)
	return err == nil && !tracked
}

// cleanPath removes from this process's PATH directories in an untrusted project, and relative ones: the daemon asks git what came
// with the project, and that git must not be the project's. The change lasts until the process ends.
func (t trustState) cleanPath(project string) error {
	if t.Trusted(project) {
		return nil
	}
	var kept []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		direct, err := filepath.EvalSymlinks(dir)
		if err != nil || !filepath.IsAbs(dir) {
			continue // there is nothing, or something else wherever a program runs
		}
		if below, err := filepath.Rel(project, direct); err != nil || !filepath.IsLocal(below) {
			kept = append(kept, dir)
		}
	}
	return os.Setenv("PATH", strings.Join(kept, string(filepath.ListSeparator)))
}

// mayMeasure returns why no tests of a module are run, or nil.
func (t trustState) mayMeasure(module string) error {
	if t.Trusted(module) {
		return nil
	}
	return errors.New("no test is run to see what it runs: this project is not trusted (agent trust)")
}

// An untrustedError means that settings of a project do not count until its user trusts it.
type untrustedError struct{ err error } // why nobody knows; nil: nobody has said so

func (e *untrustedError) Error() string {
	if e.err != nil {
		return "nobody can tell whether this project is trusted: " + e.err.Error()
	}
	return "this project is not trusted"
}

// Hint says how to make them count.
func (e *untrustedError) Hint() string {
	return cmp.Or(wording.HintOf(e.err), "run `agent trust` in the project, in a terminal of your own")
}

// distrust returns why nothing of a project counts that runs, sends, records or permits, or nil.
func (t trustState) distrust(project string) error {
	trusted, err := t.store.Trusted(project)
	if trusted {
		return nil
	}
	return &untrustedError{err}
}

// stamp describes the record's file; nil: there is none.
func (t trustState) stamp() fs.FileInfo {
	info, err := os.Stat(t.store.File())
	if err != nil {
		return nil
	}
	return info
}

// A TrustCheck is the doctor's check of trust. An untrusted project is no problem: the user may want that.
type TrustCheck struct {
	Store trust.Store
	Dir   string
}

// Look reads the record.
func (c TrustCheck) Look(context.Context) []doctor.Finding {
	trusted, err := c.Store.Trusted(c.Dir)
	switch {
	case err != nil:
		return []doctor.Finding{{Name: "trust", Text: err.Error(), Fix: (&untrustedError{err}).Hint()}}
	case trusted:
		return []doctor.Finding{{Name: "trust", OK: true, Text: "this project is trusted: what it brings along may run"}}
	}
	return []doctor.Finding{{Name: "trust", OK: true, Text: "this project is not trusted: nothing runs that it brings along (agent trust)"}}
}
