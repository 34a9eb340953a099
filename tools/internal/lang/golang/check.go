package golang

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tidepool/internal/golang/packages"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// check makes a change of the declarations that roots are and lists what no longer compiles.
func check(ctx context.Context, g explorer, c scout.Change, roots []scout.Node) (verdict scout.Verdict, err error) {
	if c.Kind == scout.AddVariant || c.Kind == scout.AddImplementation {
		if err := g.sense(ctx, c, roots); err != nil {
			return verdict, err
		}
	}
	planned, changed, err := plan(g, c, roots)
	if err != nil {
		return verdict, err
	}
	files, err := g.dependents(ctx, changed...)
	if err != nil {
		return verdict, err
	}
	extent := packages.Whole
	if len(roots) == 1 && g.provable(roots[0], c) {
		extent = packages.LeftOut // in common files all systems see the same mentions of it
	}
	elsewhere, err := g.tryElsewhere(ctx, changed, planned, files, extent)
	if err != nil {
		return verdict, err
	}
	defer elsewhere.end()
	if extent == packages.Whole {
		return g.tried(ctx, c, planned, changed, files, elsewhere)
	}
	proven, ok, err := g.proven(ctx, c, roots[0])
	if !ok && err == nil {
		return g.tried(ctx, c, planned, changed, files, elsewhere)
	}
	if err != nil {
		return verdict, err
	}
	verdict, err = g.judged(ctx, c, roots, attempt{unseen: slices.DeleteFunc(files, func(path string) bool { return !isLeftOut(path) })}, elsewhere)
	verdict.Broken = append(proven, verdict.Broken...)
	return verdict, err
}

// tried tries what is planned for roots. files are those that may depend on them.
func (g explorer) tried(ctx context.Context, c scout.Change, planned revision, roots []scout.Node, files []string, elsewhere *trial) (verdict scout.Verdict, err error) {
	t, rounds, err := g.try(ctx, c, planned, roots, files)
	if err != nil {
		return verdict, err
	}
	if !elsewhere.tries(planned, packages.Whole) {
		elsewhere.end()
		if elsewhere, err = g.tryElsewhere(ctx, roots, planned, files, packages.Whole); err != nil {
			return verdict, err
		}
		defer elsewhere.end()
	}
	for _, n := range roots {
		if slices.Contains(t.unseen, g.Located(n).Path) {
			planned.notes = append(planned.notes, n.Path+" does not compile as it is, or no build has it, which may hide errors")
		}
	}
	verdict, err = g.judged(ctx, c, roots, t, elsewhere)
	verdict.Rounds, verdict.Refusal = rounds, strings.Join(planned.notes, "; ")
	return verdict, err
}

// judged is the verdict on an attempt, together with what breaks elsewhere.
func (g explorer) judged(ctx context.Context, c scout.Change, roots []scout.Node, t attempt, elsewhere *trial) (verdict scout.Verdict, err error) {
	problems, seen, err := g.brokenElsewhere(ctx, elsewhere)
	if err != nil {
		return verdict, err
	}
	if verdict.Broken, err = g.broken(ctx, c, roots, append(t.problems, problems...)); err != nil {
		return verdict, err
	}
	verdict.Unseen, err = g.unseen(ctx, roots, slices.DeleteFunc(t.unseen, func(path string) bool { return seen[path] }))
	return verdict, err
}

// unseen returns which of the files that the compiler does not look at may depend on roots; nil if none may.
func (g explorer) unseen(ctx context.Context, roots []scout.Node, files []string) (func(path string) bool, error) {
	var all []string
	for _, n := range roots {
		some, err := g.narrowed(ctx, n, files)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return g.Among(all), nil
}

// plan writes the change of every root that it can happen to, and returns those.
func plan(g explorer, c scout.Change, roots []scout.Node) (revision, []scout.Node, error) {
	var all revision
	var changed []scout.Node
	var failures []error
	for _, n := range roots {
		made, err := revisionOf(g, n, c)
		var not *graph.Refusal
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

// try tries what is planned. It fails with a *graph.Refusal if its edits name what is not there.
func (g explorer) try(ctx context.Context, c scout.Change, planned revision, roots []scout.Node, files []string) (t attempt, rounds int, err error) {
	if t, err = g.compile(ctx, planned, files); err != nil {
		return t, 1, err
	}
	root := g.Located(roots[0])
	meaningless := func(p lsp.Problem) bool {
		return p.Path == root.Path && p.At.Line == root.Range.Start.Line &&
			(strings.HasPrefix(p.Message, "undefined: ") || strings.Contains(p.Message, "is not a type"))
	}
	if planned.unread != "" && slices.ContainsFunc(t.problems, meaningless) {
		return t, 1, &graph.Refusal{Reason: planned.unread}
	}
	if followed, err := g.followed(ctx, c, planned, &t); followed || err != nil {
		return t, 2, err
	}
	return t, 1, nil
}
