package golang

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"tidepool/internal/golang/syntax"
)

// A pkg is a package of the tree, with or without what only its tests have.
type pkg struct {
	dir, name string
	test      bool
}

// A module is where a module lies and what it is called; the zero module is none.
type module struct{ dir, path string }

// variants returns the files of a package, for whatever system and tag they are; those for tests only if it has what tests have.
func (w *walk) variants(of pkg) []*syntax.File {
	var all []*syntax.File
	for _, path := range w.goFiles(of.dir) {
		f, err := w.Files.Open(path)
		if err == nil && f.Package == of.name && (of.test || !f.Test()) {
			all = append(all, f)
		}
	}
	return all
}

// goFiles lists the Go files in a directory.
func (w *walk) goFiles(dir string) []string {
	w.typings.mu.Lock()
	defer w.typings.mu.Unlock()
	if paths, known := w.typings.files[dir]; known {
		return paths
	}
	entries, _ := os.ReadDir(dir)
	var paths []string
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".go" {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	put(&w.typings.files, dir, paths)
	return paths
}

func ownPackage(f *syntax.File) pkg { return pkg{filepath.Dir(f.Path), f.Package, f.Test()} }

// packageNamed returns the package that a file imports under a name, if it is one of the file's module; its own for "".
func (w *walk) packageNamed(f *syntax.File, name string) (pkg, bool) {
	if name == "" {
		return ownPackage(f), true
	}
	path, given := f.Imported(name)
	of := w.moduleOf(filepath.Dir(f.Path))
	below, ok := strings.CutPrefix(path, of.path)
	if of.path == "" || !ok || below != "" && below[0] != '/' {
		return pkg{}, false
	}
	dir := filepath.Join(of.dir, filepath.FromSlash(below))
	if w.moduleOf(dir) != of {
		return pkg{}, false
	}
	clause, ok := w.clause(dir)
	return pkg{dir, clause, false}, ok && (given || clause == name)
}

// clause returns the name of the package in a directory, that of its tests left aside.
func (w *walk) clause(dir string) (name string, ok bool) {
	for _, path := range w.goFiles(dir) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := w.Files.Open(path)
		switch {
		case err != nil || f.Package == "":
		case name == "":
			name = f.Package
		case name != f.Package: // one of them is for nobody, or for a tool
			return "", false
		}
	}
	return name, name != ""
}

// moduleOf returns the module that a directory belongs to.
func (w *walk) moduleOf(dir string) module {
	w.typings.mu.Lock()
	found, known := w.typings.modules[dir]
	w.typings.mu.Unlock()
	if known {
		return found
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	switch up := filepath.Dir(dir); {
	case err == nil:
		found = module{dir, modfile.ModulePath(data)}
	case up != dir:
		found = w.moduleOf(up)
	}
	w.typings.mu.Lock()
	put(&w.typings.modules, dir, found)
	w.typings.mu.Unlock()
	return found
}
