package lsp

import "go.lsp.dev/protocol"

// A Kind says what a symbol is, in words that a person reads.
type Kind string

// The kinds that servers tell apart. A language's entry may refine them: a Go type that is neither a struct
// nor an interface is a KindType although gopls calls it a class.
const (
	KindFile          Kind = "file"
	KindModule        Kind = "module"
	KindNamespace     Kind = "namespace"
	KindPackage       Kind = "package"
	KindClass         Kind = "class"
	KindMethod        Kind = "method"
	KindProperty      Kind = "property"
	KindField         Kind = "field"
	KindConstructor   Kind = "constructor"
	KindEnum          Kind = "enum"
	KindInterface     Kind = "interface"
	KindFunction      Kind = "function"
	KindVariable      Kind = "variable"
	KindConstant      Kind = "constant"
	KindEnumMember    Kind = "enum member"
	KindStruct        Kind = "struct"
	KindEvent         Kind = "event"
	KindOperator      Kind = "operator"
	KindTypeParameter Kind = "type parameter"
	KindType          Kind = "type"
	KindOther         Kind = "symbol" // what the protocol has a number for and a reader no use
)

// A Symbol is a named thing that the project declares.
type Symbol struct {
	Name     string   // last component, as declared: "Discover"
	Receiver string   // type that a method or field belongs to: "Registry"; "" at package level or unknown
	Package  string   // import path or module name as the server tells it: "tidepool/tools"
	Kind     Kind     // what it is
	Location Location // of the identifier
	Language string   // ID of the language: "go"
}

// A DocumentSymbol is a declaration in one file, with what is declared inside it.
type DocumentSymbol struct {
	Name      string // as the server writes it; gopls: "(*Registry).Discover"
	Detail    string // more, such as a signature; may be empty
	Kind      Kind
	Range     Range // the whole declaration
	NameRange Range // the identifier
	Children  []DocumentSymbol
}

// A Call is one caller (or callee) of a function and every place where it calls.
type Call struct {
	Caller Symbol     // the caller, its Package unknown; for outgoing calls the callee
	Sites  []Location // the called name, in the file of the one who calls
}

func kindOf(kind protocol.SymbolKind) Kind {
	kinds := [...]Kind{
		protocol.SymbolKindFile:          KindFile,
		protocol.SymbolKindModule:        KindModule,
		protocol.SymbolKindNamespace:     KindNamespace,
		protocol.SymbolKindPackage:       KindPackage,
		protocol.SymbolKindClass:         KindClass,
		protocol.SymbolKindMethod:        KindMethod,
		protocol.SymbolKindProperty:      KindProperty,
		protocol.SymbolKindField:         KindField,
		protocol.SymbolKindConstructor:   KindConstructor,
		protocol.SymbolKindEnum:          KindEnum,
		protocol.SymbolKindInterface:     KindInterface,
		protocol.SymbolKindFunction:      KindFunction,
		protocol.SymbolKindVariable:      KindVariable,
		protocol.SymbolKindConstant:      KindConstant,
		protocol.SymbolKindEnumMember:    KindEnumMember,
		protocol.SymbolKindStruct:        KindStruct,
		protocol.SymbolKindEvent:         KindEvent,
		protocol.SymbolKindOperator:      KindOperator,
		protocol.SymbolKindTypeParameter: KindTypeParameter,
	}
	if int(kind) < len(kinds) && kinds[kind] != "" {
		return kinds[kind]
	}
	return KindOther
}
