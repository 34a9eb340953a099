package conversation

import (
	"context"

	"tidepool/internal/conversation"
	"tidepool/internal/moment"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// ListConversationsInput is what list_conversations takes.
type ListConversationsInput struct {
	Project string `json:"project,omitempty" jsonschema:"maxLength=500" jsonschema_description:"List only checkouts and worktrees whose path contains this."`
	Limit   int    `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=200,default=50" jsonschema_description:"How many sessions to return."`
	Since   string `json:"since,omitempty" jsonschema:"maxLength=60" jsonschema_description:"Only sessions with a turn since then: 2w (m, h, d, w, y), yesterday, 2025-11-03, or RFC 3339."`
	Query   string `json:"query,omitempty" means:"question" jsonschema:"maxLength=500" jsonschema_description:"Only sessions whose title or first prompt contains this."`
}

// ListConversationsOutput is what list_conversations returns.
type ListConversationsOutput struct {
	Conversations []listed     `json:"conversations"` // the latest first
	Total         int          `json:"total"`         // that there are, returned or not
	Completeness  completeness `json:"completeness"`

	found  []conversation.Summary
	reader reader
}

type listed struct {
	SessionID      string `json:"session_id"`
	Slug           string `json:"slug"`
	Summary        string `json:"summary"`
	FirstTimestamp string `json:"first_timestamp"` // RFC 3339, UTC; "": unknown
	LastTimestamp  string `json:"last_timestamp"`
	TurnCount      int    `json:"turn_count"`
	Cwd            string `json:"cwd"`
	GitBranch      string `json:"git_branch"`
	Project        string `json:"project"`
	Resumable      bool   `json:"resumable"`
}

// ListConversations lists sessions, the latest first.
func (c *Toolset) ListConversations(ctx context.Context, _ tools.Call, in ListConversationsInput) (*ListConversationsOutput, error) {
	r := c.reader()
	since, err := moment.Parse(in.Since, r.now)
	if err != nil {
		return nil, err
	}
	found, total, state, err := c.Archive.List(ctx, conversation.ListQuery{Project: in.Project, Text: in.Query, Since: since, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &ListConversationsOutput{Conversations: make([]listed, len(found)), Total: total, Completeness: completenessOf(state), found: found, reader: r}
	for i, s := range found {
		out.Conversations[i] = listed{
			SessionID: wording.Visible(s.Session), Slug: wording.Visible(s.Slug), Summary: wording.Visible(s.Title),
			FirstTimestamp: timestamp(s.First), LastTimestamp: timestamp(s.Last), TurnCount: s.Turns,
			Cwd: wording.Visible(s.Cwd), GitBranch: wording.Visible(s.Branch), Project: wording.Visible(s.Project), Resumable: s.Resumable,
		}
	}
	return out, nil
}
