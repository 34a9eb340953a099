package memories

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/protocol"
)

type showCommand struct {
	ID   string `arg:"" help:"The memory."`
	JSON bool   `help:"Print one JSON object."`
}

// Run prints a memory with all that is known of it.
func (c *showCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	store, err := openRows(ctx, place, std)
	if err != nil {
		return err
	}
	found, err := store.Expand(ctx, c.ID)
	if err := closed(ctx, store, err); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(std.Out).Encode(recordOf(&found.Memory))
	}
	p := page.New(std.Out)
	printExpanded(p, &found)
	return p.Err()
}

func printExpanded(p *page.Page, e *recall.Expanded) {
	m := &e.Memory
	p.Row(page.Plain, string(m.Kind), m.Gist)
	p.Row(page.Plain, "", describe(m, e.Foreign))
	if m.Content != m.Gist {
		printText(p, "text", m.Content)
	}
	for _, row := range []struct{ label, text string }{
		{"project", m.Project.Name + " (" + m.Project.Path + ")"},
		{"session", m.Session},
		{"source", m.Source},
		{"commit", m.Commit},
		{"tags", strings.Join(m.Tags, ", ")},
		{"files", strings.Join(m.Files, ", ")},
		{"believed", fmt.Sprintf("%.2f", confidence(m))},
	} {
		if row.text != "" {
			p.Row(page.Plain, row.label, row.text)
		}
	}
	printGists(p, "before it", e.Before)
	printGists(p, "after it", e.After)
	printHistory(p, e)
}

// printGists writes one line for each memory.
func printGists(p *page.Page, label string, all []memory.Memory) {
	for i := range all {
		p.Row(page.Plain, label, fmt.Sprintf("[%s] %s (%s)", all[i].Kind, all[i].Gist, all[i].ID))
		label = ""
	}
}

func printHistory(p *page.Page, e *recall.Expanded) {
	label := "history"
	for _, event := range e.History {
		text := day(event.At) + " " + event.What
		if event.Note != "" {
			text += ": " + event.Note
		}
		if event.Session != "" && event.Session != e.Session {
			text += " (session " + event.Session + ")"
		}
		p.Row(page.Plain, label, text)
		label = ""
	}
}
