package golang

import (
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// writer returns what the head of a Go file says has written it, or the command of a go:generate line of its package that
// runs that.
func (w *walk) writer(q *query.Query, path string) (by string, ok bool) {
	f, err := w.Files.Open(path)
	if err != nil || !f.Generated() {
		return "", false
	}
	by = f.Generator()
	var commands []string
	for _, other := range w.Files.Package(path) {
		commands = append(commands, other.Generate()...)
	}
	if command, ok := generates(commands, by, filepath.Base(path)); ok {
		by = command
	}
	return by, true
}

// generates finds the one command that names what has written a file, with all that it says of how, or else the file.
func generates(commands []string, by, file string) (string, bool) {
	said := strings.FieldsFunc(by, func(r rune) bool { return r == ' ' || r == '=' })
	if len(said) > 0 {
		said[0] = strings.TrimSuffix(filepath.Base(said[0]), ".go")
	}
	for _, wanted := range [][]string{said, said[:min(len(said), 1)], {file}} {
		fitting := slices.DeleteFunc(slices.Clone(commands), func(command string) bool {
			words := strings.FieldsFunc(command, func(r rune) bool { return r == ' ' || r == '=' })
			for i, word := range words {
				words[i] = strings.TrimSuffix(filepath.Base(word), ".go")
			}
			return len(wanted) == 0 || slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(words, strings.TrimSuffix(word, ".go")) })
		})
		if len(fitting) == 1 {
			return fitting[0], true
		}
	}
	return "", false
}

// needs returns what a build needs to have a Go file.
func (w *walk) needs(q *query.Query, path string) func(line int) string {
	f, err := w.Files.Open(path)
	if err != nil {
		return nil
	}
	constraint := f.Constraint()
	return func(int) string { return constraint }
}

// elements returns the trait of a composite literal of a type.
func elements(e syntax.Elements) []scout.Trait {
	switch e {
	case syntax.Keyed:
		return graph.Only(scout.TraitKeyed)
	case syntax.Unkeyed:
		return graph.Only(scout.TraitUnkeyed)
	}
	return nil
}
