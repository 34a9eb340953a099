package packages

import (
	"slices"

	"tidepool/internal/golang/syntax"
)

// An imported is what the files of a directory import of the tree.
type imported struct {
	stamps []stamp
	dirs   []string
}

// Importing keeps those of directories whose packages, tests included, import the package of a directory, through others of the tree
// too, and that directory: no code elsewhere can name or run what the package declares.
func (w *Work) Importing(dirs []string, of string) []string {
	leads := w.leading(dirs, []string{of})
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return !leads[dir] })
}

// NearAny keeps those of directories that Importing keeps for one of several, and lists the files in the rest of them that the system we
// run on does not build.
func (w *Work) NearAny(dirs, of []string) (near, apart []string) {
	leads := w.leading(dirs, of)
	for _, dir := range dirs {
		if leads[dir] {
			near = append(near, dir)
			continue
		}
		for _, s := range w.stampsOf(dir) {
			if !builds(here(), s.path) {
				apart = append(apart, s.path)
			}
		}
	}
	return near, apart
}

// leading returns which directories, those that they import included, import one of others, and those. Directories import each other in
// circles, by their tests.
func (w *Work) leading(dirs, of []string) map[string]bool {
	importers, seen := map[string][]string{}, map[string]bool{}
	for open := slices.Clone(dirs); len(open) > 0; open = open[1:] {
		dir := open[0]
		if seen[dir] {
			continue
		}
		seen[dir] = true
		for _, to := range w.importsOf(dir) {
			importers[to] = append(importers[to], dir)
			open = append(open, to)
		}
	}
	leads := map[string]bool{}
	for open := slices.Clone(of); len(open) > 0; open = open[1:] {
		if !leads[open[0]] {
			leads[open[0]] = true
			open = append(open, importers[open[0]]...)
		}
	}
	return leads
}

// importsOf lists the directories of the tree that the files of a directory import, whatever system builds them.
func (w *Work) importsOf(dir string) []string {
	stamps := w.stampsOf(dir)
	if known, ok := w.imports[dir]; ok && slices.Equal(known.stamps, stamps) {
		return known.dirs
	}
	found := imported{stamps: stamps}
	for _, s := range stamps {
		head, _ := syntax.ReadHead(s.path) // of one that is broken as far as it goes
		for _, path := range head.Imports {
			if to := w.directory(path); to != "" && !slices.Contains(found.dirs, to) {
				found.dirs = append(found.dirs, to)
			}
		}
	}
	w.imports[dir] = found
	return found.dirs
}
