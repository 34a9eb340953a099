package tools

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// goCheck makes a change of the declarations that roots are and lists what no longer compiles.
func goCheck(ctx context.Context, g *graph, c scout.Change, roots []scout.Node) (verdict scout.Verdict, err error) {
	planned, changed, err := goPlan(g, c, roots)
	if err != nil {
		return verdict, err
	}
	var files []string
	for _, n := range changed {
		dependents, err := g.goDependents(ctx, n)
		if err != nil {
			return verdict, err
		}
		files = append(files, dependents...)
	}
	if len(changed) == 1 && len(planned.notes) == 0 {
		proven, ok, err := g.goProven(ctx, c, changed[0])
		if ok || err != nil {
			unseen := slices.DeleteFunc(files, func(path string) bool { return !goLeftOut(path) })
			return scout.Verdict{Broken: proven, Unseen: g.among(unseen)}, err
		}
	}
	t, rounds, err := g.goTry(ctx, c, &planned, changed, files)
	if err != nil {
		return verdict, err
	}
	for _, n := range changed {
		if slices.Contains(t.unseen, g.located(n).Path) {
			planned.notes = append(planned.notes, n.Path+" does not compile as it is, or no build has it, which may hide errors")
		}
	}
	verdict = scout.Verdict{Unseen: g.among(t.unseen), Rounds: rounds, Refusal: strings.Join(planned.notes, "; ")}
	verdict.Broken, err = g.goBroken(ctx, c, changed, t.problems)
	return verdict, err
}

// goPlan writes the change of every root that it can happen to, and returns those.
func goPlan(g *graph, c scout.Change, roots []scout.Node) (revision, []scout.Node, error) {
	var all revision
	var changed []scout.Node
	var failures []error
	for _, n := range roots {
		made, err := goRevision(g, n, c)
		var not *refusal
		switch {
		case errors.As(err, &not):
			failures = append(failures, err)
		case err != nil:
			return revision{}, nil, err
		default:
			all.add(made)
			all.instead = made.instead
			changed = append(changed, n)
		}
	}
	if len(changed) == 0 {
		return revision{}, nil, failures[0]
	}
	for _, err := range failures {
		all.notes = append(all.notes, err.Error())
	}
	return all, changed, nil
}

// goTry tries what is planned; if its edits name what is not there, it replaces them by those to try instead.
func (g *graph) goTry(ctx context.Context, c scout.Change, planned *revision, roots []scout.Node, files []string) (t attempt, rounds int, err error) {
	if t, err = g.try(ctx, "go", *planned, files); err != nil {
		return t, 1, err
	}
	root := g.located(roots[0])
	meaningless := func(p lsp.Problem) bool {
		return p.Path == root.Path && p.At.Line == root.Range.Start.Line &&
			(strings.HasPrefix(p.Message, "undefined: ") || strings.Contains(p.Message, "is not a type"))
	}
	if planned.instead != nil && len(roots) == 1 && slices.ContainsFunc(t.problems, meaningless) {
		*planned = *planned.instead
		t, err = g.try(ctx, "go", *planned, files)
		return t, 2, err
	}
	if followed, err := g.goFollowed(ctx, c, *planned, &t); followed || err != nil {
		return t, 2, err
	}
	return t, 1, nil
}

// located is the place of a node, for the server.
func (g *graph) located(n scout.Node) lsp.Location {
	return lsp.At(filepath.Join(g.root, filepath.FromSlash(n.Path)), n.Line, n.Column)
}
