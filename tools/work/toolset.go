// Package work has the tools around the state of the work: issues, checkouts, pull requests.
package work

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tidepool/internal/ask"
	"tidepool/internal/work"
	"tidepool/tools"
	"tidepool/tools/people"
)

//go:embed desc/*.md
var descriptions embed.FS

// A Toolset is about the work around the code. What reaches beyond the project asks the user first.
type Toolset struct {
	Work   *work.Work // of the project's directory
	Root   string     // that directory, absolute
	People *people.Toolset
}

// at returns the work of the checkout where the caller is.
func (e *Toolset) at(call tools.Call) *work.Work {
	if call.Caller.Dir != "" {
		return e.Work.At(call.Caller.Dir)
	}
	return e.Work
}

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

// BeadInput names an issue.
type BeadInput struct {
	BeadID string `json:"bead_id,omitempty" means:"issue" jsonschema:"maxLength=100" jsonschema_description:"The issue's id. Without it, the issue that the checked-out branch is named after."`
}

// ExoStatusOutput is what exo_status returns.
type ExoStatusOutput struct {
	work.Status
	Sync *work.SyncOutcome `json:"sync,omitempty"` // of exo_reconstitute
}

// ExoStatus tells how the work stands.
func (e *Toolset) ExoStatus(ctx context.Context, call tools.Call, in BeadInput) (*ExoStatusOutput, error) {
	status := e.at(call).Status(ctx, in.BeadID)
	return &ExoStatusOutput{Status: status}, context.Cause(ctx)
}

// ExoReconstitute syncs the tracker, then tells how the work stands.
func (e *Toolset) ExoReconstitute(ctx context.Context, call tools.Call, in BeadInput) (*ExoStatusOutput, error) {
	w := e.at(call)
	sync := w.Sync(ctx)
	status := w.Status(ctx, in.BeadID)
	return &ExoStatusOutput{Status: status, Sync: &sync}, context.Cause(ctx)
}

// ExoCompleteOutput is what exo_complete returns.
type ExoCompleteOutput struct{ work.Completion }

// ExoComplete closes an issue.
func (e *Toolset) ExoComplete(ctx context.Context, call tools.Call, in BeadInput) (ExoCompleteOutput, error) {
	c, err := e.at(call).Complete(ctx, in.BeadID)
	return ExoCompleteOutput{c}, err
}

// Text tells a model what became of it.
func (o ExoCompleteOutput) Text() string { return ask.Plain(o.Message) + "\n" }

// FilePRInput is what file_pr takes.
type FilePRInput struct {
	BeadID string `json:"bead_id,omitempty" means:"issue" jsonschema:"maxLength=100" jsonschema_description:"The issue that the pull request is about. Without it, the one that the branch is named after."`
	Title  string `json:"title,omitempty" jsonschema:"maxLength=300" jsonschema_description:"Title of the pull request. Without it, the issue's, with its id in front."`
}

// FilePROutput is what file_pr returns.
type FilePROutput struct {
	URL   *string `json:"url"`
	Error *string `json:"error"`
}

// FilePR files a pull request of the branch, after the user has agreed.
func (e *Toolset) FilePR(ctx context.Context, call tools.Call, in FilePRInput) (FilePROutput, error) {
	w := e.at(call)
	draft, err := w.DraftPR(ctx, in.BeadID, in.Title)
	if err != nil {
		return FilePROutput{}, err
	}
	asked, err := e.People.ConfirmAction(ctx, call, people.ConfirmActionInput{
		Action:  fmt.Sprintf("File a pull request on %s: %s", draft.Repository, draft.Title),
		Details: fmt.Sprintf("from %s into %s\n\n%s", draft.Head, draft.Base, draft.Body),
	})
	if err != nil {
		return FilePROutput{}, err
	}
	if !asked.Confirmed {
		no := "the user said no (" + asked.Channel + ")"
		return FilePROutput{Error: &no}, nil
	}
	url, err := w.FilePR(ctx, draft)
	if err != nil {
		return FilePROutput{}, err
	}
	return FilePROutput{URL: &url}, nil
}

// Text tells a model what became of it.
func (o FilePROutput) Text() string {
	if o.URL == nil {
		return "Not filed: " + *o.Error + "\n"
	}
	return "Filed: " + ask.Plain(*o.URL) + "\n"
}

// PRReviewStatusInput is what pr_review_status takes.
type PRReviewStatusInput struct {
	PRNumber int `json:"pr_number" jsonschema:"minimum=1" jsonschema_description:"Number of the pull request."`
}

// PRReviewStatusOutput is what pr_review_status returns: remarks by author, oldest first.
type PRReviewStatusOutput map[string][]work.ReviewComment

// PRReviewStatus lists what reviewers have said of a pull request.
func (e *Toolset) PRReviewStatus(ctx context.Context, call tools.Call, in PRReviewStatusInput) (PRReviewStatusOutput, error) {
	return e.at(call).Reviews(ctx, in.PRNumber)
}

// SpawnAgentsInput is what spawn_agents takes.
type SpawnAgentsInput struct {
	BeadIDs []string `json:"bead_ids" means:"issue" jsonschema:"minItems=1,maxItems=20" jsonschema_description:"The issues, one worktree each."`
}

// SpawnAgentsOutput is what spawn_agents returns.
type SpawnAgentsOutput struct{ work.Spawned }

// SpawnAgents makes a worktree for each issue. Those outside of the project's directory need the user's consent.
func (e *Toolset) SpawnAgents(ctx context.Context, call tools.Call, in SpawnAgentsInput) (SpawnAgentsOutput, error) {
	w := e.at(call)
	plots, failed, err := w.PlanWorktrees(ctx, in.BeadIDs)
	if err != nil {
		return SpawnAgentsOutput{}, err
	}
	if err := e.consent(ctx, call, plots); err != nil {
		return SpawnAgentsOutput{}, err
	}
	s := w.Spawn(ctx, plots)
	s.Failed = append(failed, s.Failed...)
	return SpawnAgentsOutput{s}, nil
}

// consent asks the user if a worktree would lie outside of the project.
func (e *Toolset) consent(ctx context.Context, call tools.Call, plots []work.PlannedWorktree) error {
	var outside []string
	for _, p := range plots {
		if below, err := filepath.Rel(e.Root, p.Path); err != nil || !filepath.IsLocal(below) {
			outside = append(outside, p.Path)
		}
	}
	if len(outside) == 0 {
		return nil
	}
	asked, err := e.People.ConfirmAction(ctx, call, people.ConfirmActionInput{
		Action: "Make git worktrees outside of the project's directory", Details: strings.Join(outside, "\n"),
	})
	if err != nil {
		return err
	}
	if !asked.Confirmed {
		return errors.New("the user said no (" + asked.Channel + "): no worktree was made")
	}
	return nil
}
