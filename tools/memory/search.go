package memory

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"tidepool/internal/claudememory"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// MemorySearchInput is what memory_search takes.
type MemorySearchInput struct {
	Query   string `json:"query" means:"question" jsonschema:"minLength=1,maxLength=2000" jsonschema_description:"Words of what you look for. A \"quoted phrase\" must occur."`
	Limit   int    `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=50,default=10" jsonschema_description:"How many passages to return."`
	Project string `json:"project,omitempty" jsonschema:"maxLength=500" jsonschema_description:"Search the memory directories of other projects instead: those whose path contains this."`
}

// MemorySearchOutput is what memory_search returns.
type MemorySearchOutput struct {
	Passages []passage `json:"passages"` // best first
	Matches  int       `json:"matches"`  // passages that match
	Files    int       `json:"files"`    // that were searched
	Skipped  []skipped `json:"skipped,omitempty"`
	More     int       `json:"more_skipped,omitempty"`
	Complete bool      `json:"complete"` // nothing was skipped
}

type passage struct {
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	EndLine   int     `json:"end_line"`
	Kind      string  `json:"kind"` // managed, user, project, local, auto, topic
	Heading   string  `json:"heading,omitempty"`
	Snippet   string  `json:"snippet"`
	Score     float64 `json:"score"`
}

type skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// mostPath bounds a path in an answer, in characters.
const mostPath = 1000

// MemorySearch finds passages of Claude Code's own memory files.
func (t *Toolset) MemorySearch(ctx context.Context, call tools.Call, in MemorySearchInput) (*MemorySearchOutput, error) {
	found, err := t.Files.Search(ctx, claudememory.Query{Text: in.Query, Dir: cmp.Or(call.Caller.Dir, t.Root), Project: in.Project, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &MemorySearchOutput{Passages: []passage{}, Matches: found.Matches, Files: found.Files, More: found.More, Complete: len(found.Skipped) == 0 && found.More == 0}
	for _, h := range found.Hits {
		out.Passages = append(out.Passages, passage{
			Path: wording.Stored(h.Path, mostPath), StartLine: h.First, EndLine: h.Last, Kind: string(h.Kind), Heading: wording.Stored(h.Heading, mostName),
			Snippet: wording.Stored(h.Snippet, mostContent), Score: rounded(h.Score),
		})
	}
	for _, s := range found.Skipped {
		out.Skipped = append(out.Skipped, skipped{wording.Stored(s.Path, mostPath), wording.Stored(s.Why, mostContent)})
	}
	return out, nil
}

// Text is the answer for a model.
func (o *MemorySearchOutput) Text() string {
	var b strings.Builder
	if len(o.Passages) == 0 {
		fmt.Fprintf(&b, "No passage found in %s.\n", wording.Count(o.Files, "memory file"))
	} else {
		fmt.Fprintf(&b, "%d of %s in %s, best first. Quoted files; Read has the whole.\n", len(o.Passages), wording.Count(o.Matches, "passage"), wording.Count(o.Files, "memory file"))
	}
	for i, p := range o.Passages {
		fmt.Fprintf(&b, "%-2d %s:%d-%d (%s", i+1, p.Path, p.StartLine, p.EndLine, p.Kind)
		if p.Heading != "" {
			fmt.Fprintf(&b, ", %q", p.Heading)
		}
		b.WriteString(")\n" + quoted(p.Snippet))
	}
	for _, s := range o.Skipped {
		fmt.Fprintf(&b, "Not read: %s: %s\n", s.Path, s.Why)
	}
	if o.More > 0 {
		fmt.Fprintf(&b, "Not read: %s more\n", wording.Count(o.More, "file"))
	}
	return b.String()
}
