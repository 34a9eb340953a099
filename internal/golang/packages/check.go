package packages

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

// check makes the package of a directory as others import it.
func (w *Work) check(d *declared, dir string) *types.Package {
	v := w.variants(dir)[0]
	config := types.Config{
		IgnoreFuncBodies: true, FakeImportC: true, DisableUnusedImportCheck: true,
		Error: func(error) {}, Importer: &importer{work: w, from: dir, imports: d.imports},
	}
	pkg, _ := config.Check(w.modules.importPath(dir), w.fset, w.syntaxOf(v.files), nil)
	w.files.Forget()
	return pkg
}

// syntaxOf makes the positions of files known.
func (w *Work) syntaxOf(files []*syntax.File) []*ast.File {
	var all []*ast.File
	for _, f := range files {
		parsed, lines := f.Syntax()
		w.fset.AddExistingFiles(lines)
		all = append(all, parsed)
	}
	return all
}

// An importer finds what a package of the tree imports, and takes note of what it finds there.
type importer struct {
	work    *Work
	from    string // the directory of the package that imports
	imports map[string]int
	tested  *types.Package // the package that from's external tests see, with its own tests; nil outside of these
}

// Import never fails: what cannot be found is empty.
func (i *importer) Import(path string) (*types.Package, error) {
	dir := i.work.directory(path)
	switch {
	case dir == "":
		return i.work.outside.load(path, i.work.modules.of(i.from), false, i.work.ended), nil
	case dir == i.from && i.tested != nil:
		return i.tested, nil
	}
	d := i.work.declare(dir)
	if d == nil {
		return nothing(path), nil
	}
	i.imports[dir] = d.version
	if pkg := i.work.typesOf(d, dir); pkg != nil {
		return pkg, nil
	}
	return nothing(path), nil
}

// survey type-checks the packages of a directory with their bodies and collects what is known of them. It reports whether a package beyond
// the tree that this takes was missing, without a trace in the key.
func (w *Work) survey(dir string) (facts *Facts, lacking bool) {
	facts = &Facts{}
	imports := make(map[string]int)
	for _, v := range w.variants(dir) {
		own := slices.Concat(v.files, v.tests)
		tested := w.collect(facts, dir, own, v.otherPlatform, &importer{work: w, from: dir, imports: imports})
		lacking = lacking || w.outside.lacks(tested)
		if len(v.external) > 0 {
			external := w.collect(facts, dir, v.external, v.otherPlatform, &importer{work: w, from: dir, imports: imports, tested: tested})
			lacking = lacking || w.outside.lacks(external)
		}
	}
	facts.Functions = slices.Clone(facts.Functions)
	return facts, lacking
}

// collect checks the files of one package, those in only (nil: all) with their bodies, and adds what they hold to facts.
func (w *Work) collect(facts *Facts, dir string, files []*syntax.File, only map[string]bool, from *importer) *types.Package {
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	parsed := w.syntaxOf(files)
	for i, f := range files {
		if only != nil && !only[f.Path] {
			parsed[i] = withoutBodies(parsed[i])
		}
	}
	config := types.Config{FakeImportC: true, DisableUnusedImportCheck: true, Error: func(error) {}, Importer: from}
	path := w.modules.importPath(dir)
	if from.tested != nil {
		path += "_test"
	}
	pkg, _ := config.Check(path, w.fset, parsed, info)
	c := &collector{work: w, info: info, pkg: pkg, facts: facts}
	for i, f := range files {
		if only == nil || only[f.Path] {
			c.file(f, parsed[i], only != nil)
		}
	}
	return pkg
}

// withoutBodies returns a file as far as others depend on it.
func withoutBodies(file *ast.File) *ast.File {
	bare := *file
	bare.Decls = slices.Clone(file.Decls)
	for i, decl := range bare.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			declared := *fn
			declared.Body = nil
			bare.Decls[i] = &declared
		}
	}
	return &bare
}

// place returns where an object of the tree is declared.
func (w *Work) place(obj types.Object) fact.Place {
	if obj == nil || obj.Pkg() == nil || !obj.Pos().IsValid() || !w.ours(obj.Pkg()) {
		return fact.Place{}
	}
	return w.at(obj.Pos())
}

func (w *Work) at(pos token.Pos) fact.Place {
	p := w.fset.PositionFor(pos, false)
	return fact.Place{Path: p.Filename, Line: p.Line, Column: p.Column}
}

func (w *Work) ours(pkg *types.Package) bool { return !w.outside.has(pkg) }
