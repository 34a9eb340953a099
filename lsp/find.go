package lsp

import (
	"os"
	"path/filepath"
	"slices"
)

// IsIn reports whether the project in the directory root is of this language: one of the root markers lies there.
func (l Language) IsIn(root string) bool {
	return slices.ContainsFunc(l.RootMarkers, func(name string) bool {
		_, err := os.Stat(filepath.Join(root, name))
		return err == nil
	})
}

// Find returns the path of the program that serves the language in root, as a Project with the environment env would
// find it. The error is a *MissingError.
func (l Language) Find(root string, env []string) (string, error) { return lookup(l, root, env) }
