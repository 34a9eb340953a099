package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"tidepool/tools/internal/query"
)

// loadZoo type checks the zoo with the compiler's own rules.
func loadZoo(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	return loadModule(t, zoo.Root, patterns...)
}

func loadModule(t *testing.T, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	config := &packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:  dir, Env: append(os.Environ(), "GOWORK=off"), Tests: true,
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatalf("loading %s: %v", dir, err)
	}
	return loaded
}

// A truth is what type checking says of the functions below a directory: their names, and where they are used; both
// by where they are declared.
type truth struct {
	names map[query.Spot]string
	uses  map[query.Spot][]query.Spot
}

func functionsOf(loaded []*packages.Package, dir string) truth {
	all := truth{names: make(map[query.Spot]string), uses: make(map[query.Spot][]query.Spot)}
	for _, pkg := range loaded {
		at := func(pos token.Pos) query.Spot {
			p := pkg.Fset.Position(pos)
			return query.Spot{Path: p.Filename, Line: p.Line, Column: p.Column}
		}
		for id, object := range pkg.TypesInfo.Defs {
			if fn, ok := object.(*types.Func); ok && strings.HasPrefix(at(id.Pos()).Path, dir) && methodName(fn) != "" {
				all.names[at(fn.Pos())] = pkg.PkgPath + "." + methodName(fn)
			}
		}
		for id, object := range pkg.TypesInfo.Uses {
			if fn, ok := object.(*types.Func); ok && strings.HasPrefix(at(id.Pos()).Path, dir) {
				declared := at(fn.Origin().Pos())
				all.uses[declared] = append(all.uses[declared], at(id.Pos()))
			}
		}
	}
	return all
}

// methodName is "F" or "T.M", "" for a method of an interface without a name.
func methodName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	typ := recv.Type()
	if pointer, ok := typ.(*types.Pointer); ok {
		typ = pointer.Elem()
	}
	if named, ok := typ.(*types.Named); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return ""
}

// Every use of every function of the zoo is a call site, through whatever name, and nothing else is one.
func TestFindCallersAgreesWithTheCompiler(t *testing.T) {
	functions := functionsOf(loadZoo(t, "./..."), zoo.Root)
	if len(functions.names) < 50 {
		t.Fatalf("only %d functions", len(functions.names))
	}
	for declared, name := range functions.names {
		out := findCallers(t, FindCallersInput{Name: name})
		if out.DefinitionFile == nil {
			t.Errorf("%s: %s", name, out.Text())
			continue
		}
		var got []query.Spot
		for _, s := range out.CallSites {
			if !strings.HasPrefix(s.Kind, "interface ") {
				got = append(got, query.Spot{Path: s.File, Line: s.Line, Column: s.Column})
			}
		}
		want := functions.uses[declared]
		slices.SortFunc(want, query.CompareSpots)
		if want = slices.Compact(want); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", name, spots(got), spots(want))
		}
	}
}

func spots(all []query.Spot) string {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%s:%d:%d ", query.Relative(zoo.Root, s.Path), s.Line, s.Column)
	}
	return b.String()
}

// What is promoted must be what the compiler promotes.
func TestPromotionAgreesWithTheCompiler(t *testing.T) {
	pkg := loadZoo(t, "./model")[0].Types
	for _, name := range []string{"Server", "Wrapped", "IntBox", "Ring", "Other", "Twice", "Near", "Failure", "Clash"} {
		typ := pkg.Scope().Lookup(name).Type()
		out := showFields(t, name)
		shown := make(map[string]string)
		for _, f := range out.Fields {
			shown[f.Name] = f.PromotedFrom
		}
		for _, m := range out.Methods {
			shown[m.Name] = m.PromotedFrom
		}
		for member, path := range shown {
			object, index, _ := types.LookupFieldOrMethod(typ, true, pkg, member)
			if depth := strings.Count(path, ".") + 2; path != "" && (object == nil || len(index) != depth) {
				t.Errorf("%s.%s through %q: the compiler says %v by %v", name, member, path, object, index)
			}
		}
		for member := range exportedBelow(typ, make(map[types.Type]bool)) {
			object, index, _ := types.LookupFieldOrMethod(typ, true, pkg, member)
			if _, listed := shown[member]; object != nil && len(index) > 1 && !listed {
				t.Errorf("%s.%s is promoted by the compiler only", name, member)
			}
		}
	}
}

// exportedBelow are the exported names of the fields and methods of a type and of all that it embeds.
func exportedBelow(typ types.Type, seen map[types.Type]bool) map[string]bool {
	names := make(map[string]bool)
	if pointer, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ = pointer.Elem()
	}
	if seen[typ] {
		return names
	}
	seen[typ] = true
	for method := range types.NewMethodSet(types.NewPointer(typ)).Methods() {
		names[method.Obj().Name()] = true
	}
	structure, _ := typ.Underlying().(*types.Struct)
	for i := 0; structure != nil && i < structure.NumFields(); i++ {
		field := structure.Field(i)
		names[field.Name()] = true
		if field.Embedded() {
			for name := range exportedBelow(field.Type(), seen) {
				names[name] = true
			}
		}
	}
	for name := range names {
		if !ast.IsExported(name) {
			delete(names, name)
		}
	}
	return names
}
