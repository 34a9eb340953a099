package lsp

import (
	"os"
	"path/filepath"
	"slices"

	"tidepool/lsp/internal/disk"
)

// Used returns those of the languages that a project in the directory root is written in, as a Project would find it.
func Used(root string, languages []Language) []Language {
	p := &Project{languages: languages}
	t := newTree(p, root)
	defer t.close()
	t.disk.Walk(nil)
	contents := t.look()
	return slices.DeleteFunc(slices.Clone(languages), func(l Language) bool { return len(contents[l.ID].roots) == 0 })
}

// Find returns the path of the program that serves the language in root, as a Project with the environment env would
// find it. The error is a *MissingError.
func (l Language) Find(root string, env []string) (string, error) { return lookup(l, root, env) }

// marks says whether a file of that base name is a root marker of the language.
func (l *Language) marks(name string) bool {
	return disk.Named(l.RootMarkers, name)
}

// reads says whether path is a source file of the language.
func (l *Language) reads(path string) bool {
	return slices.Contains(l.Extensions, filepath.Ext(path))
}

// hears says whether the server must be told when path changes.
func (l *Language) hears(path string) bool {
	return l.reads(path) || disk.Named(l.Manifests, filepath.Base(path))
}

// vanished says whether there is no such file any more.
func vanished(path string) bool {
	_, err := os.Stat(path)
	return err != nil
}

// followed selects the files that the servers of these languages hear of, and their root markers. Gopls loads the files
// of a directory whatever its name and whatever git thinks of it, and modules outside of the root.
func followed(languages []Language) disk.Selection {
	var selected disk.Selection
	for _, l := range languages {
		selected.Suffixes = append(selected.Suffixes, l.Extensions...)
		selected.Names = slices.Concat(selected.Names, l.Manifests, l.RootMarkers)
		if l.ID == "go" {
			selected.Built = l.Extensions
			selected.Beyond, selected.Manifests = goReach, l.RootMarkers
		}
	}
	return selected
}
