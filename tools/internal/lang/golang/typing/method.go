package typing

import (
	"slices"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A member is a method that a type may have.
type member struct {
	of   named
	name string
}

// A field is one that the struct declared at a spot may have.
type field struct {
	of   query.Spot
	name string
}

// ErrorMethod stands for where the method of error is declared, which Go itself declares.
func ErrorMethod() query.Spot { return query.Spot{Path: "builtin"} }

// Method returns where the method of a name is declared that a place calls or takes: one that the type of the operand declares itself, or,
// of an interface, one that it embeds. If the place names no method but a field, or a function of a package, the spot is that of the
// struct or of the function; of a struct without a name it is the place itself.
func (r *Reader) Method(at lsp.Location, method string) (query.Spot, bool) {
	p, in, err := r.place(at)
	switch {
	case err != nil || r.LeftOut(at.Path):
		return query.Spot{}, false
	case p.operand == nil:
		return query.SpotOf(at), p.ofOwn
	}
	if p.operand.Name == "" {
		of, ok := r.packageNamed(in, p.operand.Package)
		if !ok {
			return query.Spot{}, false
		}
		return r.function(of, method)
	}
	of, ok := r.typeOf(in, p.operand, maxTyping)
	if !ok {
		return query.Spot{}, false
	}
	if spot, ok := r.methodOf(of, method); ok {
		return spot, true
	}
	spot, ok := r.declaredType(of)
	return spot, ok && r.hasField(spot, method)
}

// methodOf returns where a type declares a method, itself or by what an interface embeds; false if it may not.
func (r *Reader) methodOf(of named, method string) (query.Spot, bool) {
	if spot, ok := r.ownMethod(of, method); ok {
		return spot, true
	}
	key := member{of, method}
	r.mu.Lock()
	spot, known := r.inherited[key]
	r.mu.Unlock()
	if !known {
		spot, _ = r.interfaceMethod(of, method, maxTyping)
		r.mu.Lock()
		put(&r.inherited, key, spot)
		r.mu.Unlock()
	}
	return spot, spot != query.Spot{}
}

// ownMethod returns where a type itself declares a method; false if it may not.
func (r *Reader) ownMethod(of named, method string) (query.Spot, bool) {
	key := named{of.pkg, method}
	r.mu.Lock()
	all, known := r.methods[key]
	r.mu.Unlock()
	if !known {
		all = make(map[string]query.Spot)
		for _, f := range r.variants(of.pkg) {
			for name, at := range f.MethodsNamed(method) {
				all[name] = sole(all, name, spotIn(f, at))
			}
		}
		r.mu.Lock()
		put(&r.methods, key, all)
		r.mu.Unlock()
	}
	return r.built(all[of.name])
}

// interfaceMethod returns where an interface, or what it embeds, declares a method, the zero Spot if none does; false if it is no
// interface, the text does not tell, or several declare the method.
func (r *Reader) interfaceMethod(of named, method string, steps int) (found query.Spot, known bool) {
	if r.isError(of) {
		if method == "Error" {
			found = ErrorMethod()
		}
		return found, true
	}
	spot, ok := r.declaredType(of)
	if !ok || steps == 0 {
		return found, false
	}
	f, err := r.Files.Open(spot.Path)
	if err != nil {
		return found, false
	}
	at := syntax.Position{Line: spot.Line, Column: spot.Column}
	all, ok := f.Embedding(at)
	if !ok {
		return found, false
	}
	if own, ok := f.InterfaceMethod(at, method); ok {
		return spotIn(f, own), true
	}
	for _, typing := range all {
		embedded, ok := r.typeOf(f.Scope, typing, steps-1)
		if !ok {
			return query.Spot{}, false
		}
		spot, ok := r.interfaceMethod(embedded, method, steps-1)
		if !ok || spot != (query.Spot{}) && found != (query.Spot{}) && spot != found {
			return query.Spot{}, false
		}
		if spot != (query.Spot{}) {
			found = spot
		}
	}
	return found, true
}

// isError reports whether a name means the error that Go itself declares.
func (r *Reader) isError(of named) bool {
	if of.name != "error" {
		return false
	}
	r.mu.Lock()
	own, known := r.ownErrors[of.dir]
	r.mu.Unlock()
	if !known {
		own = slices.ContainsFunc(r.goFiles(of.dir), func(path string) bool {
			f, err := r.Files.Open(path)
			return err != nil || f.DeclaresType("error")
		})
		r.mu.Lock()
		put(&r.ownErrors, of.dir, own)
		r.mu.Unlock()
	}
	return !own
}

// hasField reports whether the struct that is declared at a spot declares a field of a name.
func (r *Reader) hasField(of query.Spot, name string) bool {
	key := field{of, name}
	r.mu.Lock()
	has, known := r.fields[key]
	r.mu.Unlock()
	if known {
		return has
	}
	if f, err := r.Files.Open(of.Path); err == nil {
		has = f.HasField(syntax.Position{Line: of.Line, Column: of.Column}, name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	put(&r.fields, key, has)
	return has
}

// isAbstract reports whether an interface declares the method at a spot.
func (r *Reader) isAbstract(method query.Spot) bool {
	if method == ErrorMethod() {
		return true
	}
	r.mu.Lock()
	is, known := r.abstract[method]
	r.mu.Unlock()
	if known {
		return is
	}
	f, err := r.Files.Open(method.Path)
	if err != nil {
		return false
	}
	_, is = f.InterfaceOf(syntax.Position{Line: method.Line, Column: method.Column})
	r.mu.Lock()
	defer r.mu.Unlock()
	put(&r.abstract, method, is)
	return is
}
