package golang

import (
	"sync"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// typings are what a query has read of the names of packages. The zero value is empty and ready.
type typings struct {
	mu      sync.Mutex
	methods map[named]map[string]query.Spot // by the names of their types
	funcs   map[named]query.Spot
	types   map[named]query.Spot
	modules map[string]module   // by directory
	files   map[string][]string // by directory
}

// A named is a name that a package may declare.
type named struct {
	pkg
	name string
}

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

// typeNamed returns where the type is declared that is named at a place of a file, if the text leaves no doubt.
func (w *walk) typeNamed(f *syntax.File, at syntax.Position) (query.Spot, bool) {
	typing, ok := f.TypeTyping(at)
	if !ok || isLeftOut(f.Path) {
		return query.Spot{}, false
	}
	of, ok := w.typeOf(f, typing, maxTyping)
	if !ok {
		return query.Spot{}, false
	}
	return w.declaredType(of)
}

// typeOf returns the type that a typing in a file leads to.
func (w *walk) typeOf(f *syntax.File, t *syntax.Typing, steps int) (named, bool) {
	if steps == 0 {
		return named{}, false
	}
	if t.Of != nil {
		return w.memberType(f, t, steps)
	}
	of, ok := w.packageNamed(f, t.Package)
	switch {
	case !ok:
		return named{}, false
	case !t.Called:
		return named{of, t.Name}, true
	}
	spot, ok := w.function(of, t.Name)
	if !ok {
		return named{}, false
	}
	return w.resultType(spot, t.Result, steps)
}

// memberType is typeOf of a field, or of a result of a method.
func (w *walk) memberType(f *syntax.File, t *syntax.Typing, steps int) (named, bool) {
	of, ok := w.typeOf(f, t.Of, steps-1)
	if !ok {
		return named{}, false
	}
	if t.Called {
		spot, ok := w.methodOf(of, t.Name)
		if !ok {
			return named{}, false
		}
		return w.resultType(spot, t.Result, steps)
	}
	spot, ok := w.declaredType(of)
	if !ok {
		return named{}, false
	}
	in, err := w.Files.Open(spot.Path)
	if err != nil {
		return named{}, false
	}
	next, ok := in.FieldTyping(syntax.Position{Line: spot.Line, Column: spot.Column}, t.Name)
	if !ok {
		return named{}, false
	}
	return w.typeOf(in, next, steps-1)
}

// resultType returns the type of a result of the function declared at a spot.
func (w *walk) resultType(spot query.Spot, result, steps int) (named, bool) {
	f, err := w.Files.Open(spot.Path)
	if err != nil {
		return named{}, false
	}
	next, ok := f.ResultTyping(syntax.Position{Line: spot.Line, Column: spot.Column}, result)
	if !ok {
		return named{}, false
	}
	return w.typeOf(f, next, steps-1)
}

// methodOf returns where a type declares a method itself; false if it may not.
func (w *walk) methodOf(of named, method string) (query.Spot, bool) {
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

// function returns where a package declares a function; false if it may not, or in several files.
func (w *walk) function(of pkg, name string) (query.Spot, bool) {
	return built(w.declaredOnce(&w.typings.funcs, named{of, name}, (*syntax.File).FuncsNamed))
}

// declaredType returns where a package declares a type; false if it may not, or in several files.
func (w *walk) declaredType(of named) (query.Spot, bool) {
	return built(w.declaredOnce(&w.typings.types, of, (*syntax.File).TypesNamed))
}

// declaredOnce returns where a package declares a name; the zero Spot if it does not, or more than once. It keeps the answer in known.
func (w *walk) declaredOnce(known *map[named]query.Spot, name named, declared func(*syntax.File, string) []syntax.Position) query.Spot {
	w.typings.mu.Lock()
	spot, ok := (*known)[name]
	w.typings.mu.Unlock()
	if ok {
		return spot
	}
	var all []query.Spot
	for _, f := range w.variants(name.pkg) {
		for _, at := range declared(f, name.name) {
			all = append(all, spotIn(f, at))
		}
	}
	if len(all) == 1 {
		spot = all[0]
	}
	w.typings.mu.Lock()
	defer w.typings.mu.Unlock()
	put(known, name, spot)
	return spot
}

func spotIn(f *syntax.File, at syntax.Position) query.Spot {
	return query.Spot{Path: f.Path, Line: at.Line, Column: at.Column}
}
