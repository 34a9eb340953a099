package initialize

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/daemon"
	"tidepool/internal/recall"
	"tidepool/internal/setup"
	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

const (
	stopLimit  = time.Minute // for a daemon's calls in flight
	shownNames = 8           // of the entries of .tidepool
)

// Uninit takes out what Init has put in.
type Uninit struct {
	setupFlags
	Scrub bool `help:"Take out agent-shell alone, which runs the commands of Claude Code's Bash."`
	Purge bool `help:"Also remove .tidepool with everything in it." xor:"scope"`
}

// Run takes out what init has put in, and ends the daemon. With the hooks the policy goes, so that is for a person to do.
func (c *Uninit) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	if err := command.RequirePerson(); err != nil && !c.DryRun {
		return err
	}
	if err := c.check(map[string]bool{"--local": c.Local, "--scrub": c.Scrub, "--purge": c.Purge}); err != nil {
		return err
	}
	options, err := c.options(ctx, place)
	if err != nil {
		return err
	}
	options.Scrub = c.Scrub
	plan, err := setup.Uninit(options)
	if err != nil {
		return err
	}
	t := &task{plan: plan, done: "taken out", left: plan.Left}
	if !c.User && !c.Scrub && options.Client == nil {
		if err := c.leave(ctx, t, place); err != nil {
			return err
		}
	}
	if c.User && !c.Scrub && options.Client == nil {
		t.haveClaude(ctx, projectOf(options), options.ServerRemoval(), "the tools to be gone")
	}
	_, err = c.carryOut(t, std)
	return err
}

// leave adds what is done about the project besides its files of Claude Code's.
func (c *Uninit) leave(ctx context.Context, t *task, place protocol.Place) error {
	names, err := stateNames(place)
	if err != nil {
		return err
	}
	t.steps = append(t.steps, stopStep(ctx, place))
	switch dir := state.Of(place.Project); {
	case c.Purge && names != "":
		t.steps = append(t.steps, step{dir + " is removed with all that is in it: " + names, func() (string, error) {
			return "removed " + dir, state.Purge(dir)
		}})
	case names != "":
		t.left = append(t.left, dir+" with "+names+"; agent uninit --purge removes it")
	}
	if dir := recall.DefaultDir(os.Getenv); dir != "" {
		if _, err := os.Stat(dir); err == nil {
			t.left = append(t.left, dir+" with your memories of all projects; agent memory forget --all removes those of this one")
		}
	}
	if !c.Local || len(t.plan.Left) == 0 {
		t.distrust(place)
	}
	return nil
}

// stopStep ends the project's daemon, also one that starts meanwhile.
func stopStep(ctx context.Context, place protocol.Place) step {
	s := step{do: func() (string, error) {
		ctx, cancel := context.WithTimeout(ctx, stopLimit)
		defer cancel()
		owner, running, err := daemon.Stop(ctx, place.Socket)
		if err != nil || !running {
			return "", err
		}
		return fmt.Sprintf("stopped the daemon (pid %d)", owner.PID), nil
	}}
	if owner, running, err := daemon.Find(daemon.LockPath(place.Socket)); err == nil && running {
		s.will = fmt.Sprintf("the daemon (pid %d) is ended", owner.PID)
	}
	return s
}

// stateNames lists what the project's state directory holds besides what a daemon takes with it, "" if there is none.
func stateNames(place protocol.Place) (string, error) {
	dir, err := state.Open(state.Of(place.Project))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	entries, err := dir.List()
	if err := errors.Join(err, dir.Close()); err != nil {
		return "", err
	}
	var names []string
	for _, entry := range entries {
		name := entry.Name()
		if name != ".gitignore" && name != filepath.Base(daemon.LockPath(place.Socket)) && entry.Mode().Type() != fs.ModeSocket {
			names = append(names, name)
		}
	}
	switch n := len(names); {
	case n == 0:
		return "nothing in it", nil
	case n > shownNames:
		return strings.Join(names[:shownNames], ", ") + fmt.Sprintf(" and %s more", wording.Count(n-shownNames, "entry")), nil
	}
	return strings.Join(names, ", "), nil
}
