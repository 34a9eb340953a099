package tools

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tidepool/internal/gopackage"
	"tidepool/lsp"
	"tidepool/scout"
)

// goCheck makes a change of the declarations that roots are and lists what no longer compiles.
func goCheck(ctx context.Context, g goExplorer, c scout.Change, roots []scout.Node) (verdict scout.Verdict, err error) {
	if c.Kind == scout.AddVariant || c.Kind == scout.AddImplementation {
		if err := g.goSense(ctx, c, roots); err != nil {
			return verdict, err
		}
	}
	planned, changed, err := goPlan(g, c, roots)
	if err != nil {
		return verdict, err
	}
	files, err := g.goDependents(ctx, changed...)
	if err != nil {
		return verdict, err
	}
	extent := gopackage.Whole
	if len(roots) == 1 && g.goProvable(roots[0], c) {
		extent = gopackage.LeftOut // in common files all systems see the same mentions of it
	}
	elsewhere, err := g.goTryElsewhere(ctx, changed, planned, files, extent)
	if err != nil {
		return verdict, err
	}
	defer elsewhere.end()
	if extent == gopackage.Whole {
		return g.goTried(ctx, c, planned, changed, files, elsewhere)
	}
	proven, ok, err := g.goProven(ctx, c, roots[0])
	if !ok && err == nil {
		return g.goTried(ctx, c, planned, changed, files, elsewhere)
	}
	if err != nil {
		return verdict, err
	}
	verdict, err = g.goJudged(ctx, c, roots, attempt{unseen: slices.DeleteFunc(files, func(path string) bool { return !goLeftOut(path) })}, elsewhere)
	verdict.Broken = append(proven, verdict.Broken...)
	return verdict, err
}

// goTried tries what is planned for roots. files are those that may depend on them.
func (g goExplorer) goTried(ctx context.Context, c scout.Change, planned revision, roots []scout.Node, files []string, elsewhere *goTrial) (verdict scout.Verdict, err error) {
	t, rounds, err := g.goTry(ctx, c, planned, roots, files)
	if err != nil {
		return verdict, err
	}
	if !elsewhere.tries(planned, gopackage.Whole) {
		elsewhere.end()
		if elsewhere, err = g.goTryElsewhere(ctx, roots, planned, files, gopackage.Whole); err != nil {
			return verdict, err
		}
		defer elsewhere.end()
	}
	for _, n := range roots {
		if slices.Contains(t.unseen, g.Located(n).Path) {
			planned.notes = append(planned.notes, n.Path+" does not compile as it is, or no build has it, which may hide errors")
		}
	}
	verdict, err = g.goJudged(ctx, c, roots, t, elsewhere)
	verdict.Rounds, verdict.Refusal = rounds, strings.Join(planned.notes, "; ")
	return verdict, err
}

// goJudged is the verdict on an attempt, together with what breaks elsewhere.
func (g goExplorer) goJudged(ctx context.Context, c scout.Change, roots []scout.Node, t attempt, elsewhere *goTrial) (verdict scout.Verdict, err error) {
	problems, seen, err := g.goBrokenElsewhere(ctx, elsewhere)
	if err != nil {
		return verdict, err
	}
	if verdict.Broken, err = g.goBroken(ctx, c, roots, append(t.problems, problems...)); err != nil {
		return verdict, err
	}
	verdict.Unseen, err = g.goUnseen(ctx, roots, slices.DeleteFunc(t.unseen, func(path string) bool { return seen[path] }))
	return verdict, err
}

// goUnseen returns which of the files that the compiler does not look at may depend on roots; nil if none may.
func (g goExplorer) goUnseen(ctx context.Context, roots []scout.Node, files []string) (func(path string) bool, error) {
	var all []string
	for _, n := range roots {
		some, err := g.goNarrowed(ctx, n, files)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return g.Among(all), nil
}

// goPlan writes the change of every root that it can happen to, and returns those.
func goPlan(g goExplorer, c scout.Change, roots []scout.Node) (revision, []scout.Node, error) {
	var all revision
	var changed []scout.Node
	var failures []error
	for _, n := range roots {
		made, err := goRevision(g, n, c)
		var not *Refusal
		switch {
		case errors.As(err, &not):
			failures = append(failures, err)
		case err != nil:
			return revision{}, nil, err
		default:
			all.add(made)
			all.unread = made.unread
			changed = append(changed, n)
		}
	}
	if len(changed) == 0 {
		return revision{}, nil, plainest(failures)
	}
	for _, err := range failures {
		all.notes = append(all.notes, err.Error())
	}
	return all, changed, nil
}

// goTry tries what is planned. It fails with a *refusal if its edits name what is not there.
func (g goExplorer) goTry(ctx context.Context, c scout.Change, planned revision, roots []scout.Node, files []string) (t attempt, rounds int, err error) {
	if t, err = g.try(ctx, planned, files); err != nil {
		return t, 1, err
	}
	root := g.Located(roots[0])
	meaningless := func(p lsp.Problem) bool {
		return p.Path == root.Path && p.At.Line == root.Range.Start.Line &&
			(strings.HasPrefix(p.Message, "undefined: ") || strings.Contains(p.Message, "is not a type"))
	}
	if planned.unread != "" && slices.ContainsFunc(t.problems, meaningless) {
		return t, 1, &Refusal{Reason: planned.unread}
	}
	if followed, err := g.goFollowed(ctx, c, planned, &t); followed || err != nil {
		return t, 2, err
	}
	return t, 1, nil
}
