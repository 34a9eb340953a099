package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/git"
	"tidepool/internal/logging"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// A trustee tells the parts of the program what of a project may run. What the record says now counts.
type trustee struct {
	store trust.Store
	first fs.FileInfo // the record when the trustee was made; nil: there was none
}

func newTrustee() trustee {
	t := trustee{store: trust.Open(os.Getenv)}
	t.first = t.stamp()
	return t
}

// Trusted says whether what the project around a directory brings along may run. That the record cannot be read means no;
// the status and the doctor tell why.
func (t trustee) Trusted(dir string) bool {
	trusted, _ := t.store.Trusted(dir)
	return trusted
}

// Own says whether the user has put there all that lies in a directory: git knows, and tracks nothing of it.
func (t trustee) Own(dir string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), gitTimeout)
	defer cancel()
	tracked, err := git.Tracks(ctx, dir)
	return err == nil && !tracked
}

// cleanPath takes from the PATH of this process what lies in a project that is not trusted, or is relative: git, by which it
// is told what came with the project, must not be the project's. It stays so until the process ends.
func (t trustee) cleanPath(project string) error {
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

// mayMeasure says why no tests of a module are run, or nil.
func (t trustee) mayMeasure(module string) error {
	if t.Trusted(module) {
		return nil
	}
	return errors.New("no test is run to see what it runs: this project is not trusted (agent trust)")
}

// An untrustedError says that settings of a project do not count until its user trusts it.
type untrustedError struct{ err error } // why nobody knows; nil: nobody has said so

func (e *untrustedError) Error() string {
	if e.err != nil {
		return "nobody can tell whether this project is trusted: " + e.err.Error()
	}
	return "this project is not trusted"
}

// Hint says what makes them count.
func (e *untrustedError) Hint() string {
	if advised, ok := errors.AsType[interface {
		error
		Hint() string
	}](e.err); ok {
		return advised.Hint()
	}
	return "run `agent trust` in the project, in a terminal of your own"
}

// distrust says why nothing of a project counts that runs, sends, records or permits, or nil.
func (t trustee) distrust(project string) error {
	trusted, err := t.store.Trusted(project)
	if trusted {
		return nil
	}
	return &untrustedError{err}
}

// stamp is the record as the disk has it; nil: there is none.
func (t trustee) stamp() fs.FileInfo {
	info, err := os.Stat(t.store.File())
	if err != nil {
		return nil
	}
	return info
}

type trustCommand struct {
	Remove bool `help:"Take the trust in the project back." xor:"what"`
	List   bool `help:"List the projects that are trusted." xor:"what"`
}

// Run records that the user trusts the project, which only a person may do; or takes that back, or lists what is trusted.
func (c *trustCommand) Run(place protocol.Place, std stdio) error {
	t := newTrustee()
	switch {
	case c.List:
		return t.list(std)
	case c.Remove:
		return t.remove(place, std)
	}
	if err := requirePerson(); err != nil {
		return err
	}
	return t.add(place, std)
}

func (t trustee) add(place protocol.Place, std stdio) error {
	if t.Trusted(place.Project) {
		_, err := fmt.Fprintf(std.out, "%s is trusted already\n", logging.Escape(place.Project))
		return err
	}
	before, beforeErr := loadConfig(place, nil)
	granted, err := t.store.Grant(place.Project)
	if err != nil {
		return err
	}
	fmt.Fprintln(std.out, describeGrant(granted))
	if beforeErr != nil { // which the next start tells
		return nil
	}
	return noteRestart(place, std, before)
}

// describeGrant says what is trusted from now on.
func describeGrant(r trust.Record) string {
	text := "trusted " + logging.Escape(r.Project)
	if r.Path != r.Project {
		text += ", with all worktrees and submodules of " + logging.Escape(r.Path)
	}
	return text
}

// noteRestart tells which settings are others than before, and a running daemon takes them only when it starts again. All
// else it takes within a second.
func noteRestart(place protocol.Place, std stdio, before *config.Config) error {
	after, err := before.Again()
	if err != nil {
		return err
	}
	waits := slices.DeleteFunc(before.Changed(after), isLive)
	if _, running, err := daemon.Find(daemon.LockPath(place.Socket)); err != nil || !running || len(waits) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(std.out, "note: the daemon that runs goes on with other settings of these until it ends (agent stop): %s\n", strings.Join(waits, ", "))
	return err
}

func (t trustee) remove(place protocol.Place, std stdio) error {
	before, beforeErr := loadConfig(place, nil)
	revoked, err := t.store.Revoke(place.Project)
	if err != nil {
		return err
	}
	if len(revoked) == 0 {
		_, err := fmt.Fprintf(std.out, "%s was not trusted\n", logging.Escape(place.Project))
		return err
	}
	for _, r := range revoked {
		fmt.Fprintf(std.out, "trusted no more: %s\n", logging.Escape(r.Project))
	}
	if t.Trusted(place.Project) {
		return &statusError{place.Project + " is still trusted, by a directory above it", "agent trust --list shows it"}
	}
	if beforeErr != nil {
		return nil
	}
	return noteRestart(place, std, before)
}

func (t trustee) list(std stdio) error {
	records, err := t.store.List()
	if err != nil {
		return err
	}
	if len(records) == 0 {
		_, err := fmt.Fprintln(std.out, "no project is trusted")
		return err
	}
	for _, r := range records {
		text := fmt.Sprintf("%s  since %s", logging.Escape(r.Project), r.Granted.Local().Format(time.DateOnly))
		if !r.Stands() {
			text += "  (gone, or another by now: it is not trusted)"
		}
		fmt.Fprintln(std.out, text)
	}
	return nil
}
