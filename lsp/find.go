package lsp

import (
	"path/filepath"
	"slices"
	"strings"
)

// Used returns those of the languages that a project in the directory root is written in, as a Project would find it.
func Used(root string, languages []Language) []Language {
	p := &Project{languages: languages}
	t := newTree(p, root)
	defer t.close()
	t.disk.walk(nil)
	contents := t.look()
	return slices.DeleteFunc(slices.Clone(languages), func(l Language) bool { return len(contents[l.ID].roots) == 0 })
}

// Find returns the path of the program that serves the language in root, as a Project with the environment env would
// find it. The error is a *MissingError.
func (l Language) Find(root string, env []string) (string, error) { return lookup(l, root, env) }

// marks says whether a file of that base name is a root marker of the language.
func (l *Language) marks(name string) bool {
	return named(l.RootMarkers, name)
}

// reads says whether path is a source file of the language.
func (l *Language) reads(path string) bool {
	return slices.Contains(l.Extensions, filepath.Ext(path))
}

// hears says whether the server must be told when path changes.
func (l *Language) hears(path string) bool {
	return l.reads(path) || named(l.Manifests, filepath.Base(path))
}

// named says whether a file's name is one of names, of which "*.cabal" stands for all that end so.
func named(names []string, name string) bool {
	return slices.ContainsFunc(names, func(wanted string) bool {
		suffix, pattern := strings.CutPrefix(wanted, "*")
		return wanted == name || pattern && strings.HasSuffix(name, suffix)
	})
}

// followed are the languages as a disk must know them to see their root markers as well.
func followed(languages []Language) []Language {
	all := slices.Clone(languages)
	for i, l := range languages {
		all[i].Manifests = slices.Concat(l.Manifests, l.RootMarkers)
	}
	return all
}
