package mcpsource

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/conversation"
	"tidepool/internal/mcpfeature"
	"tidepool/internal/wording"
)

// A Lister lists sessions, as [conversation.Archive] does.
type Lister interface {
	List(ctx context.Context, q conversation.ListQuery) ([]conversation.Summary, int, conversation.Completeness, error)
}

// Conversations are the earlier sessions of the project.
type Conversations struct{ Archive Lister }

// List returns the latest sessions that have the text in their id, their title or their branch.
func (c *Conversations) List(ctx context.Context, q mcpfeature.Query) (mcpfeature.Found, error) {
	sessions, total, state, err := c.Archive.List(ctx, conversation.ListQuery{Text: q.Text, Limit: q.Limit})
	if err != nil {
		return mcpfeature.Found{}, err
	}
	found := mcpfeature.Found{Total: total, Lacks: lackOf(state)}
	for _, s := range sessions {
		about := []string{wording.Count(s.Turns, "turn")}
		if !s.Last.IsZero() {
			about = append(about, "last "+s.Last.Local().Format("2 Jan 2006"))
		}
		found.Items = append(found.Items, mcpfeature.Item{ID: s.Session, Title: s.Title, About: strings.Join(about, ", "), At: s.Last, Parts: s.Turns})
	}
	return found, nil
}

// lackOf returns why there may be other sessions.
func lackOf(c conversation.Completeness) string {
	switch c.State {
	case conversation.Indexing:
		return fmt.Sprintf("%d%% of the transcripts are read", int(c.Share*100))
	case conversation.Partial:
		return c.Why
	}
	return ""
}
