package golang

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/golang/edit"
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
	extent := fact.Whole
	if len(roots) == 1 && g.provable(roots[0], c) {
		extent = fact.LeftOut // in common files all systems see the same mentions of it
	}
	others, err := g.tryOtherPlatforms(ctx, changed, planned, files, extent)
	if err != nil {
		return verdict, err
	}
	defer others.end()
	if extent == fact.Whole {
		verdict, err := g.tried(ctx, c, planned, changed, files, others)
		if err != nil {
			return verdict, err
		}
		verdict.Lost, err = g.lost(ctx, c, roots, verdict.Broken)
		return verdict, err
	}
	proven, ok, err := g.proven(ctx, c, roots[0])
	if !ok && err == nil {
		return g.tried(ctx, c, planned, changed, files, others)
	}
	if err != nil {
		return verdict, err
	}
	verdict, err = g.judged(ctx, c, roots, attempt{unseen: slices.DeleteFunc(files, func(path string) bool { return !g.isLeftOut(path) })}, others)
	verdict.Broken = append(proven, verdict.Broken...)
	return verdict, err
}

// tried tries what is planned for roots. files are those that may depend on them.
func (g explorer) tried(ctx context.Context, c scout.Change, planned edit.Revision, roots []scout.Node, files []string, others *trial) (verdict scout.Verdict, err error) {
	t, rounds, err := g.try(ctx, c, planned, roots, files)
	if err != nil {
		return verdict, err
	}
	if !others.tries(planned, fact.Whole) {
		others.end()
		if others, err = g.tryOtherPlatforms(ctx, roots, planned, files, fact.Whole); err != nil {
			return verdict, err
		}
		defer others.end()
	}
	for _, n := range roots {
		if slices.Contains(t.unseen, g.Located(n).Path) {
			planned.Notes = append(planned.Notes, n.Path+" does not compile as it is, or no build has it, which may hide errors")
		}
	}
	verdict, err = g.judged(ctx, c, roots, t, others)
	verdict.Rounds, verdict.Refusal = rounds, strings.Join(planned.Notes, "; ")
	return verdict, err
}

// judged returns the verdict on an attempt, together with what breaks on other platforms.
func (g explorer) judged(ctx context.Context, c scout.Change, roots []scout.Node, t attempt, others *trial) (verdict scout.Verdict, err error) {
	problems, seen, err := g.brokenOnOtherPlatforms(ctx, others)
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
func plan(g explorer, c scout.Change, roots []scout.Node) (edit.Revision, []scout.Node, error) {
	var all edit.Revision
	var changed []scout.Node
	var failures []error
	for _, n := range roots {
		made, err := revisionOf(g, n, c)
		var not *graph.Refusal
		switch {
		case errors.As(err, &not):
			failures = append(failures, err)
		case err != nil:
			return edit.Revision{}, nil, err
		default:
			all.Add(made)
			all.Unread = made.Unread
			changed = append(changed, n)
		}
	}
	if len(changed) == 0 {
		return edit.Revision{}, nil, plainest(failures)
	}
	for _, err := range failures {
		all.Notes = append(all.Notes, err.Error())
	}
	return all, changed, nil
}

// try tries what is planned. It fails with a *graph.Refusal if its edits name what is not there.
func (g explorer) try(ctx context.Context, c scout.Change, planned edit.Revision, roots []scout.Node, files []string) (t attempt, rounds int, err error) {
	if t, err = g.compile(ctx, planned, files); err != nil {
		return t, 1, err
	}
	root := g.Located(roots[0])
	meaningless := func(p lsp.Problem) bool {
		return p.Path == root.Path && p.At.Line == root.Range.Start.Line &&
			(strings.HasPrefix(p.Message, "undefined: ") || strings.Contains(p.Message, "is not a type"))
	}
	if planned.Unread != "" && slices.ContainsFunc(t.problems, meaningless) {
		return t, 1, graph.Unclear("%s", planned.Unread)
	}
	if followed, err := g.followed(ctx, c, planned, &t); followed || err != nil {
		return t, 2, err
	}
	return t, 1, nil
}

// sense fails with a *graph.Refusal if a change that no compiler looks through cannot be made to any of roots: a variant to
// what has no constants, an implementation of what asks for nothing.
func (g explorer) sense(ctx context.Context, c scout.Change, roots []scout.Node) error {
	var reason string
	for _, n := range roots {
		at := placeOf(g.Located(n))
		tree, known, err := askTypes(ctx, g, "what depends on it", func(ctx context.Context, _ *analysis.Client) (analysis.Tree, error) { return g.treeFor(ctx, n, at) })
		if !known {
			return err // if that is nil, somebody else must say whether the change makes sense
		}
		switch c.Kind {
		case scout.AddVariant:
			found, known, err := g.enum(ctx, tree, at)
			if !known || found.Type != nil {
				return err
			}
			reason = "there are no constants of such a type that a switch or a table could list"
		case scout.AddImplementation:
			found, known, err := g.interfaceAt(ctx, tree, at)
			if !known || asksForMethods(found.Type) {
				return err
			}
			reason = "it is no interface with methods"
		}
	}
	return &graph.Refusal{Reason: reason, Senseless: true}
}

// plainest is the refusal that says most of why a change could not be written: one that other declarations might not have
// met.
func plainest(failures []error) error {
	for _, err := range failures {
		var why *graph.Refusal
		if errors.As(err, &why) && !why.Senseless {
			return err
		}
	}
	return failures[0]
}

// revisionOf writes a change of the declaration that n is as edits. It fails with a *graph.Refusal if it cannot be tried out.
func revisionOf(g explorer, n scout.Node, c scout.Change) (edit.Revision, error) {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return edit.Revision{}, err
	}
	s, ok := edit.SubjectAt(f, place(l))
	switch {
	case !ok:
		return edit.Revision{}, &graph.Refusal{Reason: n.Name + " is no declaration that could be changed"}
	case g.isLeftOut(l.Path):
		return edit.Revision{}, &graph.Refusal{Reason: n.Path + " is built for another system only"}
	case passedOver(n.Path):
		return edit.Revision{}, &graph.Refusal{Reason: n.Path + " is in a directory that no build looks into"}
	}
	return edit.Of(f, g.Relative(f.Path), place(l), s, c, g.Files)
}

// written returns what becomes of the declaration that n is under a change, on one line; "" if it is not known.
func written(g explorer, c scout.Change, n scout.Node) string {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return ""
	}
	s, ok := edit.SubjectAt(f, place(l))
	if !ok {
		return ""
	}
	return edit.Written(f, g.Relative(f.Path), place(l), s, c, g.Files)
}

// subjectOf returns what n declares, or embeds.
func (g explorer) subjectOf(n scout.Node) (edit.Subject, bool) {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return edit.Subject{}, false
	}
	return edit.SubjectAt(f, place(l))
}
