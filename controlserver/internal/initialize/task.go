package initialize

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/logging"
	"tidepool/internal/setup"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// A task is a plan and what goes with it.
type task struct {
	plan  *setup.Plan
	done  string // printed at the end
	steps []step // what follows the changes of files, in this order
	left  []string
}

// A step is one thing that a task does besides changing files.
type step struct {
	will string                 // said before; "": nothing
	do   func() (string, error) // returns what it did; "": nothing
}

// trust has the task trust the project as well, if a person has started it.
func (t *task) trust(place protocol.Place) {
	store := trust.Open(os.Getenv)
	if command.Trusted(store, place.Project) {
		return
	}
	if err := command.RequirePerson(); err != nil {
		t.plan.Notes = append(t.plan.Notes, "this project is not trusted, so nothing runs that it brings along: "+serve.Lines(err)[0])
		return
	}
	t.steps = append(t.steps, step{
		"the project is trusted from now on: what it brings along may run (build scripts, its own compilers, tests, bd)",
		func() (string, error) {
			granted, err := store.Grant(place.Project)
			if err != nil {
				return "", err
			}
			return command.DescribeGrant(granted), nil
		},
	})
}

// distrust has the task take the trust in the project back as well, if it is trusted.
func (t *task) distrust(place protocol.Place) {
	store := trust.Open(os.Getenv)
	if !command.Trusted(store, place.Project) {
		return
	}
	const what = "the trust in the project is taken back"
	t.steps = append(t.steps, step{what, func() (string, error) {
		_, err := store.Revoke(place.Project)
		return what, err
	}})
}

// carryOut does what is planned, after asking, and reports false if the answer was no. Where nobody is there to ask, --yes must have been
// said.
func (f setupFlags) carryOut(t *task, std command.Stdio) (agreed bool, err error) {
	changes := len(t.plan.Changes) > 0 || slices.ContainsFunc(t.steps, func(s step) bool { return s.will != "" })
	asks := changes && !f.DryRun && !f.Yes
	if asks && !logging.IsTerminal(std.In) {
		return false, &initError{"nothing was changed: there is no terminal to ask at", "run it with --yes; --dry-run shows what it would change"}
	}
	if f.DryRun || asks {
		if err := t.preview(std); err != nil {
			return false, err
		}
	}
	if asks && !command.Agreed(std, "Shall this be written?") {
		_, err := fmt.Fprintln(std.Out, "nothing was changed")
		return false, err
	}
	if !f.DryRun {
		if err := t.apply(std); err != nil {
			return false, err
		}
	}
	switch {
	case f.DryRun:
		t.done = "nothing was changed: this was a dry run"
	case !changes:
		t.done = "nothing to change"
	}
	return true, t.finish(std)
}

// finish prints what a person has to know afterwards.
func (t *task) finish(std command.Stdio) error {
	for _, note := range t.plan.Notes {
		fmt.Fprintf(std.Out, "note: %s\n", logging.Escape(note))
	}
	for _, left := range t.left {
		fmt.Fprintf(std.Out, "left: %s\n", logging.Escape(left))
	}
	_, err := fmt.Fprintln(std.Out, t.done)
	return err
}

func (t *task) apply(std command.Stdio) error {
	if err := t.plan.Apply(); err != nil {
		return err
	}
	for _, change := range t.plan.Changes {
		fmt.Fprintf(std.Out, "%s %s\n", change.Deed(), logging.Escape(change.Path))
	}
	for _, s := range t.steps {
		did, err := s.do()
		if err != nil {
			return err
		}
		if did != "" {
			fmt.Fprintln(std.Out, logging.Escape(did))
		}
	}
	return nil
}

// screen is how many lines of a diff leave the summary above it in sight.
const screen = 20

// preview prints what would happen: the summary once more below a diff that it has gone out of sight for.
func (t *task) preview(std command.Stdio) error {
	summary, diff := shown(t.plan.Summary()), t.plan.Diff()
	if _, err := fmt.Fprint(std.Out, summary); err != nil {
		return err
	}
	if err := printDiff(std, diff); err != nil {
		return err
	}
	if strings.Count(diff, "\n") > screen {
		if _, err := fmt.Fprint(std.Out, "\n"+summary); err != nil {
			return err
		}
	}
	for _, s := range t.steps {
		if s.will == "" {
			continue
		}
		if _, err := fmt.Fprintln(std.Out, logging.Escape(s.will)); err != nil {
			return err
		}
	}
	return nil
}

// shown returns lines without what would move a terminal's cursor.
func shown(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString(logging.Escape(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

// printDiff writes a diff; to a terminal without what would move its cursor.
func printDiff(std command.Stdio, diff string) error {
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
