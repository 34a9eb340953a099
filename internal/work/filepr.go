package work

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

var errNoRemote = errors.New("the repository has no remote on a server, so there are no pull requests")

// A Draft is a pull request that is not filed yet.
type Draft struct {
	Repository Repository
	Head, Base string // branches
	Title      string
	Body       string
}

// DraftPR writes the pull request of the branch from its issue: this one if id is not empty, else the branch's. An empty
// title becomes "[<id>] <the issue's title>". Nothing leaves the machine.
func (w *Work) DraftPR(ctx context.Context, id, title string) (Draft, error) {
	p, err := within(ctx, w.times.git, w.position)
	if err != nil {
		return Draft{}, err
	}
	branch := p.worktree.Branch
	switch {
	case branch == "":
		return Draft{}, errors.New("no branch is checked out, so there is nothing to file")
	case p.remote == Repository{}:
		return Draft{}, errNoRemote
	}
	if id == "" {
		id = w.IssueOf(branch)
	}
	d := Draft{Repository: p.remote, Head: branch, Title: title}
	if id != "" {
		bead, err := within(ctx, w.times.tracker, func(ctx context.Context) (*Bead, error) { return w.bead(ctx, id) })
		if err != nil {
			return Draft{}, err
		}
		d.describe(bead)
	}
	if d.Title == "" {
		return Draft{}, fmt.Errorf("branch %s names no issue to take a title from: pass title or bead_id", branch)
	}
	d.Base, err = within(ctx, w.times.hub, func(ctx context.Context) (string, error) { return w.defaultBranch(ctx, p.remote) })
	return d, err
}

func (d *Draft) describe(b *Bead) {
	if d.Title == "" {
		d.Title = fmt.Sprintf("[%s] %s", b.ID, b.Title)
	}
	description := b.Description
	if description == "" {
		description = "(No description)"
	}
	var body strings.Builder
	fmt.Fprintf(&body, "Closes %s\n\n## Description\n\n%s\n", b.ID, description)
	for _, part := range []struct {
		title string
		of    []Related
	}{{"Dependencies", b.Dependencies}, {"Dependents", b.Dependents}} {
		if len(part.of) == 0 {
			continue
		}
		fmt.Fprintf(&body, "\n## %s\n\n", part.title)
		for _, r := range part.of {
			fmt.Fprintf(&body, "  → %s: %s\n", r.ID, r.Title)
		}
	}
	d.Body = body.String()
}

// defaultBranch returns what pull requests are merged into.
func (w *Work) defaultBranch(ctx context.Context, of Repository) (string, error) {
	out, err := w.gh(ctx, "repo", "view", of.String(), "--json", "defaultBranchRef", "--jq", ".defaultBranchRef.name")
	return strings.TrimSpace(string(out)), err
}

// FilePR files a pull request on the server, where the branch must have been pushed to, and returns its URL.
func (w *Work) FilePR(ctx context.Context, d Draft) (url string, err error) {
	return within(ctx, w.times.hub, func(ctx context.Context) (string, error) {
		out, err := w.gh(ctx, "pr", "create", "--repo", d.Repository.String(), "--head", d.Head, "--base", d.Base, "--title", d.Title, "--body", d.Body)
		if err != nil {
			return "", err
		}
		lines := strings.Fields(string(out))
		if len(lines) == 0 || !strings.HasPrefix(lines[len(lines)-1], "https://") {
			return "", &ProgramError{Program: "gh", Args: []string{"pr"}, Err: errUnreadable(string(out))}
		}
		return lines[len(lines)-1], nil
	})
}
