package memories

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/recall"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

type statusCommand struct {
	JSON bool `help:"Print one JSON object."`
}

// Run prints how much is remembered, where, and what is off. What only a daemon knows (whether its index is ready, what it has told)
// is in agent status.
func (c *statusCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	store, err := openRows(ctx, place, std)
	if err != nil {
		return err
	}
	status := store.Status(ctx)
	if err := closed(ctx, store, nil); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(std.Out).Encode(status)
	}
	p := page.New(std.Out)
	printStatus(p, &status)
	return p.Err()
}

func printStatus(p *page.Page, s *recall.Status) {
	own := s.Counts.Projects[s.Project.Key]
	p.Row(page.Good, "memories", fmt.Sprintf("%d of this project, %d in %s", own, s.Counts.Memories, wording.Count(len(s.Counts.Projects), "project")))
	p.Row(page.Plain, "kinds", kindsText(s))
	p.Row(page.Plain, "journal", wording.Count(s.Counts.Entries, "entry"))
	p.Row(page.Plain, "forgotten", wording.Count(s.Counts.Forgotten, "memory")+" that will not be learned again")
	p.Row(page.Plain, "database", fmt.Sprintf("%s, %.1f MB", s.Path, float64(s.Counts.Bytes)/(1<<20)))
	snapshot := "none yet; the next search makes the index from the database"
	if !s.Snapshot.IsZero() {
		snapshot = "written on " + s.Snapshot.Local().Format("2 Jan 2006 15:04")
	}
	p.Row(page.Plain, "snapshot", snapshot)
	if s.Place != "" {
		p.Row(page.Odd, "place", "this project's own, because "+s.Place)
	}
	for _, path := range s.Aside {
		p.Row(page.Odd, "set aside", path+" could not be read; what was forgotten may be in it")
	}
	if s.Problem != "" {
		p.Row(page.Bad, "PROBLEM", s.Problem)
	}
}

// kindsText is "3 fix, 12 note, 1 preference".
func kindsText(s *recall.Status) string {
	var parts []string
	for kind, n := range s.Counts.Kinds {
		parts = append(parts, fmt.Sprintf("%s %d", kind, n))
	}
	slices.Sort(parts)
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}
