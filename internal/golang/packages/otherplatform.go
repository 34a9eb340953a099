package packages

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

// OtherPlatformUses lists the names that mean what is declared at a place in those files of a directory that the system we run
// on does not build, in their order. A name that is promoted through an embedded field means that field too. seen are
// the paths of those of the files in which none is missed.
func (w *Work) OtherPlatformUses(dir string, of fact.Place) (all []fact.Place, seen []string) {
	for _, v := range w.variants(dir) {
		if v.otherPlatform == nil {
			continue
		}
		s := &search{work: w, dir: dir, of: of, only: v.otherPlatform}
		tested := s.through(slices.Concat(v.files, v.tests), nil)
		if len(v.external) > 0 {
			s.through(v.external, tested)
		}
		all = append(all, s.found...)
		for path := range v.otherPlatform {
			if s.errors == 0 {
				seen = append(seen, path)
			}
		}
	}
	slices.Sort(seen)
	slices.SortFunc(all, func(a, b fact.Place) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Compact(all), seen
}

// A search looks for the names that mean one declaration.
type search struct {
	work  *Work
	dir   string
	of    fact.Place
	only  map[string]bool // paths of the files to look through
	found []fact.Place

	errors int // of the type checker
}

// through looks through the files of a package, which it returns. tested is the package that external tests see, nil
// for any other.
func (s *search) through(files []*syntax.File, tested *types.Package) *types.Package {
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	parsed := s.work.syntaxOf(files)
	for i, f := range files {
		if !s.only[f.Path] {
			parsed[i] = withoutBodies(parsed[i])
		}
	}
	path := s.work.modules.importPath(s.dir)
	if tested != nil {
		path += "_test"
	}
	config := types.Config{
		FakeImportC: true, DisableUnusedImportCheck: true, Error: func(error) { s.errors++ },
		Importer: &importer{work: s.work, from: s.dir, imports: make(map[string]int), tested: tested},
	}
	pkg, _ := config.Check(path, s.work.fset, parsed, info)
	for id, obj := range info.Uses {
		s.add(id, obj)
	}
	for selector, selection := range info.Selections {
		s.promoted(selector.Sel, selection)
	}
	return pkg
}

// add takes note of a name if it means what is looked for.
func (s *search) add(id *ast.Ident, obj types.Object) {
	switch generic := obj.(type) {
	case *types.Var:
		obj = generic.Origin()
	case *types.Func:
		obj = generic.Origin()
	}
	if at := s.work.at(id.Pos()); s.only[at.Path] && s.work.place(obj) == s.of {
		s.found = append(s.found, at)
	}
}

// promoted takes note of a name that is selected through an embedded field, if that is what is looked for.
func (s *search) promoted(id *ast.Ident, selection *types.Selection) {
	t, path := selection.Recv(), selection.Index()
	for _, index := range path[:len(path)-1] {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		of, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		s.add(id, of.Field(index))
		t = of.Field(index).Type()
	}
}
