package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// A revision is a change of declarations, written as edits of source text.
type revision struct {
	edits  []lsp.Edit
	own    []lsp.Location // where new errors are the doing of the edits
	notes  []string       // what of the change they leave out
	unread string         // why nothing is to be learned from a compiler that cannot read the edits; "": it can
}

func (r *revision) add(other revision) {
	r.edits = append(r.edits, other.edits...)
	r.own = append(r.own, other.own...)
	r.notes = append(r.notes, other.notes...)
}

// breaks reports whether an error is what a change breaks elsewhere.
func (r *revision) breaks(p lsp.Problem) bool {
	return !slices.ContainsFunc(r.own, func(own lsp.Location) bool { return own.Path == p.Path && covers(own.Range, p.At) })
}

// Check makes a change in a draft of the code and lists what its compiler then refuses. Of roots in several languages
// those in that of the first are changed.
func (g *graph) Check(ctx context.Context, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
	if len(roots) == 0 {
		return scout.Verdict{Refusal: "nothing is named that could be changed"}, nil
	}
	language := lsp.LanguageOf(roots[0].Path)
	known := g.walked(language)
	if known.check == nil {
		return scout.Verdict{Refusal: fmt.Sprintf("changes of %s are not tried out", roots[0].Path)}, nil
	}
	own := slices.DeleteFunc(slices.Clone(roots), func(n scout.Node) bool { return lsp.LanguageOf(n.Path) != language })
	verdict, err := known.check(ctx, g, c, own)
	var why *refusal
	if errors.As(err, &why) {
		return scout.Verdict{Refusal: why.reason, Senseless: why.senseless}, nil
	}
	if len(own) < len(roots) {
		verdict.Refusal = strings.TrimPrefix(verdict.Refusal+"; only what is written in "+language+" was changed", "; ")
	}
	return verdict, err
}

// A refusal is why a change cannot be tried out.
type refusal struct {
	reason    string
	senseless bool // the change cannot be made to such a declaration at all
}

func (e *refusal) Error() string { return e.reason }

// An attempt is what the compiler says of a revision.
type attempt struct {
	problems []lsp.Problem // new, and not the doing of the edits
	unseen   []string      // those of the files asked about in which it finds no errors
}

// try makes a revision in a draft, and asks which of files are looked at.
func (g *graph) try(ctx context.Context, language string, r revision, files []string) (attempt, error) {
	draft, err := g.view.Draft(ctx, language)
	if err != nil {
		return attempt{}, err
	}
	defer draft.Close()
	problems, err := draft.Try(ctx, r.edits)
	if err != nil {
		return attempt{}, err
	}
	t := attempt{unseen: slices.DeleteFunc(slices.Clone(files), draft.Sees)}
	for _, p := range problems {
		if r.breaks(p) && g.within(p.Path) {
			t.problems = append(t.problems, p)
		}
	}
	return t, nil
}

// among returns whether a path below the project is one of paths; nil if there are none.
func (g *graph) among(paths []string) func(path string) bool {
	if len(paths) == 0 {
		return nil
	}
	listed := make(map[string]bool)
	for _, path := range paths {
		listed[g.relative(path)] = true
	}
	return func(path string) bool { return listed[path] }
}
