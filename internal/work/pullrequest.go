package work

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A PullRequest is that of a branch.
type PullRequest struct {
	Number         int       `json:"prNumber"`
	Title          string    `json:"prTitle"`
	Body           string    `json:"prBody"`
	Author         Author    `json:"prAuthor"`
	Labels         []Label   `json:"prLabels"`
	State          string    `json:"prState"` // OPEN, CLOSED, MERGED
	Draft          bool      `json:"prIsDraft"`
	URL            string    `json:"prUrl"`
	HeadRefName    string    `json:"prHeadRefName"`
	BaseRefName    string    `json:"prBaseRefName"`
	Comments       []Comment `json:"prComments"`
	Reviews        []Review  `json:"prReviews"`
	ReviewDecision string    `json:"prReviewDecision"` // APPROVED, CHANGES_REQUESTED, REVIEW_REQUIRED; "": none is asked for
	Checks         Checks    `json:"prChecks"`
}

// An Author is who wrote something on the server.
type Author struct {
	Login string `json:"login"`
	Name  string `json:"name,omitempty"`
}

// A Label is one that a pull request has.
type Label struct {
	Name string `json:"name"`
}

// A Comment is one on the pull request as a whole.
type Comment struct {
	Author    Author `json:"author"`
	Body      string `json:"body"`
	CreatedAt string `json:"createdAt"`
}

// A Review is a verdict on the pull request.
type Review struct {
	Author      Author `json:"author"`
	Body        string `json:"body"`
	State       string `json:"state"` // APPROVED, CHANGES_REQUESTED, COMMENTED, …
	SubmittedAt string `json:"submittedAt"`
}

// Checks count what runs on the server for a pull request.
type Checks struct {
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Pending int      `json:"pending"`
	Failing []string `json:"failing,omitempty"` // names of those that failed
}

// prFields are what gh is asked for.
const prFields = "number,title,body,author,labels,state,isDraft,url,headRefName,baseRefName,comments,reviews,reviewDecision,statusCheckRollup"

// A ghPullRequest is what gh prints of one.
type ghPullRequest struct {
	Number         int
	Title, Body    string
	Author         Author
	Labels         []Label
	State          string
	IsDraft        bool
	URL            string
	HeadRefName    string
	BaseRefName    string
	Comments       []Comment
	Reviews        []Review
	ReviewDecision string
	Rollup         []ghCheck `json:"statusCheckRollup"`
}

// A ghCheck is a check run, which has a status and then a conclusion, or a commit status, which has a state.
type ghCheck struct {
	Name, Context             string
	Status, Conclusion, State string
}

// pullRequest asks the server for the newest pull request of a branch; nil if there is none.
func (w *Work) pullRequest(ctx context.Context, of Repository, branch string) (*PullRequest, error) {
	out, err := w.gh(ctx, "pr", "list", "--repo", of.String(), "--head", branch, "--state", "all", "--limit", "1", "--json", prFields)
	if err != nil {
		return nil, err
	}
	var found []ghPullRequest
	start := jsonStart(out)
	if start < 0 {
		return nil, &ProgramError{Program: "gh", Args: []string{"pr"}, Err: errUnreadable(string(out))}
	}
	if err := json.Unmarshal(out[start:], &found); err != nil {
		return nil, &ProgramError{Program: "gh", Args: []string{"pr"}, Err: fmt.Errorf("reading its answer: %w", err)}
	}
	if len(found) == 0 {
		return nil, nil
	}
	return found[0].plain(), nil
}

// gh runs the GitHub CLI where it cannot ask anybody anything.
func (w *Work) gh(ctx context.Context, args ...string) ([]byte, error) {
	out, err := w.runner.run(ctx, "gh", args...)
	if failure, is := err.(*ProgramError); is && strings.Contains(strings.ToLower(failure.Stderr), "gh auth login") {
		return nil, &NotAuthenticatedError{}
	}
	return out, err
}

// A NotAuthenticatedError means that gh has no account.
type NotAuthenticatedError struct{}

func (*NotAuthenticatedError) Error() string { return "gh is not authenticated" }

// Hint says how to authenticate.
func (*NotAuthenticatedError) Hint() string {
	return "run gh auth login; a GH_TOKEN or GITHUB_TOKEN of your shell reaches the daemon only if environment.pass in .tidepool/config.json names it"
}

func (p ghPullRequest) plain() *PullRequest {
	pr := &PullRequest{
		Number: p.Number, Title: p.Title, Body: p.Body, Author: p.Author, Labels: append([]Label{}, p.Labels...),
		State: p.State, Draft: p.IsDraft, URL: p.URL, HeadRefName: p.HeadRefName, BaseRefName: p.BaseRefName,
		Comments: append([]Comment{}, p.Comments...), Reviews: append([]Review{}, p.Reviews...), ReviewDecision: p.ReviewDecision,
	}
	for _, c := range p.Rollup {
		pr.Checks.count(c)
	}
	return pr
}

func (s *Checks) count(c ghCheck) {
	switch outcome := c.Conclusion + c.State; outcome {
	case "SUCCESS", "NEUTRAL", "SKIPPED":
		s.Passed++
	case "", "PENDING", "EXPECTED":
		s.Pending++
	default: // FAILURE, ERROR, CANCELLED, TIMED_OUT, ACTION_REQUIRED, STALE, STARTUP_FAILURE
		s.Failed++
		s.Failing = append(s.Failing, c.Name+c.Context)
	}
}
