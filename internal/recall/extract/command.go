package extract

import (
	"fmt"
	"strings"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// A trial is a program that failed, in one form or several, and has not succeeded since.
type trial struct {
	name  string   // the program and its subcommand
	forms []string // that failed, each once
	first string   // the first error
	args  []string // of the first form
	at    int      // the number of the use that failed last
}

const (
	maxTrials = 16 // of a conversation, the latest ones
	maxForms  = 8  // of a trial
	maxApart  = 20 // uses of tools between two forms of one trial
)

// try notes a run of a program that neither tests nor builds, and returns the form that worked after two others had failed.
func (c *Conversation) try(r run) []memory.Draft {
	if r.result.Kind != "" {
		return nil
	}
	name, args := trialName(r)
	t, i := c.trial(name)
	switch {
	case r.failed && t == nil:
		c.trials = append(c.trials, &trial{name: name, forms: []string{r.text}, first: r.first, args: args, at: c.uses})
		if len(c.trials) > maxTrials {
			c.trials = c.trials[1:]
		}
	case r.failed:
		t.note(r.text, c.uses)
	case t != nil:
		c.trials = append(c.trials[:i], c.trials[i+1:]...)
		if len(t.forms) >= 2 && !t.failedAs(r.text) && alike(t.args, args) {
			return []memory.Draft{t.worked(r.text)}
		}
	}
	return nil
}

// trial returns the trial of a program, unless it is too long ago, and its place.
func (c *Conversation) trial(name string) (*trial, int) {
	for i, t := range c.trials {
		if t.name == name {
			if c.uses-t.at > maxApart {
				c.trials = append(c.trials[:i], c.trials[i+1:]...)
				return nil, 0
			}
			return t, i
		}
	}
	return nil, 0
}

func (t *trial) note(form string, at int) {
	t.at = at
	if !t.failedAs(form) && len(t.forms) < maxForms {
		t.forms = append(t.forms, form)
	}
}

func (t *trial) failedAs(form string) bool {
	for _, failed := range t.forms {
		if failed == form {
			return true
		}
	}
	return false
}

// worked returns the memory of the form that worked.
func (t *trial) worked(form string) memory.Draft {
	return memory.Draft{
		Kind: memory.Command, Trust: memory.Observed, Outcome: memory.Success, Source: sourceBash,
		Gist:    "`" + wording.Line(form, 120) + "` works; `" + wording.Line(t.forms[0], 80) + "` does not",
		Content: fmt.Sprintf("`%s` works.\n`%s` failed: %s", form, t.forms[0], t.first),
	}
}

// trialName returns the program and, of one with subcommands or scripts, the first argument.
func trialName(r run) (name string, args []string) {
	args = strings.Fields(r.args)
	switch r.program {
	case "git", "docker", "podman", "npm", "pnpm", "yarn", "cargo", "go", "kubectl", "helm", "gh", "pip", "pip3", "uv", "poetry", "apt", "apt-get", "brew", "systemctl", "terraform",
		"aws", "gcloud", "az", "bundle", "rails", "mix", "dotnet", "python", "python3", "node", "ruby", "perl", "deno", "make", "gradle", "mvn", "docker-compose", "composer", "php", "swift", "flutter", "rustup", "conda":
		if len(args) > 0 {
			return r.program + " " + args[0], args[1:]
		}
	}
	return r.program, args
}

// alike reports whether two forms of a command are about the same: they share an argument, or one has none.
func alike(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}
