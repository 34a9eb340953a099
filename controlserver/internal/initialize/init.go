package initialize

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/config"
	"tidepool/internal/install"
	"tidepool/internal/setup"
	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// Init sets a project up for Claude Code.
type Init struct {
	setupFlags
	Scrub bool `help:"Take secrets out of what the commands of Claude Code's Bash show, those that fail included: they run by agent-shell, in your own settings."`

	InstallServers bool `help:"Install the language servers that are missing, without asking; --dry-run shows by which commands."`
}

// A Root is the project that is to be set up.
type Root struct {
	protocol.Place
	Below string // the directory in it that was meant first; "": the project itself was
}

// Run puts hooks and the MCP server into Claude Code's files, and makes the project's .tidepool.
func (c *Init) Run(ctx context.Context, root Root, std command.Stdio) error {
	place := root.Place
	if err := c.check(map[string]bool{"--local": c.Local, "--scrub": c.Scrub}); err != nil {
		return err
	}
	if err := command.RequirePerson(); err != nil && c.InstallServers && !c.DryRun {
		return err
	}
	options, err := c.options(ctx, place)
	if err != nil {
		return err
	}
	options.Scrub = c.Scrub
	project := !c.User || isProject(options)
	if project {
		options.Config = config.Defaults().File()
		options.MakeStateDir = state.Ensure
	}
	var notes []string
	if project && c.asksPerson(std) {
		answer, note := askScorer(ctx, place, std)
		options.Scorer = answer
		if note != "" {
			notes = append(notes, note)
		}
	}
	plan, err := setup.Init(options)
	if err != nil {
		return err
	}
	plan.Notes = append(plan.Notes, notes...)
	if root.Below != "" && project {
		plan.Notes = append(plan.Notes, fmt.Sprintf("this sets up %s, the repository around %s; --project . sets up that directory alone", place.Project, root.Below))
	}
	t := &task{plan: plan, done: "set up: agent doctor tells whether all is well"}
	if project {
		t.trust(place)
	} else {
		plan.Notes = append(plan.Notes, "in each project agent init makes .tidepool, without which the hooks do nothing there")
	}
	if c.User && options.Client == nil {
		t.haveClaude(ctx, projectOf(options), options.ServerCommands(), "the tools in every project")
	}
	if agreed, err := c.carryOut(t, std); !agreed || err != nil || !project {
		return err
	}
	return c.provide(ctx, place, c.asksPerson(std), std)
}

// isProject reports whether a user who sets up all projects stands in one: a repository, or where a state directory is.
func isProject(o setup.Options) bool {
	if o.Project == o.Home {
		return false
	}
	if _, err := os.Lstat(state.Of(o.Project)); err == nil {
		return true
	}
	return o.Repository != nil && o.Repository.Top == o.Project
}

// projectOf returns the directory of the project that a user stands in who sets up all projects, "" if it is none.
func projectOf(o setup.Options) string {
	if !isProject(o) {
		return ""
	}
	return o.Project
}

// claudeLimit is how long Claude Code may take to change its own file.
const claudeLimit = time.Minute

// haveClaude runs Claude Code's own program to change its file. Where the program is not found, a note names the commands and their
// purpose, which is what. A program of that name in the project is not run.
func (t *task) haveClaude(ctx context.Context, project string, commands [][]string, what string) {
	if len(commands) == 0 {
		return
	}
	line := setup.ShellLine(commands)
	program := install.Installer{Project: project, Env: os.Environ()}.Find("claude")
	if program == "" {
		t.plan.Notes = append(t.plan.Notes, fmt.Sprintf("claude is not on PATH (directories of the project do not count); have it change its own file, for %s: %s", what, line))
		return
	}
	t.steps = append(t.steps, step{"Claude Code is asked to change its own file: " + line, func() (string, error) {
		ctx, cancel := context.WithTimeout(ctx, claudeLimit)
		defer cancel()
		for _, c := range commands {
			if out, err := exec.CommandContext(ctx, program, c[1:]...).CombinedOutput(); err != nil {
				return "", &initError{fmt.Sprintf("Claude Code has not changed its own file: %v: %s", err, wording.Line(string(out), 300)), "run it by hand, for " + what + ": " + line}
			}
		}
		return "Claude Code has changed its own file, for " + what, nil
	}})
}
