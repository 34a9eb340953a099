package packages

import (
	"go/parser"
	"go/token"
	"io"
	"os"
	"slices"
)

// headRead is how much of a file is read for its imports, in bytes. One whose imports end later is read to its end.
const headRead = 64 << 10

// An imported is what the files of a directory import of the tree.
type imported struct {
	stamps []stamp
	dirs   []string
}

// Importing keeps those of directories whose packages, tests included, import the package of a directory, through others of the tree
// too, and that directory: no code elsewhere can name or run what the package declares.
func (w *Work) Importing(dirs []string, of string) []string {
	leads := map[string]bool{of: true}
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return !w.leadsTo(dir, leads) })
}

// NearAny keeps those of directories that Importing keeps for one of several, and lists the files in the rest of them that the system we
// run on does not build.
func (w *Work) NearAny(dirs, of []string) (near, apart []string) {
	leads := make(map[string]bool)
	for _, dir := range of {
		leads[dir] = true
	}
	for _, dir := range dirs {
		if w.leadsTo(dir, leads) {
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

// leadsTo reports whether a directory imports one that is known to lead to the package. It adds to leads what it finds out.
func (w *Work) leadsTo(dir string, leads map[string]bool) bool {
	known, asked := leads[dir]
	if asked {
		return known
	}
	leads[dir] = false // for what imports itself
	leads[dir] = slices.ContainsFunc(w.importsOf(dir), func(to string) bool { return w.leadsTo(to, leads) })
	return leads[dir]
}

// importsOf lists the directories of the tree that the files of a directory import, whatever system builds them.
func (w *Work) importsOf(dir string) []string {
	stamps := w.stampsOf(dir)
	if known, ok := w.imports[dir]; ok && slices.Equal(known.stamps, stamps) {
		return known.dirs
	}
	found := imported{stamps: stamps}
	for _, s := range stamps {
		for _, path := range importsIn(s.path) {
			if to := w.directory(path); to != "" && !slices.Contains(found.dirs, to) {
				found.dirs = append(found.dirs, to)
			}
		}
	}
	w.imports[dir] = found
	return found.dirs
}

// importsIn lists the import paths of a file.
func importsIn(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headRead))
	if err != nil {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, head, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil && len(head) == headRead {
		parsed, _ = parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.SkipObjectResolution)
	}
	if parsed == nil {
		return nil
	}
	return pathsOf(parsed.Imports)
}
