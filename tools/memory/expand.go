package memory

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// MemoryExpandInput is what memory_expand takes.
type MemoryExpandInput struct {
	ID string `json:"id" jsonschema:"minLength=1,maxLength=40" jsonschema_description:"The memory's id, as in mem_3f2a9c01b7de."`
}

// MemoryExpandOutput is what memory_expand returns.
type MemoryExpandOutput struct {
	remembered
	Source  string      `json:"source"` // where it came from
	Commit  string      `json:"commit,omitempty"`
	Before  []neighbour `json:"before"` // in the same session, in order
	After   []neighbour `json:"after"`
	History []happened  `json:"history"` // the oldest first
	now     time.Time
}

type neighbour struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Gist string `json:"gist"`
}

type happened struct {
	What    string `json:"what"` // learned, merged, superseded, helpful, unhelpful
	Session string `json:"session,omitempty"`
	Note    string `json:"note,omitempty"`
	At      string `json:"at"`
}

// MemoryExpand returns all that is known of a memory.
func (t *Toolset) MemoryExpand(ctx context.Context, _ tools.Call, in MemoryExpandInput) (*MemoryExpandOutput, error) {
	store, own, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	e, err := store.Expand(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &MemoryExpandOutput{
		remembered: rememberedAs(e.Memory, own, memory.MaxContent), Source: wording.Stored(e.Source, mostContent), Commit: wording.Stored(e.Commit, mostName),
		Before: neighbours(e.Before), After: neighbours(e.After), History: []happened{}, now: t.now(),
	}
	out.Foreign = e.Foreign
	for _, h := range e.History {
		out.History = append(out.History, happened{h.What, wording.Stored(h.Session, mostName), wording.Stored(h.Note, mostContent), timestamp(h.At)})
	}
	return out, nil
}

func neighbours(all []memory.Memory) []neighbour {
	found := []neighbour{}
	for _, m := range all {
		found = append(found, neighbour{m.ID, string(m.Kind), wording.Stored(m.Gist, memory.MaxGist)})
	}
	return found
}

// Text is the memory for a model.
func (o *MemoryExpandOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n%s\n%s", o.attribution(), stored, o.heading(o.now), quoted(o.Content))
	for _, fact := range []struct{ name, text string }{
		{"From", o.Source}, {"Session", o.Session}, {"Commit", o.Commit}, {"Tags", strings.Join(o.Tags, ", ")}, {"Files", strings.Join(o.Files, ", ")},
	} {
		if fact.text != "" {
			fmt.Fprintf(&b, "%s: %s\n", fact.name, fact.text)
		}
	}
	fmt.Fprintf(&b, "Confidence: %.2f\n", o.Confidence)
	for _, n := range o.Before {
		fmt.Fprintf(&b, "Before it: [%s] %s (%s)\n", n.Kind, n.Gist, n.ID)
	}
	for _, n := range o.After {
		fmt.Fprintf(&b, "After it: [%s] %s (%s)\n", n.Kind, n.Gist, n.ID)
	}
	for _, h := range o.History {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %s %s", h.At, h.What, h.Note), " ") + "\n")
	}
	return b.String()
}
