package command

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/ancestry"
	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/logging"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// Trust records what the user trusts a project with.
type Trust struct {
	Remove bool `help:"Trust the project no longer." xor:"what"`
	List   bool `help:"List the trusted projects." xor:"what"`
}

// Run records that the user trusts the project, which only a person may do; or takes that back, or lists what is trusted.
func (c *Trust) Run(place protocol.Place, std Stdio) error {
	store := trust.Open(os.Getenv)
	switch {
	case c.List:
		return listTrusted(store, std)
	case c.Remove:
		return revoke(store, place, std)
	}
	if err := RequirePerson(); err != nil {
		return err
	}
	return grant(store, place, std)
}

func grant(store trust.Store, place protocol.Place, std Stdio) error {
	if Trusted(store, place.Project) {
		_, err := fmt.Fprintf(std.Out, "%s is trusted already\n", logging.Escape(place.Project))
		return err
	}
	before, beforeErr := serve.LoadConfig(place, nil)
	granted, err := store.Grant(place.Project)
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, DescribeGrant(granted))
	if beforeErr != nil { // which the next start tells
		return nil
	}
	return noteRestart(place, std, before)
}

// DescribeGrant returns what is trusted from now on.
func DescribeGrant(r trust.Record) string {
	text := "trusted " + logging.Escape(r.Project)
	if r.Path != r.Project {
		text += ", with all worktrees and submodules of " + logging.Escape(r.Path)
	}
	return text
}

// noteRestart returns which settings are others than before, and a running daemon takes them only when it starts again. All
// else it takes within a second.
func noteRestart(place protocol.Place, std Stdio, before *config.Config) error {
	after, err := before.Again()
	if err != nil {
		return err
	}
	waits := slices.DeleteFunc(before.Changed(after), serve.IsLive)
	if _, running, err := daemon.Find(daemon.LockPath(place.Socket)); err != nil || !running || len(waits) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(std.Out, "note: the daemon that runs goes on with other settings of these until it ends (controlserver stop): %s\n", strings.Join(waits, ", "))
	return err
}

func revoke(store trust.Store, place protocol.Place, std Stdio) error {
	before, beforeErr := serve.LoadConfig(place, nil)
	revoked, err := store.Revoke(place.Project)
	if err != nil {
		return err
	}
	if len(revoked) == 0 {
		_, err := fmt.Fprintf(std.Out, "%s was not trusted\n", logging.Escape(place.Project))
		return err
	}
	for _, r := range revoked {
		fmt.Fprintf(std.Out, "trusted no more: %s\n", logging.Escape(r.Project))
	}
	if Trusted(store, place.Project) {
		return &commandError{place.Project + " is still trusted, by a directory above it", "agent trust --list shows it"}
	}
	if beforeErr != nil {
		return nil
	}
	return noteRestart(place, std, before)
}

func listTrusted(store trust.Store, std Stdio) error {
	records, err := store.List()
	if err != nil {
		return err
	}
	if len(records) == 0 {
		_, err := fmt.Fprintln(std.Out, "no project is trusted")
		return err
	}
	for _, r := range records {
		text := fmt.Sprintf("%s  since %s", logging.Escape(r.Project), r.Granted.Local().Format(time.DateOnly))
		if !r.Stands() {
			text += "  (gone, or another by now: it is not trusted)"
		}
		fmt.Fprintln(std.Out, text)
	}
	return nil
}

// Trusted reports whether a project is trusted. That the record cannot be read means no; the status and the doctor tell why.
func Trusted(store trust.Store, project string) bool {
	yes, _ := store.Trusted(project)
	return yes
}

// RequirePerson returns an error if Claude Code started this program: for commands that grant something, or that take a
// rule out of force.
func RequirePerson() error { return ancestry.Check(os.Getpid(), nil) }
