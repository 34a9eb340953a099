package conversation

import (
	"context"
	"time"

	"tidepool/internal/conversation"
	"tidepool/internal/moment"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// SearchConversationsInput is what search_conversations takes.
type SearchConversationsInput struct {
	Query     string `json:"query" means:"question" jsonschema:"minLength=1,maxLength=2000" jsonschema_description:"Words of what was said, most telling first: names, errors, files. A \"quoted phrase\" must occur."`
	Limit     int    `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=100,default=10" jsonschema_description:"How many turns to return."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Search this session only: its id, or the beginning of it."`
	Project   string `json:"project,omitempty" jsonschema:"maxLength=500" jsonschema_description:"Search only checkouts and worktrees whose path contains this."`
	Since     string `json:"since,omitempty" jsonschema:"maxLength=60" jsonschema_description:"Only turns since then: 2w (two weeks ago; m, h, d, w, y), yesterday, 2025-11-03, or RFC 3339."`
	Until     string `json:"until,omitempty" jsonschema:"maxLength=60" jsonschema_description:"Only turns before then."`
	Role      string `json:"role,omitempty" jsonschema:"enum=user,enum=assistant" jsonschema_description:"Look at prompts only, or at answers only. Both by default."`
	Subagents bool   `json:"subagents,omitempty" jsonschema:"default=false" jsonschema_description:"Search what subagents did, too."`
	Budget    int    `json:"budget,omitempty" jsonschema:"minimum=200,maximum=12000,default=1500" jsonschema_description:"Tokens that the answer may take. Turns that do not fit are counted."`
	Cursor    string `json:"cursor,omitempty" jsonschema:"maxLength=40" jsonschema_description:"To go on: the cursor of the answer before, with the same query."`
}

// SearchConversationsOutput is what search_conversations returns.
type SearchConversationsOutput struct {
	Results      []searchResult `json:"results"` // best first
	Query        string         `json:"query"`
	Total        int            `json:"total"`   // results returned
	Matches      int            `json:"matches"` // turns that match
	UnknownWords []string       `json:"unknown_words,omitempty"`
	IgnoredWords []string       `json:"ignored_words,omitempty"` // with no match alone: nothing was searched for but these
	Completeness completeness   `json:"completeness"`
	Cursor       string         `json:"cursor,omitempty"` // continues; absent: that is all

	hits   []conversation.Hit
	skip   int
	reader reader
}

type searchResult struct {
	SessionID  string   `json:"session_id"`
	Project    string   `json:"project"`
	TurnNumber int      `json:"turn_number"`
	Score      float64  `json:"score"`
	Snippet    string   `json:"snippet"`
	Timestamp  string   `json:"timestamp"` // RFC 3339, UTC; "": unknown
	Title      string   `json:"title"`
	Files      []string `json:"files,omitempty"`
	Abandoned  bool     `json:"abandoned,omitempty"`
	Resumable  bool     `json:"resumable"`
}

// SearchConversations finds turns by what was said in them.
func (c *Toolset) SearchConversations(ctx context.Context, call tools.Call, in SearchConversationsInput) (*SearchConversationsOutput, error) {
	r := c.reader()
	q, err := in.query(r.now)
	if err != nil {
		return nil, err
	}
	if call.Caller.Session != "" {
		q.Except = conversation.Place{Session: call.Caller.Session, Turn: conversation.CurrentTurn}
	}
	found, err := c.Archive.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &SearchConversationsOutput{
		Query: wording.Visible(in.Query), Matches: found.Matches, UnknownWords: visible(found.Unknown), IgnoredWords: ignored(found), Completeness: completenessOf(found.State),
		skip: q.Skip, reader: r,
	}
	out.take(found.Hits, in)
	return out, nil
}

// ignored returns the words that count for nothing, if an answer without a match needs them to be understood.
func ignored(found conversation.Found) []string {
	if found.Matches > 0 {
		return nil
	}
	return visible(found.Ignored)
}

// query returns what the archive is asked.
func (in SearchConversationsInput) query(now time.Time) (conversation.Query, error) {
	q := conversation.Query{
		Text: in.Query, Limit: in.Limit, Session: in.SessionID, Project: in.Project, Role: in.Role, Subagents: in.Subagents,
	}
	var err error
	if q.Since, err = moment.Parse(in.Since, now); err != nil {
		return q, err
	}
	if q.Until, err = moment.Parse(in.Until, now); err != nil {
		return q, err
	}
	q.Skip, err = in.skip()
	return q, err
}

// take keeps the hits that the budget has room for, at least one.
func (o *SearchConversationsOutput) take(hits []conversation.Hit, in SearchConversationsInput) {
	room := in.Budget*bytesPerToken - searchFrame
	o.Results = make([]searchResult, 0, len(hits))
	for i, hit := range hits {
		if room -= len(o.reader.hit(o.skip+i+1, hit)); room < 0 && i > 0 {
			break
		}
		o.hits = append(o.hits, hit)
		o.Results = append(o.Results, searchResult{
			SessionID: wording.Visible(hit.Session), Project: wording.Visible(hit.Project), TurnNumber: hit.Turn, Score: rounded(hit.Score),
			Snippet: wording.Visible(joined(hit.Snippet)), Timestamp: timestamp(hit.At), Title: wording.Visible(hit.Title),
			Files: visible(hit.Files), Abandoned: hit.Abandoned, Resumable: hit.Resumable,
		})
	}
	o.Total = len(o.Results)
	if next := o.skip + o.Total; o.Total > 0 && next < o.Matches && (o.Total < len(hits) || o.Total == in.Limit) {
		o.Cursor = in.cursor(next)
	}
}
