package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// unseen notes where the text of a file declares a name and the server lists no such declaration: pyright passes over what another
// platform or version runs.
func (q *Query) unseen(ctx context.Context, name Name) error {
	base := BaseOf(name.Plain)
	for _, language := range lsp.Languages() {
		declares := q.Languages(language.ID).Declaring
		if declares == nil {
			continue
		}
		paths := slices.DeleteFunc(slices.Clone(q.View.WrittenIn(language.ID, base)), func(path string) bool {
			return name.File != "" && !strings.HasSuffix(path, "/"+name.File)
		})
		for _, path := range paths[:min(len(paths), maxUnlisted)] {
			line, err := q.unseenIn(ctx, path, base, declares)
			if err != nil {
				return err
			}
			if line > 0 {
				q.Doubt(fmt.Sprintf("%s:%d declares %s where the language server does not look, as in code for another platform", q.Relative(path), line, base))
				return nil
			}
		}
	}
	return nil
}

// unseenIn returns the first line of a file where a name is declared that the server does not list there, 0 for none.
func (q *Query) unseenIn(ctx context.Context, path, name string, declares func(lexer.Token) bool) (int, error) {
	f, err := q.Lexed.Open(path)
	if err != nil {
		return 0, nil // gone since
	}
	var known []lsp.Symbol
	for t := range f.Mentions(name) {
		if !t.Is(name) || !declares(t) {
			continue
		}
		if known == nil {
			if known, err = q.Declarations(ctx, path); err != nil {
				return 0, err
			}
		}
		line, column := t.Position()
		if !slices.ContainsFunc(known, func(s lsp.Symbol) bool { return s.Location.Range.Start == (lsp.Position{Line: line, Column: column}) }) {
			return line, nil
		}
	}
	return 0, nil
}
