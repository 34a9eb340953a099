package tools

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidepool/internal/work"
	"tidepool/tools/internal/wording"
)

// shownFiles is how many dirty files a text lists.
const shownFiles = 30

// Text tells a model how the work stands.
func (o *ExoStatusOutput) Text() string {
	var p page
	if o.Sync != nil {
		p.line("%s", syncText(*o.Sync))
	}
	if o.Bead != nil {
		beadText(&p, o.Bead)
	}
	if o.Worktree != nil {
		p.line("worktree %s: %s", o.Worktree.Name, o.Worktree.Path)
	}
	if o.Branch != nil {
		p.line("%s", branchText(*o.Branch))
	}
	filesText(&p, o.Dirty)
	if o.PR != nil {
		pullRequestText(&p, o.PR)
	} else if !slices.ContainsFunc(o.Gaps, func(g work.Gap) bool { return g.Source == "gh" }) {
		p.line("no pull request of this branch")
	}
	for _, g := range o.Gaps {
		p.line("missing (%s): %s", g.Source, hinted(g.Reason, g.Hint))
	}
	sourcesText(&p, o.Sources)
	return p.String()
}

// sourcesText names the programs that were found.
func sourcesText(p *page, sources []work.Source) {
	var found []string
	for _, s := range sources {
		if s.Path != "" {
			found = append(found, strings.TrimSpace(s.Name+" "+s.Version))
		}
	}
	if len(found) > 0 {
		p.line("asked: %s", strings.Join(found, ", "))
	}
}

func hinted(reason, hint string) string {
	if hint == "" {
		return reason
	}
	return reason + ": " + hint
}

func syncText(s work.SyncOutcome) string {
	if s.Synced {
		return "issues synced by " + s.How
	}
	return "issues not synced: " + hinted(s.Reason, s.Hint)
}

func beadText(p *page, b *work.Bead) {
	p.line("%s %s: %s (%s, priority %d)", cmp.Or(b.IssueType, "issue"), b.ID, b.Title, b.Status, b.Priority)
	if b.Description != "" {
		p.line("%s", wording.Shorten(b.Description, 2000))
	}
	for _, of := range []struct {
		what    string
		related []work.Related
	}{{"needs", b.Dependencies}, {"is needed by", b.Dependents}} {
		for _, r := range of.related {
			p.line("  %s %s: %s (%s, %s)", of.what, r.ID, r.Title, r.Status, r.DependencyType)
		}
	}
}

func branchText(b work.Branch) string {
	text := "branch " + b.Name
	if b.Name == "" {
		text = "no branch, commit " + b.Commit
	}
	switch {
	case b.Gone:
		text += fmt.Sprintf(", whose upstream %s is gone", b.Upstream)
	case b.Upstream == "" && b.Name != "":
		text += ", without an upstream"
	case b.Upstream != "":
		text += fmt.Sprintf(", %d ahead of %s, %d behind", b.Ahead, b.Upstream, b.Behind)
	}
	return text
}

func filesText(p *page, files []work.DirtyFile) {
	if len(files) == 0 {
		p.line("nothing uncommitted")
		return
	}
	p.line("%d uncommitted:", len(files))
	for _, f := range files[:min(shownFiles, len(files))] {
		if f.From != "" {
			p.line("  %s %s (was %s)", f.State, f.Path, f.From)
			continue
		}
		p.line("  %s %s", f.State, f.Path)
	}
	if more := len(files) - shownFiles; more > 0 {
		p.line("  and %d more: git status", more)
	}
}

func pullRequestText(p *page, pr *work.PullRequest) {
	p.line("pull request #%d %s: %s (%s → %s)", pr.Number, strings.ToLower(pr.State), pr.Title, pr.HeadRefName, pr.BaseRefName)
	p.line("  %s", pr.URL)
	decision := strings.ToLower(strings.ReplaceAll(pr.ReviewDecision, "_", " "))
	if decision == "" {
		decision = "none asked for"
	}
	p.line("  review: %s; checks: %d passed, %d failed, %d pending", decision, pr.Checks.Passed, pr.Checks.Failed, pr.Checks.Pending)
	for _, name := range pr.Checks.Failing {
		p.line("  failing: %s", name)
	}
	for _, r := range pr.Reviews {
		if r.Body != "" {
			p.line("  %s: %s", r.Author.Login, wording.Shorten(r.Body, 500))
		}
	}
}

// Text tells a model what reviewers say.
func (o PRReviewStatusOutput) Text() string {
	var p page
	if len(o) == 0 {
		p.line("no reviews")
	}
	for _, author := range slices.Sorted(maps.Keys(o)) {
		p.line("%s:", author)
		for _, c := range o[author] {
			where := strings.ToLower(strings.ReplaceAll(c.State, "_", " "))
			if c.Path != "" {
				where = c.Path
			}
			if c.Line > 0 {
				where += fmt.Sprint(":", c.Line)
			}
			p.line("  %s %s: %s", c.CreatedAt, where, wording.Shorten(c.Body, 1000))
		}
	}
	return p.String()
}

// Text tells a model where the worktrees are.
func (o SpawnAgentsOutput) Text() string {
	var p page
	for i, made := range o.Worktrees {
		p.line("%s: %s", made[0], o.Bootstrap[i])
	}
	for _, failed := range o.Failed {
		p.line("no worktree for %s: %s", failed[0], failed[1])
	}
	return p.String()
}
