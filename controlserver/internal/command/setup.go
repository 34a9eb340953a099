package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/git"
	"tidepool/internal/logging"
	"tidepool/internal/setup"
	"tidepool/internal/setup/client"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// A setupFlags are what init and uninit have in common.
type setupFlags struct {
	User   bool   `help:"Use the settings of all your projects instead of this project's." xor:"scope"`
	Local  bool   `help:"Use your own settings in this project, which are not committed (.claude/settings.local.json)." xor:"scope"`
	DryRun bool   `help:"Print what would change, and change nothing."`
	Yes    bool   `short:"y" help:"Do not ask."`
	Client string `help:"The client whose files are meant: claude (Claude Code), codex, gemini (Gemini CLI), cursor, opencode." enum:"claude,codex,gemini,cursor,opencode" default:"claude"`
}

// check refuses flags that another client has no use for.
func (f setupFlags) check(forClaudeCode map[string]bool) error {
	for flag, set := range forClaudeCode {
		if set && f.Client != "claude" {
			return &UsageError{Err: fmt.Errorf("%s is for Claude Code only, and cannot be combined with --client %s", flag, f.Client)}
		}
	}
	return nil
}

// options returns what package setup is asked to do.
func (f setupFlags) options(ctx context.Context, place protocol.Place) (setup.Options, error) {
	options, err := setupOptions(ctx, place)
	if other, is := client.Find(f.Client); is {
		options.Client = &other
	}
	switch {
	case f.User:
		options.Scope = setup.ScopeUser
	case f.Local:
		options.Scope = setup.ScopeLocal
	}
	return options, err
}

// setupOptions describes a project and its user.
func setupOptions(ctx context.Context, place protocol.Place) (setup.Options, error) {
	path := os.Getenv("PATH")
	agent, err := agentPath(path)
	if err != nil {
		return setup.Options{}, err
	}
	repository, err := repositoryAt(ctx, place.Project)
	return setup.Options{
		Project: place.Project, Agent: agent, Home: os.Getenv("HOME"), ClaudeConfigDir: os.Getenv("CLAUDE_CONFIG_DIR"), Path: path,
		Getenv:     os.Getenv,
		Repository: repository, RepositoryError: err,
	}, nil
}

// gitLimit is how long git may take to say what it shows of a file.
const gitLimit = 10 * time.Second

// repositoryAt returns the repository around a project, nil if there is none.
func repositoryAt(ctx context.Context, project string) (*setup.Repository, error) {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	top, list, err := git.Exclude(ctx, project)
	switch {
	case errors.Is(err, git.ErrNoRepository):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &setup.Repository{Top: top, Exclude: list, Index: git.Index{Limit: gitLimit}}, nil
}

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
	if trusted(store, place.Project) {
		return
	}
	if err := RequirePerson(); err != nil {
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
			return describeGrant(granted), nil
		},
	})
}

// distrust has the task take the trust in the project back as well, if it is trusted.
func (t *task) distrust(place protocol.Place) {
	store := trust.Open(os.Getenv)
	if !trusted(store, place.Project) {
		return
	}
	const what = "the trust in the project is taken back"
	t.steps = append(t.steps, step{what, func() (string, error) {
		_, err := store.Revoke(place.Project)
		return what, err
	}})
}

// carryOut does what is planned, after asking. Where nobody is there to ask, --yes must have been said.
func (f setupFlags) carryOut(t *task, std Stdio) error {
	changes := len(t.plan.Changes) > 0 || slices.ContainsFunc(t.steps, func(s step) bool { return s.will != "" })
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
	return t.finish(std)
}

// finish prints what a person has to know afterwards.
func (t *task) finish(std Stdio) error {
	for _, note := range t.plan.Notes {
		fmt.Fprintf(std.Out, "note: %s\n", logging.Escape(note))
	}
	for _, left := range t.left {
		fmt.Fprintf(std.Out, "left: %s\n", logging.Escape(left))
	}
	_, err := fmt.Fprintln(std.Out, t.done)
	return err
}

func (t *task) apply(std Stdio) error {
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

// preview prints what would happen.
func (t *task) preview(std Stdio) error {
	if _, err := fmt.Fprint(std.Out, shown(t.plan.Summary())); err != nil {
		return err
	}
	if err := printDiff(std, t.plan.Diff()); err != nil {
		return err
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
