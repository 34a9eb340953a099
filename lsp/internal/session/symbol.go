package session

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/text"
)

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
	Name     string        // last component, as declared: "Discover"
	Receiver string        // type that a method or field belongs to: "Registry"; "" at package level or unknown
	Package  string        // import path or module name as the server tells it: "tidepool/tools"
	Kind     Kind          // what it is
	Location text.Location // of the identifier
	Language string        // ID of the language: "go"
}

// A DocumentSymbol is a declaration in one file, with what is declared inside it.
type DocumentSymbol struct {
	Name      string // as the server writes it; gopls: "(*Registry).Discover"
	Detail    string // more, such as a signature; may be empty
	Kind      Kind
	Range     text.Range // the whole declaration
	NameRange text.Range // the identifier
	Children  []DocumentSymbol
}

// A Call is one caller (or callee) of a function and every place where it calls.
type Call struct {
	Caller Symbol          // the caller, its Package unknown; for outgoing calls the callee
	Sites  []text.Location // the called name, in the file of the one who calls
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

// FindSymbols asks for exactly that name first, then for similar ones. cut says that there may be more.
func (s *Session) FindSymbols(ctx context.Context, query string) (found []Symbol, cut bool, err error) {
	exact := query
	if s.Language.Exact != nil {
		exact = s.Language.Exact(query)
	}
	found, cut, err = s.search(ctx, exact)
	if err == nil && len(found) == 0 && exact != query {
		return s.search(ctx, query)
	}
	return found, cut, err
}

// search makes one workspace/symbol request. cut says that there may be more.
func (s *Session) search(ctx context.Context, query string) (found []Symbol, cut bool, err error) {
	result, err := s.symbols(ctx, query)
	if err != nil {
		return nil, false, err
	}
	seen := text.NewFiles(s.NonASCII)
	for _, info := range result {
		container := ""
		if info.ContainerName != nil {
			container = *info.ContainerName
		}
		found = append(found, s.Symbol(info.Name, container, info.Kind, info.Location, seen))
	}
	limit := s.Language.SymbolLimit
	return found, limit > 0 && len(result) >= limit, nil
}

// symbols asks for symbols in the way of the language.
func (s *Session) symbols(ctx context.Context, query string) ([]protocol.SymbolInformation, error) {
	if s.Language.Search != nil {
		return s.Language.Search(ctx, s, query)
	}
	params := &protocol.WorkspaceSymbolParams{Query: query}
	return Ask[protocol.SymbolInformationSlice](ctx, s, protocol.MethodWorkspaceSymbol, params)
}

// Symbol makes a Symbol of what the server calls it.
func (s *Session) Symbol(name, container string, kind protocol.SymbolKind, at protocol.Location, seen text.Files) Symbol {
	made := Symbol{Name: name, Package: container, Kind: kindOf(kind), Language: s.Language.ID, Location: seen.Location(at)}
	if s.Language.Refine != nil {
		s.Language.Refine(&made, func() string { return seen.Of(made.Location.Path).Line(int(at.Range.Start.Line)) })
	}
	return made
}

// ReadOutline reads the two forms that a server may choose from: a tree of symbols, or a flat list.
func ReadOutline(result []byte, in text.Text) ([]DocumentSymbol, error) {
	var flat []struct {
		Location *json.RawMessage `json:"location"`
	}
	if len(bytes.TrimSpace(result)) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(result, &flat); err != nil {
		return nil, err
	}
	if len(flat) > 0 && flat[0].Location != nil {
		var list protocol.SymbolInformationSlice
		err := protocol.Unmarshal(result, &list)
		return nest(list, in), err
	}
	list, err := ReadTree(result)
	return documentSymbols(list, in), err
}

// An Outlined is a protocol.DocumentSymbol, and is read in its place: package protocol gives each list of children room for what may
// be in all that follows, up to 4,096. For a generated file with ten thousand types that was some gigabytes.
type Outlined struct {
	Name           string              `json:"name"`
	Detail         string              `json:"detail"`
	Kind           protocol.SymbolKind `json:"kind"`
	Range          protocol.Range      `json:"range"`
	SelectionRange protocol.Range      `json:"selectionRange"`
	Children       []Outlined          `json:"children"`
}

// ReadTree reads an outline that is a tree; of nothing at all it is nil.
func ReadTree(result []byte) (tree []Outlined, err error) {
	if len(bytes.TrimSpace(result)) == 0 {
		return nil, nil
	}
	err = json.Unmarshal(result, &tree)
	return tree, err
}

func documentSymbols(list []Outlined, in text.Text) []DocumentSymbol {
	symbols := make([]DocumentSymbol, 0, len(list))
	for _, found := range list {
		made := DocumentSymbol{
			Name:      found.Name,
			Detail:    found.Detail,
			Kind:      kindOf(found.Kind),
			Range:     in.Span(found.Range),
			NameRange: in.Span(found.SelectionRange),
			Children:  documentSymbols(found.Children, in),
		}
		symbols = append(symbols, made)
	}
	return symbols
}

// nest makes a tree of a flat list: what lies in the range of another symbol is declared inside it. A flat list does
// not say where the identifier is: it is taken to be the first mention of the name.
func nest(list []protocol.SymbolInformation, in text.Text) []DocumentSymbol {
	flat := make([]DocumentSymbol, len(list))
	for i, found := range list {
		whole := in.Span(found.Location.Range)
		flat[i] = DocumentSymbol{Name: found.Name, Kind: kindOf(found.Kind), Range: whole, NameRange: in.Mention(found.Name, whole)}
	}
	slices.SortStableFunc(flat, func(a, b DocumentSymbol) int {
		if c := a.Range.Start.Compare(b.Range.Start); c != 0 {
			return c
		}
		return b.Range.End.Compare(a.Range.End) // the outer one first
	})
	symbols, _ := gather(flat, nil)
	return symbols
}

// gather takes the symbols from the front of a sorted list that lie in the range of outer, nil for all.
func gather(flat []DocumentSymbol, outer *text.Range) (inside, rest []DocumentSymbol) {
	inside = []DocumentSymbol{}
	for len(flat) > 0 {
		next := flat[0]
		if outer != nil && next.Range.End.Compare(outer.End) > 0 {
			break
		}
		next.Children, flat = gather(flat[1:], &next.Range)
		inside = append(inside, next)
	}
	return inside, flat
}
