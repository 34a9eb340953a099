package packages

import (
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// foreign are the packages of the module cache, and syscall, as other systems build them, which never change; by directory
// and system. Of those that look the same there, and of the rest of GOROOT, where reading all of one system takes 0.5 s,
// it has those of the system we run on: what does not fit together then shows as an error where it is named.
type foreign map[string]*types.Package

// load returns the package that a module's packages import.
func (o *foreign) load(w *Work, importPath string, from module, system build.Context) *types.Package {
	dir := w.outside.source.directory(importPath, from, false)
	here := func() *types.Package { return w.outside.load(importPath, from, false, w.ended) }
	if dir == "" || w.outside.source.standard(dir) && importPath != "syscall" || w.ended() {
		return here()
	}
	key := systemName(system) + dir
	if pkg := (*o)[key]; pkg != nil {
		return pkg
	}
	if *o == nil {
		*o = make(foreign)
	}
	if sameFiles(dir, system) {
		pkg := here()
		if !w.ended() {
			(*o)[key] = pkg
		}
		return pkg
	}
	(*o)[key] = nothing(importPath) // for what imports itself
	fset := token.NewFileSet()
	config := types.Config{
		IgnoreFuncBodies: true, FakeImportC: true, DisableUnusedImportCheck: true, Error: func(error) {},
		Importer: importFunc(func(path string) (*types.Package, error) {
			return o.load(w, path, from, system), nil
		}),
	}
	pkg, _ := config.Check(importPath, fset, bareFiles(fset, dir, system), nil)
	if (*o)[key] = pkg; w.ended() {
		delete(*o, key)
	}
	return pkg
}

// sameFiles reports whether a system builds the same files of a directory, without cgo, as the one we run on.
func sameFiles(dir string, system build.Context) bool {
	here := build.Default
	here.CgoEnabled, system.CgoEnabled = false, false
	entries, err := os.ReadDir(dir)
	return err != nil || !slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		path := filepath.Join(dir, entry.Name())
		return filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") && builds(here, path) != builds(system, path)
	})
}

// hollow returns a file as far as others depend on it. Its functions have bodies, without which generic ones and init are
// errors: such that no result is missed.
func hollow(file *ast.File) *ast.File {
	bare := *file
	bare.Decls = slices.Clone(file.Decls)
	for i, decl := range bare.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
			declared := *fn
			forever := &ast.ForStmt{For: fn.Body.Lbrace, Body: &ast.BlockStmt{Lbrace: fn.Body.Lbrace, Rbrace: fn.Body.Rbrace}}
			declared.Body = &ast.BlockStmt{Lbrace: fn.Body.Lbrace, List: []ast.Stmt{forever}, Rbrace: fn.Body.Rbrace}
			bare.Decls[i] = &declared
		}
	}
	return &bare
}
