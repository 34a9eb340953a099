package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// MemoryStatusInput is what memory_status takes: nothing.
type MemoryStatusInput struct{}

// MemoryStatusOutput is what memory_status returns.
type MemoryStatusOutput struct {
	State    string         `json:"state"` // ready, building, partial, off
	Why      string         `json:"why,omitempty"`
	Database string         `json:"database,omitempty"` // its path
	Bytes    int64          `json:"bytes"`
	Project  string         `json:"project,omitempty"`
	Memories int            `json:"memories"` // of all projects
	Own      int            `json:"own"`      // of this project
	Projects int            `json:"projects"`
	Kinds    map[string]int `json:"kinds"`
	Entries  int            `json:"journal_entries"`
	Indexed  int            `json:"indexed"` // memories that can be found
	Snapshot string         `json:"snapshot,omitempty"`
	Queued   int            `json:"queued"` // learned and not written yet
	Lost     int            `json:"lost"`   // could not be kept since the daemon started
	LostWhy  string         `json:"lost_why,omitempty"`
}

// MemoryStatus says how much is remembered, and what is off.
func (t *Toolset) MemoryStatus(ctx context.Context, _ tools.Call, _ MemoryStatusInput) (*MemoryStatusOutput, error) {
	store, own, err := t.Open(ctx)
	if err != nil {
		return &MemoryStatusOutput{State: "off", Why: off(err).Why, Kinds: map[string]int{}}, nil
	}
	s := store.Status(ctx)
	out := &MemoryStatusOutput{
		State: s.Index, Why: wording.Stored(join(s.Problem, s.IndexWhy, s.Place), mostContent), Database: wording.Stored(s.Path, mostContent), Bytes: s.Counts.Bytes,
		Project: wording.Stored(own.Name, mostName), Memories: s.Counts.Memories, Own: s.Counts.Projects[own.Key], Projects: len(s.Counts.Projects), Kinds: kindsIn(s.Counts.Kinds),
		Entries: s.Counts.Entries, Indexed: s.IndexDocs, Snapshot: timestamp(s.Snapshot), Queued: s.Queued, Lost: s.Lost, LostWhy: wording.Stored(s.LostWhy, mostContent),
	}
	return out, nil
}

// join joins the reasons that there are.
func join(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(r string) bool { return r == "" }), "; ")
}

func kindsIn(counts map[memory.Kind]int) map[string]int {
	named := map[string]int{}
	for kind, n := range counts {
		named[string(kind)] = n
	}
	return named
}

// Text is the status for a model.
func (o *MemoryStatusOutput) Text() string {
	if o.State == "off" {
		return "Recall is off: " + strings.TrimPrefix(o.Why, "recall is off: ") + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Recall is on, the index is %s.\n", o.State)
	if o.Why != "" {
		fmt.Fprintf(&b, "Note: %s\n", o.Why)
	}
	fmt.Fprintf(&b, "%s of %s, %d of this one (%s); %s of the journal\n", wording.Count(o.Memories, "memory"), wording.Count(o.Projects, "project"), o.Own, o.Project,
		wording.Count(o.Entries, "entry"))
	for _, kind := range kindNames() {
		if n := o.Kinds[kind]; n > 0 {
			fmt.Fprintf(&b, "  %s: %d\n", kind, n)
		}
	}
	fmt.Fprintf(&b, "Database: %s, %d KB; %d can be found\n", o.Database, o.Bytes>>10, o.Indexed)
	if o.Queued > 0 || o.Lost > 0 {
		fmt.Fprintf(&b, "Waiting to be written: %d; could not be kept: %d %s\n", o.Queued, o.Lost, o.LostWhy)
	}
	return b.String()
}
