package memories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/recall/memory"
	"tidepool/protocol"
)

type saveCommand struct {
	Text       []string `arg:"" help:"What to remember. - reads it from standard input."`
	Kind       string   `help:"note, preference, decision, fix, command, …" default:"note"`
	Gist       string   `help:"One line that says it. Default: the first line." placeholder:"LINE"`
	ForUser    bool     `help:"For all of your projects." xor:"scope"`
	ForTeam    bool     `help:"For all who share recall.team." xor:"scope"`
	Outcome    string   `help:"How it ended." enum:",success,failure,abandoned" default:""`
	Tag        []string `help:"May be given more than once." placeholder:"WORD"`
	File       []string `help:"A file that it is about. May be given more than once." placeholder:"PATH"`
	Supersedes string   `help:"The memory whose place it takes." placeholder:"ID"`
}

// maxInput is how much of a standard input is read, in bytes. A memory keeps 4,000 characters.
const maxInput = 1 << 20

// Run keeps a memory, and returns when it is on the disk.
func (c *saveCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	draft, err := c.draft(std.In)
	if err != nil {
		return err
	}
	store, err := openRows(ctx, place, std)
	if err != nil {
		return err
	}
	saved, err := store.Save(ctx, draft)
	if err := closed(ctx, store, err); err != nil {
		return err
	}
	p := page.New(std.Out)
	p.Row(page.Good, saved.Kept, saved.ID)
	if len(saved.Scrubbed) > 0 {
		p.Row(page.Odd, "taken out", strings.Join(saved.Scrubbed, ", "))
	}
	if saved.Cut {
		p.Row(page.Odd, "cut", fmt.Sprintf("a memory has at most %d characters", memory.MaxContent))
	}
	return p.Err()
}

func (c *saveCommand) draft(in io.Reader) (memory.Draft, error) {
	kinds, err := kindsOf([]string{c.Kind})
	if err != nil {
		return memory.Draft{}, err
	}
	text := strings.Join(c.Text, " ")
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(in, maxInput))
		if err != nil {
			return memory.Draft{}, err
		}
		text = string(data)
	}
	if strings.TrimSpace(text) == "" {
		return memory.Draft{}, &command.UsageError{Err: errors.New("there is nothing to remember")}
	}
	draft := memory.Draft{
		Kind: kinds[0], Trust: memory.Saved, Gist: c.Gist, Content: text, Outcome: memory.Outcome(c.Outcome), Source: "agent memory save",
		Tags: c.Tag, Files: c.File, Supersedes: c.Supersedes,
	}
	switch {
	case c.ForUser:
		draft.Scope = memory.ForUser
	case c.ForTeam:
		draft.Scope = memory.ForTeam
	}
	return draft, nil
}
