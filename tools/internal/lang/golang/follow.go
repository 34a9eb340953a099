package golang

import (
	"context"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
)

// followed goes after the new name of a type that is embedded, whose name is that of a field too: once the compiler
// knows the type again where it is embedded, it finds those who use the field by its old name. It adds to the errors of t
// those of that second edit; ok is false if there is nothing to follow.
func (g explorer) followed(ctx context.Context, c scout.Change, planned revision, t *attempt) (ok bool, err error) {
	if c.Kind != scout.Rename || len(planned.edits) != 1 {
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
		if edit, ok := f.RenameUse(spot, planned.edits[0].New); ok {
			use, _ := f.Use(spot)
			embedded = embedded || use.Kind == syntax.Embedded
			followed.edits = append(followed.edits, lsp.Edit{Path: f.Path, Start: edit.Start, End: edit.End, New: edit.New})
		}
	}
	if !embedded {
		return false, nil
	}
	more, err := g.compile(ctx, followed, nil)
	t.problems = append(t.problems, more.problems...)
	return true, err
}
