package golang

import (
	"context"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/lang/golang/edit"
)

// An attempt is what the compiler says of a revision.
type attempt struct {
	problems []lsp.Problem // new, and not the doing of the edits
	unseen   []string      // those of the files asked about in which it finds no errors
}

// compile makes a revision in a draft, and asks which of files are looked at.
func (g explorer) compile(ctx context.Context, r edit.Revision, files []string) (attempt, error) {
	draft, err := g.View.Draft(ctx, "go")
	if err != nil {
		return attempt{}, err
	}
	defer draft.Close()
	problems, err := draft.Try(ctx, r.Edits)
	if err != nil {
		return attempt{}, err
	}
	t := attempt{unseen: slices.DeleteFunc(slices.Clone(files), draft.Sees)}
	for _, p := range problems {
		if r.Breaks(p) && g.Within(p.Path) {
			t.problems = append(t.problems, p)
		}
	}
	return t, nil
}

// followed goes after the new name of a type that is embedded, whose name is that of a field too: once the compiler
// knows the type again where it is embedded, it finds those who use the field by its old name. It adds to the errors of t
// those of that second edit; ok is false if there is nothing to follow.
func (g explorer) followed(ctx context.Context, c scout.Change, planned edit.Revision, t *attempt) (ok bool, err error) {
	if c.Kind != scout.Rename || len(planned.Edits) != 1 {
		return false, nil
	}
	followed := planned
	embedded := false
	for _, p := range t.problems {
		f, err := g.Files.Open(p.Path)
		if err != nil || !strings.HasPrefix(p.Message, "undefined: ") {
			continue
		}
		spot := syntax.Position{Line: p.At.Line, Column: p.At.Column}
		if edit, ok := f.RenameUse(spot, planned.Edits[0].New); ok {
			use, _ := f.Use(spot)
			embedded = embedded || use.Kind == syntax.Embedded
			followed.Edits = append(followed.Edits, lsp.Edit{Path: f.Path, Start: edit.Start, End: edit.End, New: edit.New})
		}
	}
	if !embedded {
		return false, nil
	}
	more, err := g.compile(ctx, followed, nil)
	t.problems = append(t.problems, more.problems...)
	return true, err
}
