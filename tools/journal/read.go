package journal

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"tidepool/internal/journal"
	"tidepool/internal/moment"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// shown is an active entry in an output.
type shown struct {
	ID             *string `json:"id"` // all are null if there is none
	Domain         *string `json:"domain"`
	Strategy       *string `json:"strategy"`
	Goal           *string `json:"goal"`
	Hypothesis     *string `json:"hypothesis"`
	Action         *string `json:"action"`
	Prediction     *string `json:"prediction"`
	IterationCount *int    `json:"iteration_count"`
	CreatedAt      *string `json:"created_at"` // RFC 3339, UTC

	notes []string
}

func show(e journal.Entry) shown {
	text := func(s string) *string { return new(wording.Unmarked(s)) }
	return shown{
		ID: text(e.ID), Domain: text(e.Domain), Strategy: text(e.Strategy), Goal: text(e.Goal), Hypothesis: text(e.Hypothesis),
		Action: text(e.Action), Prediction: text(e.Prediction), IterationCount: &e.Iterations, CreatedAt: new(stamp(e.Created)), notes: e.Notes,
	}
}

// mostNotes is how many notes an answer shows, the last ones.
const mostNotes = 10

func (s shown) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s by %s, %s\n", *s.ID, *s.Domain, *s.Strategy, wording.Count(*s.IterationCount, "iteration"))
	fmt.Fprintf(&b, "Goal: %s\nHypothesis: %s\nAction: %s\nPrediction: %s\n", line(*s.Goal), line(*s.Hypothesis), line(*s.Action), line(*s.Prediction))
	if before := len(s.notes) - mostNotes; before > 0 {
		fmt.Fprintf(&b, "(%s before)\n", wording.Count(before, "note"))
	}
	for _, note := range s.notes[max(0, len(s.notes)-mostNotes):] {
		fmt.Fprintf(&b, "Note: %s\n", line(note))
	}
	return b.String()
}

// GetActiveGhapInput is what get_active_ghap takes: nothing.
type GetActiveGhapInput struct{}

// GetActiveGhapOutput is what get_active_ghap returns.
type GetActiveGhapOutput struct {
	shown
	HasActive bool   `json:"has_active"`
	Orphans   []left `json:"orphans,omitempty"` // entries that other sessions have left, if there is no active one
}

// A left entry can be adopted.
type left struct {
	ID         string `json:"id"`
	SessionID  string `json:"session_id"`
	Goal       string `json:"goal"`
	Hypothesis string `json:"hypothesis"`
	CreatedAt  string `json:"created_at"`
}

// mostOrphans is how many entries of other sessions are shown.
const mostOrphans = 5

// GetActiveGhap returns the caller's active entry.
func (t *Toolset) GetActiveGhap(ctx context.Context, call tools.Call, _ GetActiveGhapInput) (*GetActiveGhapOutput, error) {
	j, owner, err := t.open(ctx, call)
	if err != nil {
		return nil, err
	}
	e, err := j.Active(ctx, owner)
	if err != nil {
		return nil, err
	}
	if e != nil {
		return &GetActiveGhapOutput{HasActive: true, shown: show(*e)}, nil
	}
	orphans, err := j.Orphans(ctx, owner, mostOrphans)
	out := &GetActiveGhapOutput{}
	for _, o := range orphans {
		out.Orphans = append(out.Orphans, left{
			ID: o.ID, SessionID: line(o.Session), Goal: wording.Unmarked(o.Goal), Hypothesis: wording.Unmarked(o.Hypothesis), CreatedAt: stamp(o.Created),
		})
	}
	return out, err
}

// Text is the entry for a model.
func (o *GetActiveGhapOutput) Text() string {
	if o.HasActive {
		return stored + "\n" + o.text()
	}
	if len(o.Orphans) == 0 {
		return "No active entry. start_ghap begins one.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "No active entry of yours. Other sessions have left %s; adopt_ghap goes on, abandon_ghap ends one. %s\n", wording.Count(len(o.Orphans), "unfinished one"), stored)
	for _, e := range o.Orphans {
		fmt.Fprintf(&b, "%s\nGoal: %s\nHypothesis: %s\n", e.ID, line(e.Goal), line(e.Hypothesis))
	}
	return b.String()
}

// ListGhapEntriesInput is what list_ghap_entries takes.
type ListGhapEntriesInput struct {
	Limit   int    `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=100,default=20" jsonschema_description:"How many entries to return."`
	Domain  string `json:"domain,omitempty" jsonschema:"enum=debugging,enum=refactoring,enum=feature,enum=testing,enum=configuration,enum=documentation,enum=performance,enum=security,enum=integration" jsonschema_description:"Only entries about this."`
	Outcome string `json:"outcome,omitempty" jsonschema:"enum=confirmed,enum=falsified,enum=abandoned" jsonschema_description:"Only entries that ended so."`
	Since   string `json:"since,omitempty" jsonschema:"maxLength=60" jsonschema_description:"Only entries begun since then: 2w (m, h, d, w, y), yesterday, 2025-11-03, or RFC 3339."`
}

// ListGhapEntriesOutput is what list_ghap_entries returns.
type ListGhapEntriesOutput struct {
	Results []listed `json:"results"` // the last begun first
	Count   int      `json:"count"`   // of the results
}

type listed struct {
	ID             string `json:"id"`
	Domain         string `json:"domain"`
	Strategy       string `json:"strategy"`
	Goal           string `json:"goal"`
	Outcome        string `json:"outcome"`
	Result         string `json:"result"`
	Lesson         string `json:"lesson,omitempty"`
	Tier           string `json:"confidence_tier"`
	IterationCount int    `json:"iteration_count"`
	CreatedAt      string `json:"created_at"`
}

// ListGhapEntries lists entries that were resolved.
func (t *Toolset) ListGhapEntries(ctx context.Context, _ tools.Call, in ListGhapEntriesInput) (*ListGhapEntriesOutput, error) {
	since, err := moment.Parse(in.Since, time.Now())
	if err != nil {
		return nil, err
	}
	j, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	found, err := j.List(ctx, journal.Query{Domain: in.Domain, Outcome: journal.State(in.Outcome), Since: since, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &ListGhapEntriesOutput{Results: make([]listed, len(found)), Count: len(found)}
	for i, e := range found {
		out.Results[i] = listed{
			ID: e.ID, Domain: e.Domain, Strategy: e.Strategy, Goal: wording.Unmarked(e.Goal), Outcome: string(e.Outcome.Status),
			Result: wording.Unmarked(e.Outcome.Result), Tier: string(e.Tier), IterationCount: e.Iterations, CreatedAt: stamp(e.Created),
		}
		if e.Lesson != nil {
			out.Results[i].Lesson = wording.Unmarked(cmp.Or(e.Lesson.Takeaway, e.Lesson.WhatWorked))
		}
	}
	return out, nil
}

// mostListed bounds a text in a list, in characters.
const mostListed = 200

// Text is the list for a model.
func (o *ListGhapEntriesOutput) Text() string {
	if o.Count == 0 {
		return "No resolved entry.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, the last begun first. %s\n", wording.Count(o.Count, "resolved entry"), stored)
	for _, e := range o.Results {
		fmt.Fprintf(&b, "%s %s, %s (%s), %s: %s\n   %s\n", e.ID, e.CreatedAt[:len(time.DateOnly)], e.Outcome, e.Tier, e.Domain,
			wording.Stored(e.Goal, mostListed), wording.Stored(cmp.Or(e.Lesson, e.Result), mostListed))
	}
	return b.String()
}
