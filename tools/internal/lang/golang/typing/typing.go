// Package typing tells by the text of a module what method or type a name means, where that leaves no doubt. It follows variables to what
// makes them, functions to their results and fields to their types, through the packages of one module and of the standard library, and
// type-checks nothing: to ask gopls costs that it type-checks the package, a second for some generated ones. Of the uses of a name it tells
// which are left open, for gopls to say.
package typing

import (
	"sync"

	"tidepool/internal/golang/syntax"
	"tidepool/tools/internal/query"
)

// A Reader tells of the files of one query. Set its fields before the first question. Safe for concurrent use.
type Reader struct {
	Files    *syntax.Reading
	LeftOut  func(path string) bool                      // says that the build at hand does not have a file, often of the same one
	Memory   *Memory                                     // of the project
	Revision func(path string) (revision int64, ok bool) // vouches for files as lsp.View.Revision does; nil: nobody does

	standard string // the directory of the standard library's packages; "": it is not told of

	mu        sync.Mutex
	methods   map[named]map[string]query.Spot // by the names of their types
	inherited map[member]query.Spot           // of interfaces, by embedding, too; the zero Spot: it may have none, or several
	fields    map[field]bool
	abstract  map[query.Spot]bool // whether an interface declares the method at a spot
	ownErrors map[string]bool     // by directory: a package there declares a type called error
	funcs     map[named]query.Spot
	types     map[named]query.Spot
	modules   map[string]module   // by directory
	clauses   map[string]string   // by directory
	imports   map[string]imported // by directory
	files     map[string][]string // by directory
}

// A named is a name that a package may declare.
type named struct {
	pkg
	name string
}

// maxTyping bounds the steps from an expression to the name of its type.
const maxTyping = 8

// Type returns where the type is declared that is named at a place of a file, if the text leaves no doubt.
func (r *Reader) Type(f *syntax.File, at syntax.Position) (query.Spot, bool) {
	typing, ok := f.TypeTyping(at)
	if !ok || r.LeftOut(f.Path) {
		return query.Spot{}, false
	}
	of, ok := r.typeOf(f.Scope, typing, maxTyping)
	if !ok {
		return query.Spot{}, false
	}
	return r.declaredType(of)
}

// A container is a type, or what has it as its element.
type container struct {
	named
	depth int // of slices, arrays and maps: 0 for the type itself
}

// typeOf returns the type that a typing in a file leads to.
func (r *Reader) typeOf(in *syntax.Scope, t *syntax.Typing, steps int) (named, bool) {
	c, ok := r.containerOf(in, t, steps)
	return c.named, ok && c.depth == 0
}

// containerOf is typeOf, also of slices, arrays and maps.
func (r *Reader) containerOf(in *syntax.Scope, t *syntax.Typing, steps int) (c container, ok bool) {
	if steps == 0 {
		return c, false
	}
	if t.Of != nil {
		c, ok = r.memberType(in, t, steps)
	} else {
		c, ok = r.packageMember(in, t, steps)
	}
	c.depth += t.Depth
	for ; ok && c.depth < 0; steps-- {
		c, ok = r.elementType(c, steps)
	}
	return c, ok
}

// elementType returns what is the element of a type that a package declares as a slice, an array or a map.
func (r *Reader) elementType(of container, steps int) (container, bool) {
	spot, ok := r.declaredType(of.named)
	if !ok {
		return of, false
	}
	f, err := r.Files.Open(spot.Path)
	if err != nil {
		return of, false
	}
	next, ok := f.Underlying(syntax.Position{Line: spot.Line, Column: spot.Column})
	if !ok {
		return of, false
	}
	c, ok := r.containerOf(f.Scope, next, steps-1)
	c.depth += of.depth
	return c, ok
}

// packageMember is containerOf of a type of a package, of a result of a function, or of a conversion, which looks like a call.
func (r *Reader) packageMember(in *syntax.Scope, t *syntax.Typing, steps int) (container, bool) {
	of, ok := r.packageNamed(in, t.Package)
	switch {
	case !ok:
		return container{}, false
	case !t.Called:
		return container{named: named{of, t.Name}}, true
	}
	spot, ok := r.function(of, t.Name)
	if !ok {
		converted := named{of, t.Name}
		_, ok := r.declaredType(converted)
		return container{named: converted}, ok
	}
	return r.resultType(spot, t.Result, steps)
}

// memberType is containerOf of a field, or of a result of a method.
func (r *Reader) memberType(in *syntax.Scope, t *syntax.Typing, steps int) (container, bool) {
	of, ok := r.typeOf(in, t.Of, steps-1)
	if !ok {
		return container{}, false
	}
	if t.Called {
		spot, ok := r.methodOf(of, t.Name)
		if !ok {
			return container{}, false
		}
		return r.resultType(spot, t.Result, steps)
	}
	spot, ok := r.declaredType(of)
	if !ok {
		return container{}, false
	}
	f, err := r.Files.Open(spot.Path)
	if err != nil {
		return container{}, false
	}
	next, ok := f.FieldTyping(syntax.Position{Line: spot.Line, Column: spot.Column}, t.Name)
	if !ok {
		return container{}, false
	}
	return r.containerOf(f.Scope, next, steps-1)
}

// resultType returns the type of a result of the function declared at a spot.
func (r *Reader) resultType(spot query.Spot, result, steps int) (container, bool) {
	f, err := r.Files.Open(spot.Path)
	if err != nil {
		return container{}, false
	}
	next, ok := f.ResultTyping(syntax.Position{Line: spot.Line, Column: spot.Column}, result)
	if !ok {
		return container{}, false
	}
	return r.containerOf(f.Scope, next, steps-1)
}

// built returns a spot if it is one, in a file that the build at hand has. With another tag, which the server may have been given, it
// may be another one, so that several files that declare a name tell nothing.
func (r *Reader) built(spot query.Spot) (query.Spot, bool) {
	if spot.Path == "" || r.LeftOut(spot.Path) {
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
func (r *Reader) function(of pkg, name string) (query.Spot, bool) {
	return r.built(r.declaredOnce(&r.funcs, named{of, name}, (*syntax.File).FuncsNamed))
}

// declaredType returns where a package declares a type; false if it may not, or in several files.
func (r *Reader) declaredType(of named) (query.Spot, bool) {
	return r.built(r.declaredOnce(&r.types, of, (*syntax.File).TypesNamed))
}

// declaredOnce returns where a package declares a name; the zero Spot if it does not, or more than once. It keeps the answer in known.
func (r *Reader) declaredOnce(known *map[named]query.Spot, name named, declared func(*syntax.File, string) []syntax.Position) query.Spot {
	r.mu.Lock()
	spot, ok := (*known)[name]
	r.mu.Unlock()
	if ok {
		return spot
	}
	var all []query.Spot
	for _, f := range r.variants(name.pkg) {
		for _, at := range declared(f, name.name) {
			all = append(all, spotIn(f, at))
		}
	}
	if len(all) == 1 {
		spot = all[0]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	put(known, name, spot)
	return spot
}

func spotIn(f *syntax.File, at syntax.Position) query.Spot {
	return query.Spot{Path: f.Path, Line: at.Line, Column: at.Column}
}
