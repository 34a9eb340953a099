package typing

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
func (r *Reader) variants(of pkg) []*syntax.File {
	var all []*syntax.File
	for _, path := range r.goFiles(of.dir) {
		f, err := r.Files.Open(path)
		if err == nil && f.Package == of.name && (of.test || !f.Test()) {
			all = append(all, f)
		}
	}
	return all
}

// goFiles lists the Go files in a directory.
func (r *Reader) goFiles(dir string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if paths, known := r.files[dir]; known {
		return paths
	}
	entries, _ := os.ReadDir(dir)
	var paths []string
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".go" {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	put(&r.files, dir, paths)
	return paths
}

func ownPackage(f *syntax.File) pkg { return pkg{filepath.Dir(f.Path), f.Package, f.Test()} }

// packageNamed returns the package that a file imports under a name, if it is one of the file's module; its own for "".
func (r *Reader) packageNamed(f *syntax.File, name string) (pkg, bool) {
	if name == "" {
		return ownPackage(f), true
	}
	path, given := f.Imported(name)
	of := r.moduleOf(filepath.Dir(f.Path))
	below, ok := strings.CutPrefix(path, of.path)
	if of.path == "" || !ok || below != "" && below[0] != '/' {
		return pkg{}, false
	}
	dir := filepath.Join(of.dir, filepath.FromSlash(below))
	if r.moduleOf(dir) != of {
		return pkg{}, false
	}
	clause, ok := r.clause(dir)
	return pkg{dir, clause, false}, ok && (given || clause == name)
}

// clause returns the name of the package in a directory, that of its tests left aside.
func (r *Reader) clause(dir string) (name string, ok bool) {
	for _, path := range r.goFiles(dir) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := r.Files.Open(path)
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
func (r *Reader) moduleOf(dir string) module {
	r.mu.Lock()
	found, known := r.modules[dir]
	r.mu.Unlock()
	if known {
		return found
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	switch up := filepath.Dir(dir); {
	case err == nil:
		found = module{dir, modfile.ModulePath(data)}
	case up != dir:
		found = r.moduleOf(up)
	}
	r.mu.Lock()
	put(&r.modules, dir, found)
	r.mu.Unlock()
	return found
}
