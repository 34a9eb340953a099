package golang

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A pkg is a package of the tree, with or without what only its tests have.
type pkg struct {
	dir, name string
	test      bool
}

// A typeName is the name of a type that a package may declare.
type typeName struct {
	pkg
	name string
}

// typings are what a query has read of the names of packages. The zero value is empty and ready.
type typings struct {
	mu      sync.Mutex
	methods map[named]map[string]query.Spot // by the names of their types
	funcs   map[named]query.Spot
	modules map[string]module   // by directory
	files   map[string][]string // by directory
}

// A named is a name in a package.
type named struct {
	pkg
	name string
}

// A module is where a module lies and what it is called; the zero module is none.
type module struct{ dir, path string }

// maxTyping bounds the steps from an expression to the name of its type.
const maxTyping = 8

// method returns which method a place names, if the text leaves no doubt: one that the type of the operand declares itself. To ask
// gopls costs that it type-checks the package, a second for some generated ones.
func (w *walk) method(at lsp.Location, method string) (query.Spot, bool) {
	f, err := w.Files.Open(at.Path)
	if err != nil {
		return query.Spot{}, false
	}
	typing, ok := f.Operand(place(at))
	if !ok || isLeftOut(at.Path) {
		return query.Spot{}, false
	}
	of, ok := w.typeOf(f, typing, maxTyping)
	if !ok {
		return query.Spot{}, false
	}
	return w.methodOf(of, method)
}

// typeOf returns the type that a typing in a file leads to.
func (w *walk) typeOf(f *syntax.File, t *syntax.Typing, steps int) (typeName, bool) {
	if steps == 0 {
		return typeName{}, false
	}
	if t.Of != nil {
		return w.memberType(f, t, steps)
	}
	of, ok := w.packageNamed(f, t.Package)
	switch {
	case !ok:
		return typeName{}, false
	case !t.Called:
		return typeName{of, t.Name}, true
	}
	spot, ok := w.function(of, t.Name)
	if !ok {
		return typeName{}, false
	}
	return w.resultType(spot, t.Result, steps)
}

// memberType is typeOf of a field, or of a result of a method.
func (w *walk) memberType(f *syntax.File, t *syntax.Typing, steps int) (typeName, bool) {
	of, ok := w.typeOf(f, t.Of, steps-1)
	if !ok {
		return typeName{}, false
	}
	if t.Called {
		spot, ok := w.methodOf(of, t.Name)
		if !ok {
			return typeName{}, false
		}
		return w.resultType(spot, t.Result, steps)
	}
	spot, ok := w.declaredType(of)
	if !ok {
		return typeName{}, false
	}
	in, err := w.Files.Open(spot.Path)
	if err != nil {
		return typeName{}, false
	}
	next, ok := in.FieldTyping(syntax.Position{Line: spot.Line, Column: spot.Column}, t.Name)
	if !ok {
		return typeName{}, false
	}
	return w.typeOf(in, next, steps-1)
}

// resultType returns the type of a result of the function declared at a spot.
func (w *walk) resultType(spot query.Spot, result, steps int) (typeName, bool) {
	f, err := w.Files.Open(spot.Path)
	if err != nil {
		return typeName{}, false
	}
	next, ok := f.ResultTyping(syntax.Position{Line: spot.Line, Column: spot.Column}, result)
	if !ok {
		return typeName{}, false
	}
	return w.typeOf(f, next, steps-1)
}

// methodOf returns where a type declares a method itself; false if it may not.
func (w *walk) methodOf(of typeName, method string) (query.Spot, bool) {
	key := named{of.pkg, method}
	w.typings.mu.Lock()
	all, known := w.typings.methods[key]
	w.typings.mu.Unlock()
	if !known {
		all = make(map[string]query.Spot)
		for _, f := range w.variants(of.pkg) {
			for name, at := range f.MethodsNamed(method) {
				all[name] = sole(all, name, spotIn(f, at))
			}
		}
		w.typings.mu.Lock()
		put(&w.typings.methods, key, all)
		w.typings.mu.Unlock()
	}
	return built(all[of.name])
}

// built returns a spot if it is one, in a file that the build at hand has. With another tag, which the server may have been given, it
// may be another one, so that several files that declare a name tell nothing.
func built(spot query.Spot) (query.Spot, bool) {
	if spot.Path == "" || isLeftOut(spot.Path) {
		return query.Spot{}, false
	}
	return spot, true
}

// sole returns the spot of a name, the zero Spot if there is another one.
func sole(all map[string]query.Spot, name string, spot query.Spot) query.Spot {
	if _, twice := all[name]; twice {
		return query.Spot{}
	}
	return spot
}

func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = value
}

// function returns where a package declares a function; false if it may not.
func (w *walk) function(of pkg, name string) (query.Spot, bool) {
	key := named{of, name}
	w.typings.mu.Lock()
	spot, known := w.typings.funcs[key]
	w.typings.mu.Unlock()
	if !known {
		spot = w.declaredOnce(of, name, (*syntax.File).FuncsNamed)
		w.typings.mu.Lock()
		put(&w.typings.funcs, key, spot)
		w.typings.mu.Unlock()
	}
	return built(spot)
}

// declaredType returns where a package declares a type; false if it may not.
func (w *walk) declaredType(of typeName) (query.Spot, bool) {
	return built(w.declaredOnce(of.pkg, of.name, (*syntax.File).TypesNamed))
}

func (w *walk) declaredOnce(of pkg, name string, declared func(*syntax.File, string) []syntax.Position) query.Spot {
	var all []query.Spot
	for _, f := range w.variants(of) {
		for _, at := range declared(f, name) {
			all = append(all, spotIn(f, at))
		}
	}
	if len(all) != 1 {
		return query.Spot{}
	}
	return all[0]
}

func spotIn(f *syntax.File, at syntax.Position) query.Spot {
	return query.Spot{Path: f.Path, Line: at.Line, Column: at.Column}
}

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

// packageNamed returns the package that a file imports under a name, if it is one of the file's module; its own for "".
func (w *walk) packageNamed(f *syntax.File, name string) (pkg, bool) {
	if name == "" {
		return pkg{filepath.Dir(f.Path), f.Package, f.Test()}, true
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
