package golang

import (
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/scout"
)

// What a change can happen to, in the words of its users.
const (
	ofFunction        = "function"
	ofMethod          = "method"
	ofInterfaceMethod = "interface method"
	ofStruct          = "struct"
	ofInterface       = "interface"
	ofFuncType        = "function type"
	ofOtherType       = "type"
	ofField           = "field"
	ofEmbedded        = "embedded field"
	ofConstant        = "constant"
	ofVariable        = "variable"
)

// A subject is a declaration that a change is asked about.
type subject struct {
	name string // the last component
	kind string
}

// subjectAt returns what is declared, or embedded, at a place.
func subjectAt(f *syntax.File, at syntax.Position) (subject, bool) {
	decl, ok := f.Declares(at)
	if !ok {
		name, ok := f.Embeds(at)
		return subject{name: name, kind: ofEmbedded}, ok
	}
	s := subject{name: decl.Name[strings.LastIndexByte(decl.Name, '.')+1:]}
	switch decl.Sort {
	case syntax.SortFunction:
		s.kind = ofFunction
	case syntax.SortMethod:
		s.kind = ofMethod
	case syntax.SortInterfaceMethod:
		s.kind = ofInterfaceMethod
	case syntax.SortField:
		s.kind = ofField
	case syntax.SortConstant:
		s.kind = ofConstant
	case syntax.SortVariable:
		s.kind = ofVariable
	case syntax.SortType:
		t, _ := f.Type(at)
		s.kind = typeKind(t)
	}
	return s, s.kind != ""
}

// subjectOf returns what n declares, or embeds.
func (g explorer) subjectOf(n scout.Node) (subject, bool) {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return subject{}, false
	}
	return subjectAt(f, place(l))
}

func typeKind(t *syntax.TypeDecl) string {
	switch {
	case t == nil:
		return ofOtherType
	case t.Form == syntax.Struct:
		return ofStruct
	case t.Form == syntax.Interface:
		return ofInterface
	case t.Form == syntax.Func:
		return ofFuncType
	}
	return ofOtherType
}

func (s subject) isType() bool {
	switch s.kind {
	case ofStruct, ofInterface, ofFuncType, ofOtherType:
		return true
	}
	return false
}

func (s subject) isFunction() bool {
	return s.kind == ofFunction || s.kind == ofMethod || s.kind == ofInterfaceMethod
}

// boundByUses reports whether whoever depends on the declaration names it.
func (s subject) boundByUses() bool {
	return s.kind == ofFunction || s.kind == ofField || s.kind == ofConstant || s.kind == ofVariable
}

// takes reports whether a change of a kind can be made to such a declaration, however it is written.
func (s subject) takes(kind scout.ChangeKind) bool {
	switch kind {
	case scout.AddParameter, scout.ChangeSignature, scout.ReturnError:
		return s.isFunction() || s.kind == ofFuncType
	case scout.AddMethod:
		return s.kind == ofInterface
	case scout.RemoveField:
		return s.kind == ofStruct || s.kind == ofField || s.kind == ofEmbedded || s.kind == ofInterfaceMethod
	}
	return true
}
