package memories

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/logging"
	"tidepool/internal/moment"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

type forgetCommand struct {
	IDs      []string `arg:"" optional:"" name:"id" help:"The memories."`
	Whole    bool     `name:"whole-project" help:"All memories of the project, and its journal."`
	All      bool     `help:"The memories of all projects; alone, every memory and every journal."`
	Before   string   `help:"What was learned before then: 2w (m, h, d, w, y), yesterday, 2025-11-03." placeholder:"WHEN"`
	Matching string   `help:"What has all of these words." placeholder:"WORDS"`
	DryRun   bool     `help:"Only print what would be forgotten."`
	Yes      bool     `short:"y" help:"Do not ask."`
}

// shownGists is how many memories are printed before the question.
const shownGists = 20

// Run removes memories for good. A process of a model may name them by their ids; what else selects them is for a person.
func (c *forgetCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	selects := c.Whole || c.All || c.Before != "" || c.Matching != ""
	if selects == (len(c.IDs) > 0) || c.Whole && c.All {
		return &command.UsageError{Err: errors.New("forget takes ids, or says which: --whole-project, --all, --before, --matching")}
	}
	if selects && !c.DryRun {
		if err := command.RequirePerson(); err != nil {
			return err
		}
	}
	before, err := moment.Parse(c.Before, time.Now())
	if err != nil {
		return &command.UsageError{Err: err}
	}
	store, err := openRows(ctx, place, std)
	if err != nil {
		return err
	}
	return closed(ctx, store, c.forget(ctx, store, std, recall.Selection{All: c.All, Before: before, Matching: c.Matching}))
}

// forget removes what the ids name, or else what is selected, after a person has agreed.
func (c *forgetCommand) forget(ctx context.Context, store *opened, std command.Stdio, selection recall.Selection) error {
	if !selection.All {
		selection.Project = store.Project().Key
	}
	doomed, err := c.doomed(ctx, store, selection)
	if err != nil {
		return err
	}
	p := page.New(std.Out)
	if c.DryRun || len(doomed) > 1 {
		printDoomed(p, store, doomed)
	}
	if c.DryRun {
		p.Row(page.Plain, "dry run", wording.Count(len(doomed), "memory")+" would be forgotten")
		return p.Err()
	}
	if len(doomed) > 1 {
		if err := c.ask(std, len(doomed)); err != nil {
			return errors.Join(p.Err(), err)
		}
	}
	gone, err := c.remove(ctx, store, selection)
	if len(gone) > 0 || err == nil {
		p.Row(page.Good, "forgotten", wording.Count(len(gone), "memory"))
	}
	return errors.Join(p.Err(), err)
}

// doomed returns what will be forgotten.
func (c *forgetCommand) doomed(ctx context.Context, store *opened, selection recall.Selection) (all []memory.Memory, err error) {
	if len(c.IDs) == 0 {
		return store.ForgetMatching(ctx, selection, true)
	}
	for _, id := range c.IDs {
		m, err := store.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func (c *forgetCommand) remove(ctx context.Context, store *opened, selection recall.Selection) ([]memory.Memory, error) {
	if len(c.IDs) > 0 {
		return store.Forget(ctx, c.IDs...)
	}
	return store.ForgetMatching(ctx, selection, false)
}

// printDoomed writes the newest of some memories, and how many more there are.
func printDoomed(p *page.Page, store *opened, all []memory.Memory) {
	for i := range all[:min(len(all), shownGists)] {
		printMemory(p, &all[i], all[i].Project.Key != store.Project().Key)
	}
	if more := len(all) - shownGists; more > 0 {
		p.Row(page.Plain, "", fmt.Sprintf("and %d more", more))
	}
}

// ask has a person agree, unless --yes was said.
func (c *forgetCommand) ask(std command.Stdio, memories int) error {
	question := "Forget " + wording.Count(memories, "memory")
	switch {
	case c.All && c.Before == "" && c.Matching == "":
		question += " of all projects, and every journal"
	case c.Whole && c.Before == "" && c.Matching == "":
		question += " of this project, and its journal"
	}
	switch {
	case c.Yes:
		return nil
	case !logging.IsTerminal(std.In):
		return &refusal{"nothing was forgotten: there is no terminal to ask at", "run it with --yes"}
	case !command.Agreed(std, question+", for good?"):
		return &refusal{"nothing was forgotten", "answer y, or run it with --yes"}
	}
	return nil
}
