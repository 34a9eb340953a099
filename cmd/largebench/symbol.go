package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// A kind of symbols that questions are about.
type kind int

const (
	function  kind = iota // or method
	contract              // an interface
	field                 // of a struct
	enum                  // a type with constants
	kindCount int  = iota
)

// A symbol is a declaration that can be asked about.
type symbol struct {
	kind         kind
	path         string // slash path below the project
	name         string // F, T.M, T.Field
	line, column int    // of the last part of its name, from 1, in bytes
}

// asked is the name by which the tools know exactly this one.
func (s symbol) asked() string { return s.path + ":" + s.name }

// symbolsOf returns what a file declares, by its syntax alone, so that neither side has been asked yet. A file that does not parse
// declares nothing.
func symbolsOf(language, path string, source []byte) []symbol {
	if language == "go" {
		return goSymbols(path, source)
	}
	return linesSymbols(language, path, source)
}

func goSymbols(path string, source []byte) []symbol {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	r := goReader{files: files, path: path, typed: map[string]bool{}}
	for _, declared := range parsed.Decls {
		switch d := declared.(type) {
		case *ast.FuncDecl:
			r.function(d)
		case *ast.GenDecl:
			r.general(d)
		}
	}
	return slices.DeleteFunc(r.symbols, func(s symbol) bool { return s.kind == enum && !r.typed[s.name] })
}

// A goReader collects the symbols of a file. Each named type is taken for an enum until its constants have been looked for.
type goReader struct {
	files   *token.FileSet
	path    string
	symbols []symbol
	typed   map[string]bool // types of constants
}

func (r *goReader) add(of kind, within string, name *ast.Ident) {
	if name.Name == "_" || name.Name == "init" {
		return
	}
	at := r.files.PositionFor(name.Pos(), false)
	r.symbols = append(r.symbols, symbol{of, r.path, within + name.Name, at.Line, at.Column})
}

func (r *goReader) function(d *ast.FuncDecl) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		r.add(function, "", d.Name)
	} else if receiver := receiverName(d.Recv.List[0].Type); receiver != "" {
		r.add(function, receiver+".", d.Name)
	}
}

// receiverName returns the type of a receiver without pointer and type parameters.
func receiverName(of ast.Expr) string {
	switch x := of.(type) {
	case *ast.StarExpr:
		return receiverName(x.X)
	case *ast.IndexExpr:
		return receiverName(x.X)
	case *ast.IndexListExpr:
		return receiverName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func (r *goReader) general(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			if of, is := s.Type.(*ast.Ident); is && d.Tok == token.CONST {
				r.typed[of.Name] = true
			}
		case *ast.TypeSpec:
			r.typeSpec(s)
		}
	}
}

func (r *goReader) typeSpec(s *ast.TypeSpec) {
	switch of := s.Type.(type) {
	case *ast.InterfaceType:
		r.add(contract, "", s.Name)
	case *ast.Ident:
		r.add(enum, "", s.Name)
	case *ast.StructType:
		for _, list := range of.Fields.List {
			for _, name := range list.Names {
				r.add(field, s.Name.Name+".", name)
			}
		}
	}
}
