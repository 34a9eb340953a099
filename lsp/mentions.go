package lsp

import (
	"context"
	"os"
)

// Mentions lists the source files of a language in which a name stands as a whole word, be it in a comment, in the
// order of their paths. It reads them all.
func (v *View) Mentions(ctx context.Context, language, name string) ([]string, error) {
	var found []string
	for _, s := range v.servers {
		if s.language.ID != language {
			continue
		}
		live, err := v.session(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, path := range live.sources() {
			data, _ := os.ReadFile(path) // a file that is gone mentions nothing
			if v.project.inside(path) && mentions(string(data), name) {
				found = append(found, path)
			}
		}
	}
	return found, nil
}
