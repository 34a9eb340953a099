package typing

import (
	"os"
	"path/filepath"
	"slices"
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
		if !of.test && strings.HasSuffix(path, "_test.go") {
			continue
		}
		if f, err := r.Files.Open(path); err == nil && f.Package == of.name {
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

// Package returns the name in the package clause of a file, "" if it has none. Of a file of megabytes that is read alone, and it is kept
// while the file has the same revision: a name that thousands of packages declare is qualified by each of theirs.
func (r *Reader) Package(path string) string {
	revision, vouched := r.revisionOf(path)
	if name, known := r.Memory.packages.get(path, revision); known && vouched {
		return name
	}
	head, err := syntax.ReadHead(path)
	if vouched && err == nil {
		r.Memory.packages.put(path, revision, head.Package)
	}
	return head.Package
}

func ownPackage(in *syntax.Scope) pkg { return pkg{filepath.Dir(in.Path), in.Package, in.Test()} }

// packageNamed returns the package that a file imports under a name, if it is one of the file's module, or of the standard library where
// that is read; its own for "".
func (r *Reader) packageNamed(in *syntax.Scope, name string) (pkg, bool) {
	if name == "" {
		return ownPackage(in), true
	}
	path, given := in.Imported(name)
	dir, ok := r.directory(path, r.moduleOf(filepath.Dir(in.Path)))
	if !ok {
		return pkg{}, false
	}
	clause, ok := r.clause(dir)
	return pkg{dir, clause, false}, ok && (given || clause == name)
}

// directory returns where the package lies that a module imports by a path.
func (r *Reader) directory(path string, of module) (string, bool) {
	if below, ok := strings.CutPrefix(path, of.path); ok && of.path != "" && (below == "" || below[0] == '/') {
		dir := filepath.Join(of.dir, filepath.FromSlash(below))
		return dir, r.moduleOf(dir) == of
	}
	first, _, _ := strings.Cut(path, "/")
	switch {
	case path == "" || strings.Contains(first, "."):
		return "", false
	case of.path == "std": // somebody works on Go itself
		return filepath.Join(of.dir, filepath.FromSlash(path)), true
	}
	return filepath.Join(r.standard, filepath.FromSlash(path)), r.standard != ""
}

// clause returns the name of the package in a directory, that of its tests left aside. If there are several, the files count that the
// build at hand has: the others are for tools.
func (r *Reader) clause(dir string) (name string, ok bool) {
	r.mu.Lock()
	name, known := r.clauses[dir]
	r.mu.Unlock()
	if !known {
		name = r.readClause(dir)
		r.mu.Lock()
		put(&r.clauses, dir, name)
		r.mu.Unlock()
	}
	return name, name != ""
}

// readClause is clause; "" if there is not one name.
func (r *Reader) readClause(dir string) string {
	files := slices.DeleteFunc(slices.Clone(r.goFiles(dir)), func(path string) bool { return strings.HasSuffix(path, "_test.go") })
	names := packageNames(files)
	if len(names) > 1 {
		names = packageNames(slices.DeleteFunc(files, r.LeftOut))
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// packageNames lists the names of packages that files belong to, each once.
func packageNames(files []string) []string {
	var names []string
	for _, path := range files {
		if head, _ := syntax.ReadHead(path); head.Package != "" && !slices.Contains(names, head.Package) {
			names = append(names, head.Package)
		}
	}
	return names
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
