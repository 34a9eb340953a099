package wasmtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// Declarations finds where the functions that coverage data name are declared. Coverage data have names, and lines in bodies, and
// both as //line comments say.
type declarations struct {
	packages map[string]goPackage // by import path
	parsed   map[string]map[declarationName][]declaration
}

// A declarationName is what coverage data call a function; more than one may be called so: init, methods of generic types.
type declarationName struct{ file, name string }

// A declaration is a function's place in its file, and which lines it takes as coverage data have them.
type declaration struct {
	Function
	first, last int
}

func newDeclarations(list []goPackage) *declarations {
	d := &declarations{packages: map[string]goPackage{}, parsed: map[string]map[declarationName][]declaration{}}
	for _, p := range list {
		d.packages[p.ImportPath] = p
	}
	return d
}

// find finds a function. One whose file has changed since it was built is where the coverage data say.
func (d *declarations) find(f coverFunction) (Function, bool) {
	p, known := d.packages[f.Package]
	if !known {
		return Function{}, false
	}
	in, parsed := d.parsed[f.Package]
	if !parsed {
		in = parse(p)
		d.parsed[f.Package] = in
	}
	for _, found := range in[declarationName{f.File, f.Name}] {
		if found.first <= f.Line && f.Line <= found.last {
			return found.Function, true
		}
	}
	return Function{File: filepath.Join(p.Dir, f.File), Line: f.Line, Name: f.Name}, filepath.IsLocal(f.File)
}

func parse(p goPackage) map[declarationName][]declaration {
	all := map[declarationName][]declaration{}
	for _, name := range p.GoFiles {
		files := token.NewFileSet()
		path := filepath.Join(p.Dir, name)
		file, _ := parser.ParseFile(files, path, nil, parser.SkipObjectResolution) // what it could not parse was not built
		if file == nil {
			continue
		}
		add := func(n ast.Node, name string) {
			first, last := files.Position(n.Pos()), files.Position(n.End())
			key := declarationName{filepath.Base(first.Filename), name}
			line := files.PositionFor(n.Pos(), false).Line
			all[key] = append(all[key], declaration{Function{path, line, name}, first.Line, last.Line})
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				add(decl, coverName(decl))
			case *ast.GenDecl:
				literals(decl, func(lit *ast.FuncLit) {
					at := files.Position(lit.Pos())
					add(lit, "func.L"+strconv.Itoa(at.Line)+".C"+strconv.Itoa(at.Column))
				})
			}
		}
	}
	return all
}

// literals are the function literals that stand in no other.
func literals(in ast.Node, each func(*ast.FuncLit)) {
	ast.Inspect(in, func(n ast.Node) bool {
		lit, is := n.(*ast.FuncLit)
		if is {
			each(lit)
		}
		return !is
	})
}

// coverName returns what coverage data call a function: a method has its receiver's name in front, unless that is generic.
func coverName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return decl.Name.Name
	}
	receiver, star := decl.Recv.List[0].Type, ""
	if pointer, is := receiver.(*ast.StarExpr); is {
		receiver, star = pointer.X, "*"
	}
	name, plain := receiver.(*ast.Ident)
	if !plain {
		return decl.Name.Name
	}
	return strings.Join([]string{star + name.Name, decl.Name.Name}, ".")
}
