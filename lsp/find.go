package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IsIn reports whether the project in the directory root is of this language: one of the root markers lies there.
func (l Language) IsIn(root string) bool {
	return slices.ContainsFunc(l.RootMarkers, func(name string) bool { return lies(root, name) })
}

// lies says whether a directory holds a file of that name, or with "*.cabal" one whose name ends so.
func lies(dir, name string) bool {
	if !strings.HasPrefix(name, "*") {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(entry os.DirEntry) bool { return named([]string{name}, entry.Name()) })
}

// named says whether a file's name is one of names, of which "*.cabal" stands for all that end so.
func named(names []string, name string) bool {
	return slices.ContainsFunc(names, func(wanted string) bool {
		suffix, pattern := strings.CutPrefix(wanted, "*")
		return wanted == name || pattern && strings.HasSuffix(name, suffix)
	})
}

// Find returns the path of the program that serves the language in root, as a Project with the environment env would
// find it. The error is a *MissingError.
func (l Language) Find(root string, env []string) (string, error) { return lookup(l, root, env) }
