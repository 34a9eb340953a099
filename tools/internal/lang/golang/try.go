package golang

import (
	"context"
	"slices"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
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
	return !slices.ContainsFunc(r.own, func(own lsp.Location) bool { return own.Path == p.Path && query.Covers(own.Range, p.At) })
}

// An attempt is what the compiler says of a revision.
type attempt struct {
	problems []lsp.Problem // new, and not the doing of the edits
	unseen   []string      // those of the files asked about in which it finds no errors
}

// compile makes a revision in a draft, and asks which of files are looked at.
func (g explorer) compile(ctx context.Context, r revision, files []string) (attempt, error) {
	draft, err := g.View.Draft(ctx, "go")
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
		if r.breaks(p) && g.Within(p.Path) {
			t.problems = append(t.problems, p)
		}
	}
	return t, nil
}
