package tools

import (
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// What is promoted must be what the compiler promotes.
func TestPromotionAgreesWithTheCompiler(t *testing.T) {
	config := &packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:  zoo.Root, Env: append(os.Environ(), "GOWORK=off"),
	}
	loaded, err := packages.Load(config, "./model")
	if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		t.Fatalf("loading the model: %v %v", err, loaded)
	}
	pkg := loaded[0].Types
	for _, name := range []string{"Server", "Wrapped", "IntBox", "Ring", "Other", "Twice", "Near"} {
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
			if depth := strings.Count(path, ".") + 1; path != "" && (object == nil || len(index) != depth+1) {
				t.Errorf("%s.%s through %q: the compiler says %v by %v", name, member, path, object, index)
			}
		}
		for _, member := range slices.Sorted(candidatesOf(typ)) {
			object, _, _ := types.LookupFieldOrMethod(typ, true, pkg, member)
			_, listed := shown[member]
			if promoted := object != nil && !declaredOn(typ, member); promoted != listed && promoted {
				t.Errorf("%s.%s is promoted by the compiler only", name, member)
			}
		}
	}
}

// candidatesOf yields the exported names of everything below a type.
func candidatesOf(typ types.Type) func(func(string) bool) {
	names := make(map[string]bool)
	seen := make(map[types.Type]bool)
	var walk func(types.Type)
	walk = func(typ types.Type) {
		if pointer, ok := types.Unalias(typ).(*types.Pointer); ok {
			typ = pointer.Elem()
		}
		if seen[typ] {
			return
		}
		seen[typ] = true
		for set, i := types.NewMethodSet(types.NewPointer(typ)), 0; i < set.Len(); i++ {
			names[set.At(i).Obj().Name()] = true
		}
		if structure, ok := typ.Underlying().(*types.Struct); ok {
			for field := range structure.Fields() {
				names[field.Name()] = true
				if field.Embedded() {
					walk(field.Type())
				}
			}
		}
	}
	walk(typ)
	return func(yield func(string) bool) {
		for name := range names {
			if token.IsExported(name) && !yield(name) {
				return
			}
		}
	}
}

func declaredOn(typ types.Type, method string) bool {
	named, ok := typ.(*types.Named)
	if !ok {
		return false
	}
	for m := range named.Methods() {
		if m.Name() == method {
			return true
		}
	}
	return false
}
