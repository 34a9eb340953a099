package work

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidepool/internal/work"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/page"
)

// shownFiles is how many dirty files a text lists.
const shownFiles = 30

// Text tells a model how the work stands.
func (o *ExoStatusOutput) Text() string {
	var p page.Page
	if o.Sync != nil {
		p.Message("", syncText(*o.Sync))
	}
	if o.Bead != nil {
		beadText(&p, o.Bead)
	}
	if o.Worktree != nil {
		p.Line("worktree %s: %s", o.Worktree.Name, o.Worktree.Path)
	}
	if o.Branch != nil {
		p.Line("%s", branchText(*o.Branch))
	}
	filesText(&p, o.Dirty)
	if o.PR != nil {
		pullRequestText(&p, o.PR)
	} else if !slices.ContainsFunc(o.Gaps, func(g work.Gap) bool { return g.Source == "gh" }) {
		p.Line("no pull request of this branch")
	}
	for _, g := range o.Gaps {
		p.Message(fmt.Sprintf("missing (%s): ", g.Source), hinted(g.Reason, g.Hint))
	}
	sourcesText(&p, o.Sources)
	return p.String()
}

// sourcesText names the programs that were found.
func sourcesText(p *page.Page, sources []work.Source) {
	var found []string
	for _, s := range sources {
		if s.Path != "" {
			found = append(found, strings.TrimSpace(s.Name+" "+s.Version))
		}
	}
	if len(found) > 0 {
		p.Line("asked: %s", strings.Join(found, ", "))
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

func beadText(p *page.Page, b *work.Bead) {
	p.Line("%s %s: %s (%s, priority %d)", cmp.Or(b.IssueType, "issue"), b.ID, b.Title, b.Status, b.Priority)
	if b.Description != "" {
		p.Message("", excerpt.Shorten(b.Description, 2000))
	}
	for _, of := range []struct {
		what    string
		related []work.Related
	}{{"needs", b.Dependencies}, {"is needed by", b.Dependents}} {
		for _, r := range of.related {
			p.Line("  %s %s: %s (%s, %s)", of.what, r.ID, r.Title, r.Status, r.DependencyType)
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

func filesText(p *page.Page, files []work.DirtyFile) {
	if len(files) == 0 {
		p.Line("nothing uncommitted")
		return
	}
	p.Line("%d uncommitted:", len(files))
	for _, f := range files[:min(shownFiles, len(files))] {
		if f.From != "" {
			p.Line("  %s %s (was %s)", f.State, f.Path, f.From)
			continue
		}
		p.Line("  %s %s", f.State, f.Path)
	}
	if more := len(files) - shownFiles; more > 0 {
		p.Line("  and %d more: git status", more)
	}
}

func pullRequestText(p *page.Page, pr *work.PullRequest) {
	p.Line("pull request #%d %s: %s (%s → %s)", pr.Number, strings.ToLower(pr.State), pr.Title, pr.HeadRefName, pr.BaseRefName)
	p.Line("  %s", pr.URL)
	decision := strings.ToLower(strings.ReplaceAll(pr.ReviewDecision, "_", " "))
	if decision == "" {
		decision = "none asked for"
	}
	p.Line("  review: %s; checks: %d passed, %d failed, %d pending", decision, pr.Checks.Passed, pr.Checks.Failed, pr.Checks.Pending)
	for _, name := range pr.Checks.Failing {
		p.Line("  failing: %s", name)
	}
	for _, r := range pr.Reviews {
		if r.Body != "" {
			p.Line("  %s: %s", r.Author.Login, excerpt.Shorten(r.Body, 500))
		}
	}
}

// Text tells a model what reviewers say.
func (o PRReviewStatusOutput) Text() string {
	var p page.Page
	if len(o) == 0 {
		p.Line("no reviews")
	}
	for _, author := range slices.Sorted(maps.Keys(o)) {
		p.Line("%s:", author)
		for _, c := range o[author] {
			where := strings.ToLower(strings.ReplaceAll(c.State, "_", " "))
			if c.Path != "" {
				where = c.Path
			}
			if c.Line > 0 {
				where += fmt.Sprint(":", c.Line)
			}
			p.Line("  %s %s: %s", c.CreatedAt, where, excerpt.Shorten(c.Body, 1000))
		}
	}
	return p.String()
}

// Text tells a model where the worktrees are.
func (o SpawnAgentsOutput) Text() string {
	var p page.Page
	for i, made := range o.Worktrees {
		p.Line("%s: %s", made[0], o.Bootstrap[i])
	}
	for _, failed := range o.Failed {
		p.Line("no worktree for %s: %s", failed[0], failed[1])
	}
	return p.String()
}
