package query

import (
	"context"
	"slices"

	"tidepool/lsp"
)

// Lookup returns the declarations that name means, each place once. While servers still load the project, a name that they do not
// know yet is looked for in the text of its files.
func (q *Query) Lookup(ctx context.Context, name Name) ([]lsp.Symbol, error) {
	found, err := q.listed(ctx, name)
	settling := lsp.Unanswered(err) || err == nil && q.View.Completeness().State == lsp.Indexing
	if len(found) > 0 || !settling || name.File != "" {
		return found, err
	}
	written := q.written(ctx, name.Plain)
	if len(written) == 0 {
		return found, err
	}
	q.Late("all that "+name.Written+" means", err)
	q.Doubt("the language server does not know " + name.Written + " yet: it was found by the text of the files")
	return written, nil
}

// written returns the declarations that a name means by the text of the files, in languages whose declarations the text tells.
func (q *Query) written(ctx context.Context, name string) []lsp.Symbol {
	var all []lsp.Symbol
	for _, l := range lsp.Languages() {
		known := q.Languages(l.ID)
		if known.Written == nil {
			continue
		}
		found, err := known.Written(ctx, q, BaseOf(name))
		if err != nil {
			continue // a file has just changed: the server will know
		}
		all = append(all, slices.DeleteFunc(found, func(s lsp.Symbol) bool { return !q.meant(name, s) })...)
	}
	return all
}
