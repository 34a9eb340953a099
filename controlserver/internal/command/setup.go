package command

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/logging"
	"tidepool/internal/setup"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// A setupFlags are what init and uninit have in common.
type setupFlags struct {
	User   bool `help:"Use the settings of all your projects instead of this project's." xor:"scope"`
	DryRun bool `help:"Print what would change, and change nothing."`
	Yes    bool `short:"y" help:"Do not ask."`
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
	store := trust.Open(os.Getenv)
	if trusted(store, place.Project) {
		return
	}
	if err := RequirePerson(); err != nil {
		t.plan.Notes = append(t.plan.Notes, "this project is not trusted, so nothing runs that it brings along: "+serve.Lines(err)[0])
		return
	}
	t.also = "the project is trusted from now on: what it brings along may run (build scripts, its own compilers, tests, bd)"
	t.then = func() error {
		granted, err := store.Grant(place.Project)
		if err == nil {
			t.said = describeGrant(granted)
		}
		return err
	}
}

// distrust has the task take the trust in the project back as well, if it is trusted.
func (t *task) distrust(place protocol.Place) {
	store := trust.Open(os.Getenv)
	if !trusted(store, place.Project) {
		return
	}
	t.also = "the trust in the project is taken back"
	t.then = func() error {
		_, err := store.Revoke(place.Project)
		t.said = t.also
		return err
	}
}

// carryOut does what is planned, after asking. Where nobody is there to ask, --yes must have been said.
func (f setupFlags) carryOut(t *task, std Stdio) error {
	changes := len(t.plan.Changes) > 0 || t.loss != "" || t.also != ""
	asks := changes && !f.DryRun && !f.Yes
	if asks && !logging.IsTerminal(std.In) {
		return &commandError{"nothing was changed: there is no terminal to ask at", "run it with --yes; --dry-run shows what it would change"}
	}
	if f.DryRun || asks {
		if err := t.preview(std); err != nil {
			return err
		}
	}
	if asks && !Agreed(std, "Shall this be written?") {
		_, err := fmt.Fprintln(std.Out, "nothing was changed")
		return err
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
		fmt.Fprintf(std.Out, "note: %s\n", logging.Escape(note))
	}
	_, err := fmt.Fprintln(std.Out, t.done)
	return err
}

func (t *task) apply(std Stdio) error {
	if t.first != nil {
		if err := t.first(); err != nil {
			return err
		}
	}
	if err := t.plan.Apply(); err != nil {
		return err
	}
	for _, change := range t.plan.Changes {
		fmt.Fprintf(std.Out, "%s %s\n", deed(change), logging.Escape(change.Path))
	}
	if t.then == nil {
		return nil
	}
	if err := t.then(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(std.Out, t.said)
	return err
}

// preview returns what would happen.
func (t *task) preview(std Stdio) error {
	if err := printDiff(std, t.plan.Diff()); err != nil {
		return err
	}
	for _, line := range []string{t.loss, t.also} {
		if line == "" {
			continue
		}
		if _, err := fmt.Fprintln(std.Out, logging.Escape(line)); err != nil {
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
func printDiff(std Stdio, diff string) error {
	if file, ok := std.Out.(*os.File); ok && logging.IsTerminal(file) {
		var b strings.Builder
		for line := range strings.Lines(diff) {
			text := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "        ")
			b.WriteString(logging.Escape(text) + "\n")
		}
		diff = b.String()
	}
	_, err := fmt.Fprint(std.Out, diff)
	return err
}

// Agreed asks a person. Only a clear yes is one.
func Agreed(std Stdio, question string) bool {
	fmt.Fprint(std.Err, logging.Escape(question)+" [y/N] ")
	answer, err := bufio.NewReader(std.In).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(std.Err)
		return false
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
