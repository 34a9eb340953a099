package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/lsp"
)

// unseen returns the declarations of a name that the text of files has and the server does not list: pyright passes over what another
// platform or version runs. It notes where one of them is, be it that name means another one.
func (q *Query) unseen(ctx context.Context, name Name) ([]lsp.Symbol, error) {
	base := BaseOf(name.Plain)
	var all []lsp.Symbol
	for _, language := range lsp.Languages() {
		if q.Languages(language.ID).Declaring == nil {
			continue
		}
		paths := slices.DeleteFunc(slices.Clone(q.View.WrittenIn(language.ID, base)), func(path string) bool {
			return name.File != "" && !strings.HasSuffix(path, "/"+name.File)
		})
		for _, path := range paths[:min(len(paths), maxUnlisted)] {
			found, err := q.unseenIn(ctx, path, base)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	if len(all) > 0 {
		at := all[0].Location
		q.Doubt(fmt.Sprintf("%s:%d declares %s where the language server does not look, as in code for another platform", q.Relative(at.Path), at.Range.Start.Line, base))
	}
	return slices.DeleteFunc(all, func(s lsp.Symbol) bool { return !q.meant(name.Plain, s) }), nil
}

// unseenIn returns the declarations of a name in a file that the server does not list there.
func (q *Query) unseenIn(ctx context.Context, path, name string) ([]lsp.Symbol, error) {
	f, err := q.Lexed.Open(path)
	if err != nil {
		return nil, nil // gone since
	}
	declaring := q.Languages(lsp.LanguageOf(path)).Declaring
	var all []lsp.Symbol
	for t := range f.Mentions(name) {
		if s, ok := declaring(f, t); ok && t.Is(name) {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	known, err := q.Declarations(ctx, path)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(s lsp.Symbol) bool {
		return slices.ContainsFunc(known, func(k lsp.Symbol) bool { return SpotOf(k.Location) == SpotOf(s.Location) })
	}), nil
}
