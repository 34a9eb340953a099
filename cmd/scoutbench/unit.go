package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/golang/syntax"
)

// A unit is a declaration at the top level of a file: what answers are scored by. Lines are 1-based and include the doc
// comment.
type unit struct {
	name       string // "F", "T.M"
	start, end int
}

// units tell which unit a line stands in, by syntax alone, so that they know every file whatever its build tags.
type units struct {
	root  string
	files map[string][]unit
}

func newUnits(root string) *units { return &units{root, map[string][]unit{}} }

// at returns the key of the unit around a line: "path.go#Symbol", "path.go#" outside of any.
func (u *units) at(path string, line int) string {
	list, known := u.files[path]
	if !known {
		list = u.read(path)
		u.files[path] = list
	}
	best := unit{end: 1 << 30}
	for _, d := range list {
		if d.start <= line && line <= d.end && d.end-d.start < best.end-best.start {
			best = d
		}
	}
	return path + "#" + best.name
}

func (u *units) read(path string) []unit {
	source, err := os.ReadFile(filepath.Join(u.root, filepath.FromSlash(path)))
	if err != nil {
		return nil
	}
	switch filepath.Ext(path) {
	case ".go":
		return goUnits(source)
	case ".ts", ".tsx", ".js":
		return typescriptUnits(path, source)
	}
	return nil
}

func goUnits(source []byte) []unit {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	var list []unit
	add := func(name string, named ast.Node, start, end token.Pos) {
		line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
		if name == "_" || name == "init" || strings.HasSuffix(name, "._") {
			name = fmt.Sprintf("%s@%d", name, line(named.Pos()))
		}
		list = append(list, unit{name, line(start), line(end)})
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			add(syntax.FuncName(d), d.Name, withDoc(d, d.Doc), d.End())
		case *ast.GenDecl:
			for i, spec := range d.Specs {
				name, doc := specName(spec)
				if name == nil {
					continue
				}
				start, end := withDoc(spec, doc), spec.End()
				if i == 0 {
					start = withDoc(d, d.Doc)
				}
				if i == len(d.Specs)-1 {
					end = d.End()
				}
				add(name.Name, name, start, end)
			}
		}
	}
	return list
}

func withDoc(n ast.Node, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

// specName returns the first name that a declaration introduces; nil for an import.
func specName(spec ast.Spec) (*ast.Ident, *ast.CommentGroup) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return s.Name, s.Doc
	case *ast.ValueSpec:
		return s.Names[0], s.Doc
	}
	return nil, nil
}
