package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"tidepool/internal/golang/syntax"
)

// A place is a slash path below the module, and a line from 1.
type place struct {
	file string
	line int
}

// A declaration is a function or a type of a module, outside of its tests.
type declaration struct {
	at    place
	name  string // F, T, T.M
	words map[string]bool
	lines int // of a function with its body; 0: a type
	calls []place
}

// A test is a function of a test file: a test, or what tests call.
type test struct {
	file  string // slash path
	name  string
	doc   string
	names []place // the declarations that its body names, in order
	helps []place // the functions of test files that it names
}

// Code is what the syntax and the types of a module tell.
type code struct {
	module       *module
	declarations map[place]*declaration
	tests        map[place]*test // by the place of the name
}

// read loads a module with its tests.
func (m *module) read(ctx context.Context) (*code, error) {
	config := &packages.Config{
		Context: ctx, Dir: m.Dir, Env: m.Env, Tests: true,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedSyntax | packages.NeedTypesInfo,
	}
	loaded, err := packages.Load(config, "./...")
	if err != nil {
		return nil, err
	}
	c := &code{module: m, declarations: map[place]*declaration{}, tests: map[place]*test{}}
	for _, pkg := range loaded {
		for _, problem := range pkg.Errors {
			err = errors.Join(err, problem)
		}
		for _, file := range pkg.Syntax {
			c.declare(pkg, file)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the module does not compile: %w", err)
	}
	for _, pkg := range loaded {
		for _, file := range pkg.Syntax {
			c.uses(pkg, file)
		}
	}
	return c, nil
}

// at returns where a node of a package begins; false outside of the module.
func (c *code) at(pkg *packages.Package, n ast.Node) (place, bool) {
	p := pkg.Fset.PositionFor(n.Pos(), false)
	file, ok := c.module.Below(p.Filename)
	return place{file, p.Line}, ok
}

// declare takes what a file declares.
func (c *code) declare(pkg *packages.Package, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			at, ok := c.at(pkg, d.Name)
			if !ok || d.Name.Name == "init" { // which every test of its package runs
				continue
			}
			if strings.HasSuffix(at.file, "_test.go") {
				c.tests[at] = &test{file: at.file, name: d.Name.Name, doc: d.Doc.Text()}
				continue
			}
			name := syntax.FuncName(d)
			lines := pkg.Fset.Position(d.End()).Line - pkg.Fset.Position(d.Pos()).Line + 1
			c.declarations[at] = &declaration{at: at, name: name, words: wordsOf(name + " " + d.Doc.Text()), lines: lines}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if at, ok := c.at(pkg, t.Name); ok && !strings.HasSuffix(at.file, "_test.go") {
					c.declarations[at] = &declaration{at: at, name: t.Name.Name, words: wordsOf(t.Name.Name + " " + d.Doc.Text() + t.Doc.Text())}
				}
			}
		}
	}
}

// uses takes what the functions of a file name.
func (c *code) uses(pkg *packages.Package, file *ast.File) {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		at, ok := c.at(pkg, fn.Name)
		if !ok {
			continue
		}
		names, helps := c.named(pkg, fn.Body)
		if t := c.tests[at]; t != nil {
			t.names, t.helps = names, helps
		} else if known := c.declarations[at]; known != nil {
			known.calls = names
		}
	}
}

// named returns the declarations of the module that a body names, and the functions of test files, each once, in order.
func (c *code) named(pkg *packages.Package, body ast.Node) (all, helps []place) {
	seen := map[place]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		object := pkg.TypesInfo.Uses[id]
		switch o := object.(type) {
		case *types.Func:
			object = o.Origin()
		case *types.TypeName:
		default:
			return true
		}
		p := pkg.Fset.PositionFor(object.Pos(), false)
		file, ok := c.module.Below(p.Filename)
		at := place{file, p.Line}
		switch {
		case !ok || seen[at]:
		case c.declarations[at] != nil:
			all = append(all, at)
		case c.tests[at] != nil:
			helps = append(helps, at)
		}
		seen[at] = true
		return true
	})
	return all, helps
}
