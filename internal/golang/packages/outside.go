package packages

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/golang/fact"
)

// maxOutside bounds how many packages beyond the tree are read.
const maxOutside = 2000

// outside are the packages beyond the tree, which never change: of GOROOT and of the module cache. All that net/http,
// testing and encoding/json import, 193 packages, takes 0.6 s and 20 MB, once.
type outside struct {
	source   source
	packages map[string]*types.Package // by directory; nil: in the making
	known    map[*types.Package]completeness
	joined   map[string][]fact.Type // interfaces, by their key
}

// A completeness says how much is known of a package beyond the tree.
type completeness int

const (
	unknown completeness = iota // it is none of them
	whole                       // its declarations
	lacking                     // those, but not all that it imports
	empty                       // nothing
)

func (o *outside) has(pkg *types.Package) bool { return o.known[pkg] != unknown }

// lacks reports whether a package needs one beyond the tree, through others, of which less is known than its directory holds.
// Of what it imports itself it need not be said: where that lies, or does not, is part of every key.
func (o *outside) lacks(pkg *types.Package) bool {
	return len(o.packages) >= maxOutside || slices.ContainsFunc(o.beyond(pkg.Imports()), func(pkg *types.Package) bool { return o.known[pkg] == lacking })
}

// beyond lists packages beyond the tree that are needed by some, these included.
func (o *outside) beyond(queue []*types.Package) (all []*types.Package) {
	seen := make(map[*types.Package]bool)
	for queue = slices.Clone(queue); len(queue) > 0; queue = queue[1:] {
		if pkg := queue[0]; !seen[pkg] {
			seen[pkg] = true
			queue = append(queue, pkg.Imports()...)
			if o.has(pkg) {
				all = append(all, pkg)
			}
		}
	}
	return all
}

// load returns the package that a module's packages import, or one below GOROOT does, an empty one if it cannot be found
// or the work has ended.
func (o *outside) load(importPath string, from module, std bool, ended func() bool) *types.Package {
	if importPath == "unsafe" {
		return types.Unsafe
	}
	dir := o.source.directory(importPath, from, std)
	if pkg := o.packages[dir]; pkg != nil {
		return pkg
	}
	if _, making := o.packages[dir]; dir == "" || making || len(o.packages) >= maxOutside || ended() {
		return o.keep("", nothing(importPath), empty)
	}
	o.keep(dir, nil, unknown)
	fset, below, known := token.NewFileSet(), o.source.standard(dir), whole
	config := types.Config{
		IgnoreFuncBodies: true, FakeImportC: true, DisableUnusedImportCheck: true, Error: func(error) {},
		Importer: importFunc(func(path string) (*types.Package, error) {
			pkg := o.load(path, from, below, ended)
			if o.known[pkg] == empty {
				known = lacking
			}
			return pkg, nil
		}),
	}
	pkg, _ := config.Check(importPath, fset, bareFiles(fset, dir, build.Default), nil)
	if ended() {
		delete(o.packages, dir)
		dir = ""
	}
	return o.keep(dir, pkg, known)
}

func (o *outside) keep(dir string, pkg *types.Package, known completeness) *types.Package {
	if o.packages == nil {
		o.packages, o.known = make(map[string]*types.Package), make(map[*types.Package]completeness)
	}
	if dir != "" {
		o.packages[dir] = pkg
	}
	if pkg != nil {
		o.known[pkg] = known
	}
	return pkg
}

type importFunc func(path string) (*types.Package, error)

// Import calls the function.
func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// nothing returns an empty package in the place of one that cannot be had. Its name is a guess from the path.
func nothing(importPath string) *types.Package {
	name := path.Base(importPath)
	if dir := path.Dir(importPath); majorVersion.MatchString(name) && dir != "." {
		name = path.Base(dir)
	}
	name, _, _ = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, "go-"), "-go"), ".")
	pkg := types.NewPackage(importPath, strings.ReplaceAll(name, "-", "_"))
	pkg.MarkComplete()
	return pkg
}

// bareFiles parses what a system builds of a directory without cgo, and forgets what no type depends on.
func bareFiles(fset *token.FileSet, dir string, system build.Context) []*ast.File {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	system.CgoEnabled = false
	files := make([]*ast.File, len(entries))
	var parsing errgroup.Group
	parsing.SetLimit(runtime.GOMAXPROCS(0))
	for i, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		parsing.Go(func() error {
			if builds(system, path) {
				files[i], _ = parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
				strip(files[i])
			}
			return nil
		})
	}
	_ = parsing.Wait() // a file that does not parse is taken as far as it goes
	return slices.DeleteFunc(files, func(f *ast.File) bool { return f == nil })
}

// strip drops the bodies of functions and the elements of literals: unicode's tables take longer than all of net/http.
func strip(file *ast.File) {
	if file == nil {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			n.Body = nil
		case *ast.CompositeLit:
			n.Elts = nil
		}
		return true
	})
}

// interfaces lists the interfaces with methods that packages beyond the tree declare for others, which the packages of directories need,
// and error. At is zero.
func (w *Work) interfaces(dirs []string) []fact.Type {
	dirs = w.needed(dirs)
	of := w.keyOfBeyond(dirs)
	if known, ok := w.outside.joined[of.name]; ok && of.settled {
		return known
	}
	all := w.loadInterfaces(of)
	if all == nil {
		needed := w.outside.beyond(w.importedBeyond(dirs))
		all = interfacesOf(needed)
		whole := !slices.ContainsFunc(needed, func(pkg *types.Package) bool { return w.outside.known[pkg] == lacking })
		if whole && len(w.outside.packages) < maxOutside && !w.ended() {
			w.saveInterfaces(of, all)
		}
	}
	if !w.ended() {
		w.outside.joined = map[string][]fact.Type{of.name: all}
	}
	return all
}

// importedBeyond makes the packages beyond the tree that the files of directories import.
func (w *Work) importedBeyond(dirs []string) (all []*types.Package) {
	for _, dir := range dirs {
		from := w.modules.of(dir)
		for _, s := range w.stampsOf(dir) {
			for _, path := range w.content(s).imports {
				if path != "C" && w.directory(path) == "" {
					all = append(all, w.outside.load(path, from, false, w.ended))
				}
			}
		}
	}
	return all
}

func interfacesOf(packages []*types.Package) []fact.Type {
	all := []fact.Type{interfaceOf(types.Universe.Lookup("error"))}
	for _, pkg := range packages {
		if strings.Contains(pkg.Path(), "internal/") || strings.Contains(pkg.Path(), "/internal") {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if ok && obj.Exported() && types.IsInterface(obj.Type()) && types.NewMethodSet(obj.Type()).Len() > 0 {
				all = append(all, interfaceOf(obj))
			}
		}
	}
	slices.SortFunc(all, func(a, b fact.Type) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func interfaceOf(obj types.Object) fact.Type {
	made := fact.Type{Name: obj.Name(), Interface: true, Methods: methodsOf(obj.Type(), func(*types.Func) fact.Place { return fact.Place{} })}
	if obj.Pkg() != nil {
		made.Package = obj.Pkg().Path()
	}
	return made
}
