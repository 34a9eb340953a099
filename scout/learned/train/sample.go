package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/scout"
)

// A question is a change of one declaration.
type question struct {
	kind   scout.ChangeKind
	at     string // "path/file.go:line:column" of the declaration's name
	detail string
}

// questions picks changes of the declarations of a module that are no tests: of
// each kind so many, by a hash, so that the same module gives the same.
func questions(dir string, each int) ([]question, error) {
	var all []question
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata"):
			return cmp.Or(skipUnlessRoot(path, dir), nil)
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		found, err := inFile(dir, path)
		all = append(all, found...)
		return err
	})
	slices.SortFunc(all, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(hash(a.at), hash(b.at)), cmp.Compare(a.at, b.at))
	})
	var picked []question
	taken := make(map[scout.ChangeKind]int)
	for _, q := range all {
		if taken[q.kind]++; taken[q.kind] <= each {
			picked = append(picked, q)
		}
	}
	return picked, err
}

func skipUnlessRoot(path, root string) error {
	if path == root {
		return nil
	}
	return fs.SkipDir
}

func hash(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

// A reader makes questions of the declarations of one file.
type reader struct {
	files *token.FileSet
	path  string // below the module
	found []question
}

func inFile(dir, path string) ([]question, error) {
	r := &reader{files: token.NewFileSet()}
	file, err := parser.ParseFile(r.files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if r.path, err = filepath.Rel(dir, path); err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name != "_" && d.Name.Name != "init" && d.Name.Name != "main" {
				r.ask(d.Name, "", scout.AddParameter, scout.Rename, scout.Delete)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					r.readType(t)
				}
			}
		}
	}
	return r.found, nil
}

func (r *reader) ask(name *ast.Ident, detail string, kinds ...scout.ChangeKind) {
	p := r.files.Position(name.Pos())
	at := fmt.Sprintf("%s:%d:%d", filepath.ToSlash(r.path), p.Line, p.Column)
	for _, kind := range kinds {
		q := question{kind: kind, at: at, detail: detail}
		if kind == scout.Rename {
			q.detail = name.Name + " is renamed " + name.Name + "Renamed"
		}
		r.found = append(r.found, q)
	}
}

func (r *reader) readType(t *ast.TypeSpec) {
	switch body := t.Type.(type) {
	case *ast.InterfaceType:
		r.ask(t.Name, "", scout.AddMethod, scout.Rename)
		for _, m := range body.Methods.List {
			for _, name := range m.Names {
				r.ask(name, "", scout.AddParameter)
			}
		}
	case *ast.StructType:
		r.ask(t.Name, "", scout.Delete)
		for _, f := range body.Fields.List {
			for _, name := range f.Names {
				if name.Name != "_" {
					r.ask(name, "", scout.RemoveField)
					r.ask(name, "its type becomes struct{ Changed int }", scout.ChangeType)
				}
			}
		}
	}
}
