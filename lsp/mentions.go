package lsp

import (
	"context"
	"os"
	"slices"
)

// Mentions lists the source files of a language in which a name stands as a whole word, be it in a comment, in the
// order of their paths. It reads those that may mention it.
func (v *View) Mentions(ctx context.Context, language, name string) ([]string, error) {
	at := slices.IndexFunc(v.wanted, func(s *server) bool { return s.language.ID == language })
	if at < 0 {
		return nil, nil
	}
	defer v.ask(v.wanted[at])()
	if _, err := v.session(ctx, v.wanted[at]); err != nil {
		return nil, err
	}
	var found []string
	index, sources := v.tree.index(v.wanted[at].language)
	for _, path := range index.those(name, sources) {
		data, _ := os.ReadFile(path) // a file that is gone mentions nothing
		if mentions(string(data), name) {
			found = append(found, path)
		}
	}
	return found, nil
}
