package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// RemediationRecordInput is what remediation_record takes.
type RemediationRecordInput struct {
	Title         string   `json:"title" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"The problem and its end in one line."`
	Problem       string   `json:"problem" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"What went wrong, with the error message."`
	RootCause     string   `json:"root_cause" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"Why."`
	Solution      string   `json:"solution" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"What ended it."`
	Category      string   `json:"category,omitempty" jsonschema:"enum=compile,enum=runtime,enum=test,enum=lint,enum=security,enum=performance,enum=other,default=other" jsonschema_description:"Which kind of problem."`
	Symptoms      []string `json:"symptoms,omitempty" jsonschema:"maxItems=20" jsonschema_description:"How it shows."`
	CodeDiff      string   `json:"code_diff,omitempty" jsonschema:"maxLength=20000" jsonschema_description:"The change that ended it."`
	AffectedFiles []string `json:"affected_files,omitempty" jsonschema:"maxItems=32" jsonschema_description:"Paths, relative to the project."`
	Tags          []string `json:"tags,omitempty" jsonschema:"maxItems=8" jsonschema_description:"Words to find it by."`
	Scope         string   `json:"scope,omitempty" jsonschema:"enum=project,enum=user,enum=team,default=project" jsonschema_description:"For this project, for all projects of the user, or for the team."`
}

// RemediationRecordOutput is what remediation_record returns.
type RemediationRecordOutput struct {
	MemorySaveOutput
	Confidence float64 `json:"confidence"` // from 0 to 1; feedback changes it
}

// Limits of the parts of a remediation, in characters: together they fit into a memory.
const (
	mostReason  = 900
	mostSymptom = 500
	mostDiff    = 650
)

// RemediationRecord keeps a problem with its cause and its solution.
func (t *Toolset) RemediationRecord(ctx context.Context, call tools.Call, in RemediationRecordInput) (RemediationRecordOutput, error) {
	var b strings.Builder
	cut := false
	part := func(name, text string, most int) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		kept := wording.Clip(text, most)
		cut = cut || kept != text
		b.WriteString(name + ": " + kept + "\n")
	}
	part("Problem", in.Problem, mostReason)
	part("Symptoms", strings.Join(in.Symptoms, "; "), mostSymptom)
	part("Root cause", in.RootCause, mostReason)
	part("Solution", in.Solution, mostReason)
	part("Diff", in.CodeDiff, mostDiff)
	saved, err := t.save(ctx, call, memory.Draft{
		Kind: memory.Remediation, Scope: memory.Scope(in.Scope), Gist: in.Title, Content: b.String(), Outcome: memory.Success,
		Tags: append([]string{"category:" + in.Category}, in.Tags...), Files: in.AffectedFiles,
	})
	saved.Cut = saved.Cut || cut
	return RemediationRecordOutput{saved, 0.5}, err
}

// RemediationSearchInput is what remediation_search takes.
type RemediationSearchInput struct {
	Query         string  `json:"query" means:"question" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"The error message, or the problem in your words."`
	Limit         int     `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=50,default=10" jsonschema_description:"How many to return."`
	Category      string  `json:"category,omitempty" jsonschema:"enum=compile,enum=runtime,enum=test,enum=lint,enum=security,enum=performance,enum=other" jsonschema_description:"Only problems of this kind."`
	MinConfidence float64 `json:"min_confidence,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Only those that feedback has made at least so much of; 0.5 is none."`
	Scope         string  `json:"scope,omitempty" jsonschema:"enum=project,enum=user,enum=all,enum=team" jsonschema_description:"Whose: this project's, those for all projects of the user, all, or the team's. Without it, what recall.scope says."`
}

// RemediationSearchOutput is what remediation_search returns.
type RemediationSearchOutput struct {
	Remediations []remediation `json:"remediations"` // best first
	state
	found *MemoryRecallOutput
}

type remediation struct {
	ID              string  `json:"id"`
	Title           string  `json:"title"`
	ProblemPreview  string  `json:"problem_preview"`
	SolutionPreview string  `json:"solution_preview"`
	Category        string  `json:"category,omitempty"`
	Confidence      float64 `json:"confidence"`
	Score           float64 `json:"score"`
	Project         string  `json:"project"`
	Foreign         bool    `json:"foreign,omitempty"`
}

// mostFiltered is among how many of the best memories a category or a confidence chooses.
const mostFiltered = 50

// RemediationSearch finds problems that were solved before: those recorded, and those seen to end by rules.
func (t *Toolset) RemediationSearch(ctx context.Context, _ tools.Call, in RemediationSearchInput) (*RemediationSearchOutput, error) {
	q := recall.Query{Text: in.Query, Limit: in.Limit, Scope: in.Scope, Kinds: []memory.Kind{memory.Remediation, memory.Fix}}
	if in.Category != "" || in.MinConfidence > 0 {
		q.Limit = mostFiltered
	}
	found, err := t.recall(ctx, q)
	if err != nil {
		return nil, err
	}
	found.Memories = slices.DeleteFunc(found.Memories, func(r remembered) bool {
		return in.Category != "" && tagged(r.Tags, "category") != in.Category || r.Confidence < in.MinConfidence
	})
	found.Memories = found.Memories[:min(len(found.Memories), in.Limit)]
	out := &RemediationSearchOutput{Remediations: []remediation{}, state: found.state, found: found}
	for _, r := range found.Memories {
		out.Remediations = append(out.Remediations, remediation{
			ID: r.ID, Title: r.Gist, ProblemPreview: preview(r, "Problem"), SolutionPreview: preview(r, "Solution"), Category: tagged(r.Tags, "category"),
			Confidence: r.Confidence, Score: r.Score, Project: r.Project, Foreign: r.Foreign,
		})
	}
	return out, nil
}

// preview returns a part of a remediation on one line; of a fix that was learned by rules the whole as the problem.
func preview(r remembered, name string) string {
	text := "\n" + r.memory.Content
	start := strings.Index(text, "\n"+name+": ")
	switch {
	case start >= 0:
		text = text[start+len("\n"+name+": "):]
		for _, next := range []string{"Symptoms", "Root cause", "Solution", "Diff"} {
			text, _, _ = strings.Cut(text, "\n"+next+": ")
		}
	case name != "Problem":
		return ""
	}
	return wording.Stored(text, mostContent)
}

// Text is the answer for a model.
func (o *RemediationSearchOutput) Text() string {
	if len(o.Remediations) == 0 {
		return "No remediation found.\n" + o.text()
	}
	return o.found.Text()
}

// RemediationFeedbackInput is what remediation_feedback takes.
type RemediationFeedbackInput struct {
	RemediationID string `json:"remediation_id" jsonschema:"minLength=1,maxLength=40" jsonschema_description:"The remediation's id, as in mem_3f2a9c01b7de."`
	Rating        string `json:"rating" jsonschema:"enum=helpful,enum=not_helpful,enum=outdated" jsonschema_description:"Whether it solved the problem."`
	Comment       string `json:"comment,omitempty" jsonschema:"maxLength=2000" jsonschema_description:"What was different."`
}

// RemediationFeedback says whether a remediation was of use.
func (t *Toolset) RemediationFeedback(ctx context.Context, _ tools.Call, in RemediationFeedbackInput) (MemoryFeedbackOutput, error) {
	comment := in.Comment
	if in.Rating == "outdated" {
		comment = strings.TrimSpace("outdated " + comment)
	}
	out, err := t.feedback(ctx, in.RemediationID, in.Rating == "helpful", comment)
	if err != nil {
		return out, fmt.Errorf("remediation: %w", err)
	}
	return out, nil
}
