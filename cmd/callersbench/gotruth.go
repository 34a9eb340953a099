package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// goTruth has the Go type checker say where each function of a module is used, in tests, too.
func goTruth(ctx context.Context, c *subject) ([]function, error) {
	config := &packages.Config{
		Context: ctx, Dir: c.Dir, Env: c.Env, Tests: true,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedSyntax | packages.NeedTypesInfo,
	}
	loaded, err := packages.Load(config, "./...")
	if err != nil {
		return nil, err
	}
	r := &goReader{subject: c, functions: map[place]*function{}, contracts: map[string][]goContract{}, owners: map[place][]goType{}, abstract: map[place]bool{}}
	for _, pkg := range loaded {
		for _, problem := range pkg.Errors {
			err = errors.Join(err, problem)
		}
		r.pkg = pkg
		r.declarations()
	}
	if err != nil {
		return nil, fmt.Errorf("the module does not compile: %w", err)
	}
	for _, r.pkg = range loaded {
		r.uses()
	}
	return r.finish(), nil
}

// A goReader collects what the packages of a module say. The variants of a package tell of the same places.
type goReader struct {
	*subject
	pkg       *packages.Package // at hand
	functions map[place]*function
	contracts map[string][]goContract // uses of interfaces' methods, by name
	owners    map[place][]goType      // types that have a method
	abstract  map[place]bool          // functions that are methods of interfaces
}

// A goContract is a place that calls a method of an interface, or takes it as a value.
type goContract struct {
	at               place
	static, declared map[string]string // what the value at the place has, and what the interface asks for that declares the method
}

// at returns a place of the module; false for one outside.
func (r *goReader) at(pos token.Pos) (place, bool) {
	p := r.pkg.Fset.PositionFor(pos, false)
	path, ok := r.Below(p.Filename)
	return place{path, p.Line, p.Column}, ok
}

// declarations takes the functions of the package at hand, and which types have which methods.
func (r *goReader) declarations() {
	for id, object := range r.pkg.TypesInfo.Defs {
		switch object := object.(type) {
		case *types.Func:
			r.declare(id, object)
		case *types.TypeName:
			if named, ok := object.Type().(*types.Named); ok && !object.IsAlias() && !types.IsInterface(named) {
				r.own(named)
			}
		}
	}
}

// declare takes a function, unless nothing can name it.
func (r *goReader) declare(id *ast.Ident, fn *types.Func) {
	at, ok := r.at(id.Pos())
	name := goName(fn)
	if !ok || name == "" || id.Name == "_" || id.Name == "init" && fn.Signature().Recv() == nil {
		return
	}
	if r.functions[at] == nil {
		r.functions[at] = &function{Name: name, At: at}
		recv := fn.Signature().Recv()
		r.abstract[at] = recv != nil && types.IsInterface(recv.Type())
	}
}

// goName returns F or T.M; "" for a method of an interface without a name.
func goName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t := types.Unalias(recv.Type())
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return ""
}

// uses takes what the package at hand uses.
func (r *goReader) uses() {
	for _, file := range r.pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if fn, ok := r.pkg.TypesInfo.Uses[id].(*types.Func); ok {
					r.use(id, fn.Origin(), stack)
				}
			}
			return true
		})
	}
}

func (r *goReader) use(id *ast.Ident, fn *types.Func, stack []ast.Node) {
	at, ok := r.at(id.Pos())
	if !ok {
		return
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		r.contract(at, fn, stack)
	}
	declared, ok := r.at(fn.Pos())
	if of := r.functions[declared]; ok && of != nil {
		if calls(id, stack) {
			of.Calls = append(of.Calls, at)
		} else {
			of.Values = append(of.Values, at)
		}
	}
}

// calls reports whether an identifier, or the expression that only names the same, is what a call calls.
func calls(id *ast.Ident, stack []ast.Node) bool {
	var child ast.Node = id
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.SelectorExpr:
			if n.Sel != child {
				return false
			}
		case *ast.IndexExpr:
			if n.X != child {
				return false
			}
		case *ast.IndexListExpr:
			if n.X != child {
				return false
			}
		case *ast.ParenExpr:
		case *ast.CallExpr:
			return n.Fun == child
		default:
			return false
		}
		child = stack[i]
	}
	return false
}
