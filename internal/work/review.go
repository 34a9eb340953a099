package work

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A ReviewComment is one remark of a reviewer, on the pull request or on a line of it.
type ReviewComment struct {
	Author    string `json:"rcAuthor"`
	Body      string `json:"rcBody"`
	Path      string `json:"rcPath,omitempty"`
	Line      int    `json:"rcLine,omitempty"` // 0: the line is gone, or it is on no line
	State     string `json:"rcState"`          // of the review; COMMENTED for a remark on a line
	CreatedAt string `json:"rcCreatedAt"`
}

// Reviews returns the remarks on a pull request by author, the oldest first.
func (w *Work) Reviews(ctx context.Context, number int) (map[string][]ReviewComment, error) {
	p, err := within(ctx, w.times.git, w.position)
	if err != nil {
		return nil, err
	}
	if (p.remote == Repository{}) {
		return nil, errNoRemote
	}
	return within(ctx, w.times.hub, func(ctx context.Context) (map[string][]ReviewComment, error) {
		return w.reviewsOf(ctx, p.remote, number)
	})
}

type ghUser struct{ Login string }

// A ghRemark is a comment on a line, as the REST API tells it.
type ghRemark struct {
	User      ghUser
	Body      string
	Path      string
	Line      int
	CreatedAt string `json:"created_at"`
}

type ghVerdict struct {
	User        ghUser
	Body, State string
	SubmittedAt string `json:"submitted_at"`
}

func (w *Work) reviewsOf(ctx context.Context, of Repository, number int) (map[string][]ReviewComment, error) {
	remarks, err := list[ghRemark](ctx, w, of, fmt.Sprintf("pulls/%d/comments", number))
	if err != nil {
		return nil, err
	}
	verdicts, err := list[ghVerdict](ctx, w, of, fmt.Sprintf("pulls/%d/reviews", number))
	if err != nil {
		return nil, err
	}
	by := map[string][]ReviewComment{}
	add := func(c ReviewComment) { by[c.Author] = append(by[c.Author], c) }
	for _, r := range remarks {
		add(ReviewComment{r.User.Login, r.Body, r.Path, r.Line, "COMMENTED", r.CreatedAt})
	}
	for _, v := range verdicts {
		if v.Body != "" || v.State != "COMMENTED" { // a review that only carries remarks says nothing of its own
			add(ReviewComment{Author: v.User.Login, Body: v.Body, State: v.State, CreatedAt: v.SubmittedAt})
		}
	}
	for _, said := range by {
		slices.SortStableFunc(said, func(a, b ReviewComment) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
	}
	return by, nil
}

// list asks GitHub's REST API for all pages of a list. gh prints one array a page.
func list[T any](ctx context.Context, w *Work, of Repository, path string) ([]T, error) {
	out, err := w.gh(ctx, "api", "--hostname", of.Host, "--paginate", fmt.Sprintf("repos/%s/%s/%s?per_page=100", of.Owner, of.Name, path))
	if err != nil {
		return nil, err
	}
	if start := jsonStart(out); start >= 0 {
		out = out[start:]
	}
	var all []T
	for pages := json.NewDecoder(bytes.NewReader(out)); ; {
		var page []T
		switch err := pages.Decode(&page); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, &ProgramError{Program: "gh", Args: []string{"api"}, Err: fmt.Errorf("reading its answer: %w", err)}
		}
		all = append(all, page...)
	}
}
