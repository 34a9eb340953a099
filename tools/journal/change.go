package journal

import (
	"context"
	"fmt"

	"tidepool/internal/journal"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// StartGhapInput is what start_ghap takes.
type StartGhapInput struct {
	Domain     string `json:"domain" jsonschema:"enum=debugging,enum=refactoring,enum=feature,enum=testing,enum=configuration,enum=documentation,enum=performance,enum=security,enum=integration" jsonschema_description:"What the work is about."`
	Strategy   string `json:"strategy" jsonschema:"enum=systematic-elimination,enum=trial-and-error,enum=research-first,enum=divide-and-conquer,enum=root-cause-analysis,enum=copy-from-similar,enum=check-assumptions,enum=read-the-error,enum=ask-user" jsonschema_description:"How you approach it."`
	Goal       string `json:"goal" jsonschema:"maxLength=1000" jsonschema_description:"What is to be achieved, in one sentence."`
	Hypothesis string `json:"hypothesis" jsonschema:"maxLength=1000" jsonschema_description:"What you believe to be the case."`
	Action     string `json:"action" jsonschema:"maxLength=1000" jsonschema_description:"What you will do because of it."`
	Prediction string `json:"prediction" jsonschema:"maxLength=1000" jsonschema_description:"What you will see if the hypothesis is right: which test passes, which command prints what."`
}

// StartGhapOutput is what start_ghap returns.
type StartGhapOutput struct {
	OK bool   `json:"ok"`
	ID string `json:"id"`
}

// StartGhap begins an entry.
func (t *Toolset) StartGhap(ctx context.Context, call tools.Call, in StartGhapInput) (StartGhapOutput, error) {
	j, owner, err := t.open(ctx, call)
	if err != nil {
		return StartGhapOutput{}, err
	}
	e, err := j.Start(ctx, owner, journal.Start{
		Domain: in.Domain, Strategy: in.Strategy, Goal: in.Goal,
		Supposition: journal.Supposition{Hypothesis: in.Hypothesis, Action: in.Action, Prediction: in.Prediction},
	})
	return StartGhapOutput{OK: err == nil, ID: e.ID}, err
}

// Text is the answer for a model.
func (o StartGhapOutput) Text() string {
	return fmt.Sprintf("Started %s. Tests and builds that you run are compared with the prediction.\n", o.ID)
}

// UpdateGhapInput is what update_ghap takes.
type UpdateGhapInput struct {
	Hypothesis string `json:"hypothesis,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"What you believe now."`
	Action     string `json:"action,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"What you will do now."`
	Prediction string `json:"prediction,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"What you expect to see now."`
	Strategy   string `json:"strategy,omitempty" jsonschema:"enum=systematic-elimination,enum=trial-and-error,enum=research-first,enum=divide-and-conquer,enum=root-cause-analysis,enum=copy-from-similar,enum=check-assumptions,enum=read-the-error,enum=ask-user" jsonschema_description:"How you approach it now."`
	Note       string `json:"note,omitempty" jsonschema:"maxLength=2000" jsonschema_description:"Something seen on the way; it is added to the notes."`
}

// UpdateGhapOutput is what update_ghap returns.
type UpdateGhapOutput struct {
	Success        bool `json:"success"`
	IterationCount int  `json:"iteration_count"` // suppositions so far
}

// UpdateGhap changes the active entry.
func (t *Toolset) UpdateGhap(ctx context.Context, call tools.Call, in UpdateGhapInput) (UpdateGhapOutput, error) {
	j, owner, err := t.open(ctx, call)
	if err != nil {
		return UpdateGhapOutput{}, err
	}
	e, err := j.Update(ctx, owner, journal.Update{
		Supposition: journal.Supposition{Hypothesis: in.Hypothesis, Action: in.Action, Prediction: in.Prediction},
		Strategy:    in.Strategy, Note: in.Note,
	})
	return UpdateGhapOutput{Success: err == nil, IterationCount: e.Iterations}, err
}

// Text is the answer for a model.
func (o UpdateGhapOutput) Text() string {
	return fmt.Sprintf("Updated; %s so far.\n", wording.Count(o.IterationCount, "iteration"))
}

// ResolveGhapInput is what resolve_ghap takes.
type ResolveGhapInput struct {
	Status    string          `json:"status" jsonschema:"enum=confirmed,enum=falsified,enum=abandoned" jsonschema_description:"confirmed: you saw what you predicted. falsified: you saw something else."`
	Result    string          `json:"result" jsonschema:"maxLength=2000" jsonschema_description:"What you saw."`
	Surprise  string          `json:"surprise,omitempty" jsonschema:"maxLength=2000" jsonschema_description:"What you had not expected. Required if falsified."`
	RootCause *rootCauseInput `json:"root_cause,omitempty" jsonschema_description:"Why the prediction was wrong. Required if falsified."`
	Lesson    *lessonInput    `json:"lesson,omitempty" jsonschema_description:"What is worth knowing next time."`
}

type rootCauseInput struct {
	Category    string `json:"category" jsonschema:"enum=wrong-assumption,enum=missing-knowledge,enum=oversight,enum=environment-issue,enum=misleading-symptom,enum=incomplete-fix,enum=wrong-scope,enum=test-isolation,enum=timing-issue" jsonschema_description:"Which kind of cause."`
	Description string `json:"description" jsonschema:"maxLength=2000" jsonschema_description:"The cause itself."`
}

type lessonInput struct {
	WhatWorked string `json:"what_worked" jsonschema:"maxLength=2000" jsonschema_description:"What led to the result."`
	Takeaway   string `json:"takeaway,omitempty" jsonschema:"maxLength=2000" jsonschema_description:"A rule for similar work, in one sentence."`
}

// ResolveGhapOutput is what resolve_ghap and abandon_ghap return.
type ResolveGhapOutput struct {
	OK      bool   `json:"ok"`
	ID      string `json:"id"`
	Tier    string `json:"confidence_tier"`    // gold: a hook saw the outcome; silver: it was reported; abandoned
	Memory  string `json:"memory,omitempty"`   // the id of the experience
	Value   string `json:"value,omitempty"`    // the id of the value that experiences now agree on
	NotKept string `json:"not_kept,omitempty"` // why there is no experience yet
}

// ResolveGhap ends the active entry.
func (t *Toolset) ResolveGhap(ctx context.Context, call tools.Call, in ResolveGhapInput) (ResolveGhapOutput, error) {
	j, owner, err := t.open(ctx, call)
	if err != nil {
		return ResolveGhapOutput{}, err
	}
	r := journal.Resolution{Status: journal.State(in.Status), Result: in.Result, Surprise: in.Surprise}
	if c := in.RootCause; c != nil {
		r.RootCause = &journal.RootCause{Category: c.Category, Description: c.Description}
	}
	if l := in.Lesson; l != nil {
		r.Lesson = &journal.Lesson{WhatWorked: l.WhatWorked, Takeaway: l.Takeaway}
	}
	return resolved(j.Resolve(ctx, owner, r))
}

func resolved(r journal.Resolved, err error) (ResolveGhapOutput, error) {
	if err != nil {
		return ResolveGhapOutput{}, err
	}
	out := ResolveGhapOutput{OK: true, ID: r.ID, Tier: string(r.Tier), Memory: r.Memory, Value: r.Value}
	if r.Problem != nil {
		out.NotKept = r.Problem.Error()
	}
	return out, nil
}

// Text is the answer for a model.
func (o ResolveGhapOutput) Text() string {
	text := fmt.Sprintf("Resolved %s, %s.", o.ID, o.Tier)
	if o.Memory != "" {
		text += " It is an experience now: " + o.Memory + "."
	}
	if o.NotKept != "" {
		text += " It is not an experience yet, and is tried again with the next entry: " + o.NotKept + "."
	}
	if o.Value != "" {
		text += " With it, experiences agree on its lesson: " + o.Value + "."
	}
	return text + "\n"
}

// AdoptGhapInput is what adopt_ghap takes.
type AdoptGhapInput struct {
	ID string `json:"id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"The entry that another session has left."`
}

// AdoptGhapOutput is what adopt_ghap returns.
type AdoptGhapOutput struct {
	OK bool `json:"ok"`
	shown
}

// AdoptGhap goes on with an entry that another session has left.
func (t *Toolset) AdoptGhap(ctx context.Context, call tools.Call, in AdoptGhapInput) (AdoptGhapOutput, error) {
	j, owner, err := t.open(ctx, call)
	if err != nil {
		return AdoptGhapOutput{}, err
	}
	e, err := j.Adopt(ctx, owner, in.ID)
	if err != nil {
		return AdoptGhapOutput{}, err
	}
	return AdoptGhapOutput{OK: true, shown: show(e)}, nil
}

// Text is the entry for a model.
func (o AdoptGhapOutput) Text() string { return "Adopted. " + stored + "\n" + o.text() }

// AbandonGhapInput is what abandon_ghap takes.
type AbandonGhapInput struct {
	ID     string `json:"id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"The entry; without it, your own active one."`
	Reason string `json:"reason" jsonschema:"maxLength=2000" jsonschema_description:"Why nobody goes on with it."`
}

// AbandonGhap gives up an entry: the caller's own, or one that another session has left.
func (t *Toolset) AbandonGhap(ctx context.Context, call tools.Call, in AbandonGhapInput) (ResolveGhapOutput, error) {
	j, owner, err := t.open(ctx, call)
	if err != nil {
		return ResolveGhapOutput{}, err
	}
	return resolved(j.Abandon(ctx, owner, in.ID, in.Reason))
}
