package tools

import (
	"strings"

	"tidepool/internal/gosyntax"
	"tidepool/scout"
)

// What a change can happen to, in the words of its users.
const (
	goFunction        = "function"
	goMethod          = "method"
	goInterfaceMethod = "interface method"
	goStruct          = "struct"
	goInterface       = "interface"
	goFuncType        = "function type"
	goOtherType       = "type"
	goField           = "field"
	goEmbedded        = "embedded field"
	goConstant        = "constant"
	goVariable        = "variable"
)

// A goSubject is a declaration that a change is asked about.
type goSubject struct {
	name string // the last component
	kind string
}

// goSubjectAt returns what is declared, or embedded, at a place.
func goSubjectAt(f *gosyntax.File, at gosyntax.Position) (goSubject, bool) {
	decl, ok := f.Declares(at)
	if !ok {
		name, ok := f.Embeds(at)
		return goSubject{name: name, kind: goEmbedded}, ok
	}
	s := goSubject{name: decl.Name[strings.LastIndexByte(decl.Name, '.')+1:]}
	switch decl.Sort {
	case gosyntax.SortFunction:
		s.kind = goFunction
	case gosyntax.SortMethod:
		s.kind = goMethod
	case gosyntax.SortInterfaceMethod:
		s.kind = goInterfaceMethod
	case gosyntax.SortField:
		s.kind = goField
	case gosyntax.SortConstant:
		s.kind = goConstant
	case gosyntax.SortVariable:
		s.kind = goVariable
	case gosyntax.SortType:
		t, _ := f.Type(at)
		s.kind = goTypeKind(t)
	}
	return s, s.kind != ""
}

// goSubjectOf returns what n declares, or embeds.
func (g goExplorer) goSubjectOf(n scout.Node) (goSubject, bool) {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return goSubject{}, false
	}
	return goSubjectAt(f, place(l))
}

func goTypeKind(t *gosyntax.TypeDecl) string {
	switch {
	case t == nil:
		return goOtherType
	case t.Form == gosyntax.Struct:
		return goStruct
	case t.Form == gosyntax.Interface:
		return goInterface
	case t.Form == gosyntax.Func:
		return goFuncType
	}
	return goOtherType
}

func (s goSubject) isType() bool {
	switch s.kind {
	case goStruct, goInterface, goFuncType, goOtherType:
		return true
	}
	return false
}

func (s goSubject) isFunction() bool {
	return s.kind == goFunction || s.kind == goMethod || s.kind == goInterfaceMethod
}

// boundByUses reports whether whoever depends on the declaration names it.
func (s goSubject) boundByUses() bool {
	return s.kind == goFunction || s.kind == goField || s.kind == goConstant || s.kind == goVariable
}

// takes reports whether a change of a kind can be made to such a declaration, however it is written.
func (s goSubject) takes(kind scout.ChangeKind) bool {
	switch kind {
	case scout.AddParameter, scout.ChangeSignature, scout.ReturnError:
		return s.isFunction() || s.kind == goFuncType
	case scout.AddMethod:
		return s.kind == goInterface
	case scout.RemoveField:
		return s.kind == goStruct || s.kind == goField || s.kind == goEmbedded || s.kind == goInterfaceMethod
	}
	return true
}
