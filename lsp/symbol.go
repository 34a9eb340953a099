package lsp

import "tidepool/lsp/internal/session"

// A Symbol is a named thing that the project declares.
type Symbol = session.Symbol

// A DocumentSymbol is a declaration in one file, with what is declared inside it.
type DocumentSymbol = session.DocumentSymbol

// A Call is one caller (or callee) of a function and every place where it calls.
type Call = session.Call

// A Kind says what a symbol is, in words that a person reads.
type Kind = session.Kind

// The kinds that servers tell apart.
const (
	KindFile          = session.KindFile
	KindModule        = session.KindModule
	KindNamespace     = session.KindNamespace
	KindPackage       = session.KindPackage
	KindClass         = session.KindClass
	KindMethod        = session.KindMethod
	KindProperty      = session.KindProperty
	KindField         = session.KindField
	KindConstructor   = session.KindConstructor
	KindEnum          = session.KindEnum
	KindInterface     = session.KindInterface
	KindFunction      = session.KindFunction
	KindVariable      = session.KindVariable
	KindConstant      = session.KindConstant
	KindEnumMember    = session.KindEnumMember
	KindStruct        = session.KindStruct
	KindEvent         = session.KindEvent
	KindOperator      = session.KindOperator
	KindTypeParameter = session.KindTypeParameter
	KindType          = session.KindType
	KindOther         = session.KindOther
)
