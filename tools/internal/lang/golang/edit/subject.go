package edit

import (
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/scout"
)

// Things that a change can be about, in the words of its users.
const (
	Function        = "function"
	Method          = "method"
	InterfaceMethod = "interface method"
	Struct          = "struct"
	Interface       = "interface"
	FuncType        = "function type"
	OtherType       = "type"
	Field           = "field"
	Embedded        = "embedded field"
	Constant        = "constant"
	Variable        = "variable"
)

// A Subject is a declaration that a change is asked about.
type Subject struct {
	Name string // the last component
	Kind string // one of the constants
}

// SubjectAt returns what is declared, or embedded, at a place.
func SubjectAt(f *syntax.File, at syntax.Position) (Subject, bool) {
	decl, ok := f.Declares(at)
	if !ok {
		name, ok := f.Embeds(at)
		return Subject{Name: name, Kind: Embedded}, ok
	}
	s := Subject{Name: decl.Name[strings.LastIndexByte(decl.Name, '.')+1:]}
	switch decl.Sort {
	case syntax.SortFunction:
		s.Kind = Function
	case syntax.SortMethod:
		s.Kind = Method
	case syntax.SortInterfaceMethod:
		s.Kind = InterfaceMethod
	case syntax.SortField:
		s.Kind = Field
	case syntax.SortConstant:
		s.Kind = Constant
	case syntax.SortVariable:
		s.Kind = Variable
	case syntax.SortType:
		t, _ := f.Type(at)
		s.Kind = typeKind(t)
	}
	return s, s.Kind != ""
}

func typeKind(t *syntax.TypeDecl) string {
	switch {
	case t == nil:
		return OtherType
	case t.Form == syntax.Struct:
		return Struct
	case t.Form == syntax.Interface:
		return Interface
	case t.Form == syntax.Func:
		return FuncType
	}
	return OtherType
}

// IsType reports whether the declaration is that of a type.
func (s Subject) IsType() bool {
	switch s.Kind {
	case Struct, Interface, FuncType, OtherType:
		return true
	}
	return false
}

// IsFunction reports whether the declaration is that of a function or method.
func (s Subject) IsFunction() bool {
	return s.Kind == Function || s.Kind == Method || s.Kind == InterfaceMethod
}

// BoundByUses reports whether whoever depends on the declaration names it.
func (s Subject) BoundByUses() bool {
	return s.Kind == Function || s.Kind == Field || s.Kind == Constant || s.Kind == Variable
}

// takes reports whether a change of a kind can be made to such a declaration, however it is written.
func (s Subject) takes(kind scout.ChangeKind) bool {
	switch kind {
	case scout.AddParameter, scout.RemoveParameter, scout.RetypeParameter, scout.ReorderParameters, scout.RenameParameter,
		scout.MakeVariadic, scout.RemoveResult, scout.ChangeSignature, scout.ReturnError:
		return s.IsFunction() || s.Kind == FuncType
	case scout.ChangeReceiver:
		return s.Kind == Method
	case scout.MakeGeneric:
		return s.Kind == Function || s.IsType()
	case scout.AddMethod:
		return s.IsType()
	case scout.AddField:
		return s.Kind == Struct
	case scout.RemoveField:
		return s.Kind == Struct || s.Kind == Field || s.Kind == Embedded || s.Kind == InterfaceMethod
	}
	return true
}
