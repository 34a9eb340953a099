package conversations

import (
	"context"
	"errors"
	"fmt"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/conversation/quote"
	"tidepool/internal/logging"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

type forgetCommand struct {
	Session string `arg:"" optional:"" help:"The session's id, or the beginning of it."`
	Whole   bool   `name:"whole-project" help:"All conversations of the project."`
	Yes     bool   `short:"y" help:"Do not ask."`
}

// Run removes a conversation, or all of the project's, from the archive. Only a person may.
func (c *forgetCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	if (c.Session == "") != c.Whole {
		return &command.UsageError{Err: errors.New("forget takes the id of a session, or --whole-project")}
	}
	if err := command.RequirePerson(); err != nil {
		return err
	}
	opened, err := openArchive(ctx, place, std, false)
	if err != nil {
		return err
	}
	defer opened.Close()
	if c.Whole {
		if err := c.ask(std, "Forget all conversations of "+place.Project+" for good?"); err != nil {
			return err
		}
		removed, err := opened.ForgetAll(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(std.Out, "forgotten: all conversations of the project, %s; Claude Code's own transcripts stay\n", wording.Count(removed, "turn"))
		return err
	}
	s, _, err := opened.Conversation(ctx, c.Session, 0, 1)
	if err != nil {
		return err
	}
	if err := c.ask(std, fmt.Sprintf("Forget session %s, %s, %s, for good?", quote.ID(s.Session), quote.Title(s.Title), wording.Count(s.Turns, "turn"))); err != nil {
		return err
	}
	removed, err := opened.Forget(ctx, s.Session)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "forgotten: session %s, %s; Claude Code's own transcript stays\n", quote.ID(s.Session), wording.Count(removed, "turn"))
	return err
}

// ask has a person agree, unless --yes was said.
func (c *forgetCommand) ask(std command.Stdio, question string) error {
	switch {
	case c.Yes:
		return nil
	case !logging.IsTerminal(std.In):
		return &refusal{"nothing was forgotten: there is no terminal to ask at", "run it with --yes"}
	case !command.Agreed(std, question):
		return &refusal{"nothing was forgotten", "answer y, or run it with --yes"}
	}
	return nil
}

// A refusal says why nothing was done, and what to do.
type refusal struct{ what, hint string }

func (e *refusal) Error() string { return e.what }

// Hint says what to do.
func (e *refusal) Hint() string { return e.hint }
