package lsp

import (
	"context"
	"slices"
)

// Mentions lists the source files of a language in which a name may stand as a whole word, be it in a comment, in the
// order of their paths: all in which it does, and those that are too large or too many to know their words.
func (v *View) Mentions(ctx context.Context, language, name string) ([]string, error) {
	at := slices.IndexFunc(v.wanted, func(s *server) bool { return s.language.ID == language })
	if at < 0 {
		return nil, nil
	}
	defer v.ask(v.wanted[at])()
	if _, err := v.session(ctx, v.wanted[at]); err != nil {
		return nil, err
	}
	index, sources := v.tree.index(v.wanted[at].language)
	return index.those(name, sources), nil
}
