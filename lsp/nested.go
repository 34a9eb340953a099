package lsp

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of the search for projects in subdirectories: it only serves to give good advice.
const (
	nestedDepth   = 3     // directories below the root
	nestedEntries = 5_000 // looked at
	nestedFound   = 3
)

// nested finds root markers of the languages in subdirectories of the root: slash-separated paths below it.
func (p *Project) nested() []string {
	var found []string
	entries := 0
	filepath.WalkDir(p.root, func(path string, entry fs.DirEntry, err error) error {
		entries++
		relative := p.relative(path)
		switch {
		case entries > nestedEntries || len(found) == nestedFound:
			return fs.SkipAll
		case err != nil:
			return nil // what cannot be read is not the project we look for
		case entry.IsDir() && path != p.root && (skipped(entry.Name()) || strings.Count(relative, "/") >= nestedDepth):
			return fs.SkipDir
		case !entry.IsDir() && p.marks(entry.Name()):
			found = append(found, relative)
		}
		return nil
	})
	return found
}

// marks says whether a file of that name is a root marker of a language.
func (p *Project) marks(name string) bool {
	return slices.ContainsFunc(p.servers, func(s *server) bool { return named(s.language.RootMarkers, name) })
}

// joining is the command that makes the projects of these markers part of one at the root, "" if there is none.
func (p *Project) joining(markers []string) string {
	for _, s := range p.servers {
		var dirs []string
		for _, marker := range markers {
			if named(s.language.RootMarkers, filepath.Base(marker)) {
				dirs = append(dirs, "./"+filepath.ToSlash(filepath.Dir(marker)))
			}
		}
		if len(dirs) > 0 && s.language.Join != "" {
			return s.language.Join + " " + strings.Join(slices.Compact(dirs), " ")
		}
	}
	return ""
}
