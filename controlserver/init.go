package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/logging"
	"tidepool/internal/setup"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// purgeLimit is how long a daemon may take to end before its state is removed.
const purgeLimit = time.Minute

// A setupFlags are what init and uninit have in common.
type setupFlags struct {
	User   bool `help:"The settings of all your projects, instead of this project's." xor:"scope"`
	DryRun bool `help:"Print what would change, and change nothing."`
	Yes    bool `short:"y" help:"Do not ask."`
}

type initCommand struct {
	setupFlags
	Local bool `help:"Your own settings in this project, which are not committed (.claude/settings.local.json)." xor:"scope"`
}

type uninitCommand struct {
	setupFlags
	Purge bool `help:"Also end the daemon and remove .tidepool, with all that is in it."`
}

// Run puts hooks and the MCP server into Claude Code's files, and makes the project's .tidepool.
func (c *initCommand) Run(place protocol.Place, std stdio) error {
	options, err := c.options(place)
	if err != nil {
		return err
	}
	if c.Local {
		options.Scope = setup.ScopeLocal
	}
	options.Config = config.Defaults().File()
	options.MakeStateDir = state.Ensure
	plan, err := setup.Init(options)
	if err != nil {
		return err
	}
	t := &task{plan: plan, done: "set up: agent doctor tells whether all is well"}
	if !c.User {
		t.trust(place)
	}
	return c.carryOut(t, std)
}

// Run takes out what init has put in. With the hooks the policy goes, so that is for a person to do.
func (c *uninitCommand) Run(life lifetime, place protocol.Place, std stdio) error {
	if err := requirePerson(); err != nil && !c.DryRun {
		return err
	}
	options, err := c.options(place)
	if err != nil {
		return err
	}
	options.Purge = c.Purge
	plan, err := setup.Uninit(options)
	if err != nil {
		return err
	}
	t := &task{plan: plan, done: "taken out"}
	if !c.User {
		t.distrust(place)
	}
	if c.Purge && !c.User {
		t.loss = "the daemon is ended, and " + stateDir(place) + " removed with all that is in it"
		t.first = func() error {
			ctx, cancel := context.WithTimeout(life.quit, purgeLimit)
			defer cancel()
			_, _, err := daemon.Stop(ctx, place.Socket)
			return err
		}
	}
	return c.carryOut(t, std)
}

func (f setupFlags) options(place protocol.Place) (setup.Options, error) {
	agent, err := agentPath(os.Getenv("PATH"))
	options := setup.Options{
		Project: place.Project, Agent: agent, Home: os.Getenv("HOME"), ClaudeConfigDir: os.Getenv("CLAUDE_CONFIG_DIR"),
	}
	if f.User {
		options.Scope = setup.ScopeUser
	}
	return options, err
}

// agentPath is where the agent that was installed with this program is. Where PATH leads to the same file that path is
// taken: a link there outlives the version that it points to.
func agentPath(path string) (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	beside := filepath.Join(filepath.Dir(self), "agent")
	meant, err := os.Stat(beside)
	if err != nil {
		return beside, nil // who needs it says that it is missing
	}
	for _, dir := range filepath.SplitList(path) {
		found := filepath.Join(dir, "agent")
		if info, err := os.Stat(found); err == nil && filepath.IsAbs(dir) && os.SameFile(info, meant) {
			return found, nil
		}
	}
	return beside, nil
}

// A task is a plan and what goes with it.
type task struct {
	plan  *setup.Plan
	done  string       // what is said at the end
	loss  string       // what is lost besides what is in the files; may be empty
	also  string       // what happens besides; may be empty
	first func() error // what is done before; nil: nothing
	then  func() error // what is done after, which sets said; nil: nothing
	said  string       // what then has done
}

// trust has the task trust the project as well, if a person has started it.
func (t *task) trust(place protocol.Place) {
	trustee := newTrustee()
	if trustee.Trusted(place.Project) {
		return
	}
	if err := requirePerson(); err != nil {
		t.plan.Notes = append(t.plan.Notes, "this project is not trusted, so nothing runs that it brings along: "+lines(err)[0])
		return
	}
	t.also = "the project is trusted from now on: what it brings along may run (build scripts, its own compilers, tests, bd)"
	t.then = func() error {
		granted, err := trustee.store.Grant(place.Project)
		if err == nil {
			t.said = describeGrant(granted)
		}
		return err
	}
}

// distrust has the task take the trust in the project back as well, if it is trusted.
func (t *task) distrust(place protocol.Place) {
	trustee := newTrustee()
	if !trustee.Trusted(place.Project) {
		return
	}
	t.also = "the trust in the project is taken back"
	t.then = func() error {
		_, err := trustee.store.Revoke(place.Project)
		t.said = t.also
		return err
	}
}

// carryOut does what is planned, after asking. Where nobody is there to ask, --yes must have been said.
func (f setupFlags) carryOut(t *task, std stdio) error {
	changes := len(t.plan.Changes) > 0 || t.loss != "" || t.also != ""
	asks := changes && !f.DryRun && !f.Yes
	if asks && !logging.IsTerminal(std.in) {
		return &statusError{"nothing was changed: there is no terminal to ask at", "run it with --yes; --dry-run shows what it would change"}
	}
	if f.DryRun || asks {
		if err := t.preview(std); err != nil {
			return err
		}
	}
	if asks && !agreed(std) {
		return &statusError{"nothing was changed", "answer y, or run it with --yes"}
	}
	if !f.DryRun {
		if err := t.apply(std); err != nil {
			return err
		}
	}
	switch {
	case f.DryRun:
		t.done = "nothing was changed: this was a dry run"
	case !changes:
		t.done = "nothing to change"
	}
	for _, note := range t.plan.Notes {
		fmt.Fprintf(std.out, "note: %s\n", logging.Escape(note))
	}
	_, err := fmt.Fprintln(std.out, t.done)
	return err
}

func (t *task) apply(std stdio) error {
	if t.first != nil {
		if err := t.first(); err != nil {
			return err
		}
	}
	if err := t.plan.Apply(); err != nil {
		return err
	}
	for _, change := range t.plan.Changes {
		fmt.Fprintf(std.out, "%s %s\n", deed(change), logging.Escape(change.Path))
	}
	if t.then == nil {
		return nil
	}
	if err := t.then(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(std.out, t.said)
	return err
}

// preview says what would happen.
func (t *task) preview(std stdio) error {
	if err := printDiff(std, t.plan.Diff()); err != nil {
		return err
	}
	for _, line := range []string{t.loss, t.also} {
		if line == "" {
			continue
		}
		if _, err := fmt.Fprintln(std.out, logging.Escape(line)); err != nil {
			return err
		}
	}
	return nil
}

// deed names what happened to a file.
func deed(c setup.Change) string {
	switch {
	case c.Before == nil:
		return "made"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// printDiff writes a diff; to a terminal without what would move its cursor.
func printDiff(std stdio, diff string) error {
	if file, ok := std.out.(*os.File); ok && logging.IsTerminal(file) {
		var b strings.Builder
		for line := range strings.Lines(diff) {
			text := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "        ")
			b.WriteString(logging.Escape(text) + "\n")
		}
		diff = b.String()
	}
	_, err := fmt.Fprint(std.out, diff)
	return err
}

// agreed asks a person. Only a clear yes is one.
func agreed(std stdio) bool {
	fmt.Fprint(std.err, "Shall this be written? [y/N] ")
	answer, err := bufio.NewReader(std.in).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(std.err)
		return false
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
