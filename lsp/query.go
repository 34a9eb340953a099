package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// Symbols finds declarations of the project by name: F, T.M, pkg.F or pkg.T.M. Symbols whose name ends in
// exactly these components come alone if there are any; if there are none, those that the server finds
// similar, nearest first. If the server cut the list, the View's completeness says so.
func (v *View) Symbols(ctx context.Context, query string) ([]Symbol, error) {
	var all []Symbol
	var failures []error
	for _, s := range v.servers {
		found, err := v.symbolsOf(ctx, s, query)
		if err != nil {
			failures = append(failures, err)
			v.lacks(oneLine(err.Error()))
		}
		all = append(all, found...)
	}
	if len(failures) == len(v.servers) {
		return nil, failures[0]
	}
	if slices.ContainsFunc(all, func(found Symbol) bool { return found.answers(query) }) {
		all = slices.DeleteFunc(all, func(found Symbol) bool { return !found.answers(query) })
	}
	return all, nil
}

// symbolsOf asks one server: for exactly that name first, then for similar ones.
func (v *View) symbolsOf(ctx context.Context, s *server, query string) ([]Symbol, error) {
	live, err := v.session(ctx, s)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	v.beyond(ctx, live, query[strings.LastIndexByte(query, '.')+1:])
	kept, ok, epoch := s.recall(query)
	if ok {
		return slices.Clone(kept), nil
	}
	exact := query
	if s.language.Exact != nil {
		exact = s.language.Exact(query)
	}
	found, cut, err := live.search(ctx, exact, &v.project.plain)
	if err == nil && len(found) == 0 && exact != query {
		found, cut, err = live.search(ctx, query, &v.project.plain)
	}
	switch {
	case err != nil:
		return nil, err
	case cut:
		v.lacks(fmt.Sprintf("%s lists only the first %d symbols like %q", live.program(), s.language.SymbolLimit, query))
	default:
		s.remember(query, slices.Clone(found), epoch)
	}
	return found, nil
}

// search makes one workspace/symbol request. cut says that there may be more.
func (s *session) search(ctx context.Context, query string, known *plain) (found []Symbol, cut bool, err error) {
	result, err := s.symbols(ctx, query)
	if err != nil {
		return nil, false, err
	}
	seen := newTexts(known)
	for _, info := range result {
		container := ""
		if info.ContainerName != nil {
			container = *info.ContainerName
		}
		found = append(found, s.symbol(info.Name, container, info.Kind, info.Location, seen))
	}
	limit := s.language.SymbolLimit
	return found, limit > 0 && len(result) >= limit, nil
}

// symbols asks for symbols in the way of the language.
func (s *session) symbols(ctx context.Context, query string) ([]protocol.SymbolInformation, error) {
	if s.language.Search != nil {
		return s.language.Search(ctx, s, query)
	}
	params := &protocol.WorkspaceSymbolParams{Query: query}
	return ask[protocol.SymbolInformationSlice](ctx, s, protocol.MethodWorkspaceSymbol, params)
}

// symbol makes a Symbol of what the server calls it.
func (s *session) symbol(name, container string, kind protocol.SymbolKind, at protocol.Location, seen texts) Symbol {
	made := Symbol{Name: name, Package: container, Kind: kindOf(kind), Language: s.language.ID, Location: seen.location(at)}
	if s.language.Refine != nil {
		s.language.Refine(&made, seen.of(made.Location.Path).line(int(at.Range.Start.Line)))
	}
	return made
}

// answers says whether the symbol's name ends in the components of query.
func (s Symbol) answers(query string) bool {
	full := s.Name
	if s.Receiver != "" {
		full = s.Receiver + "." + full
	}
	if s.Package != "" {
		full = s.Package + "." + full
	}
	rest, ok := strings.CutSuffix(full, query)
	return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// DocumentSymbols lists the declarations of a file in its order.
func (v *View) DocumentSymbols(ctx context.Context, path string) ([]DocumentSymbol, error) {
	path = v.project.absolute(path)
	_, live, err := v.document(ctx, path)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	params := &protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: wireURI(path)}}
	result, err := ask[protocol.DocumentSymbolSlice](ctx, live, protocol.MethodTextDocumentDocumentSymbol, params)
	return documentSymbols(result, newTexts(&v.project.plain).of(path)), err
}

func documentSymbols(list []protocol.DocumentSymbol, in text) []DocumentSymbol {
	symbols := make([]DocumentSymbol, 0, len(list))
	for _, found := range list {
		made := DocumentSymbol{
			Name:      found.Name,
			Kind:      kindOf(found.Kind),
			Range:     in.span(found.Range),
			NameRange: in.span(found.SelectionRange),
			Children:  documentSymbols(found.Children, in),
		}
		if found.Detail != nil {
			made.Detail = *found.Detail
		}
		symbols = append(symbols, made)
	}
	return symbols
}

// Definition finds where the name at a place is declared.
func (v *View) Definition(ctx context.Context, at Location) ([]Location, error) {
	return v.locations(ctx, at, protocol.MethodTextDocumentDefinition)
}

// TypeDefinition finds where the type of the expression at a place is declared.
func (v *View) TypeDefinition(ctx context.Context, at Location) ([]Location, error) {
	return v.locations(ctx, at, protocol.MethodTextDocumentTypeDefinition)
}

// Implementations finds what implements the interface or its method at a place, or, at a concrete type or
// method, the interfaces that it implements.
func (v *View) Implementations(ctx context.Context, at Location) ([]Location, error) {
	return v.locations(ctx, at, protocol.MethodTextDocumentImplementation)
}

func (v *View) locations(ctx context.Context, at Location, method string) ([]Location, error) {
	to, err := v.aim(ctx, at)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	params := &protocol.DefinitionParams{TextDocumentPositionParams: to.place}
	result, err := ask[protocol.DefinitionResult](ctx, to.session, method, params)
	if err != nil {
		return nil, err
	}
	switch found := result.(type) {
	case *protocol.Location:
		return to.seen.locations([]protocol.Location{*found}), nil
	case protocol.LocationSlice:
		return to.seen.locations(found), nil
	}
	return nil, nil
}

// References finds the uses of the name at a place, with its declaration if asked for.
func (v *View) References(ctx context.Context, at Location, declaration bool) ([]Location, error) {
	to, err := v.aim(ctx, at)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	v.beyond(ctx, to.session, to.name)
	params := &protocol.ReferenceParams{
		TextDocumentPositionParams: to.place,
		Context:                    protocol.ReferenceContext{IncludeDeclaration: declaration},
	}
	result, err := ask[protocol.LocationSlice](ctx, to.session, protocol.MethodTextDocumentReferences, params)
	if missed := to.server.language.Missed; missed != nil && err == nil {
		more, lack := missed(ctx, to.session, to.place, to.name, result)
		if lack != nil {
			v.lacks(oneLine(lack.Error()))
		}
		result = append(result, more...)
	}
	return to.seen.locations(result), err
}

// Hover returns what an editor would show about the name at a place, in Markdown; "" if nothing.
func (v *View) Hover(ctx context.Context, at Location) (string, error) {
	to, err := v.aim(ctx, at)
	if err != nil {
		return "", err
	}
	defer v.observe()
	params := &protocol.HoverParams{TextDocumentPositionParams: to.place}
	result, err := ask[*protocol.Hover](ctx, to.session, protocol.MethodTextDocumentHover, params)
	if err != nil || result == nil {
		return "", err
	}
	switch contents := result.Contents.(type) {
	case *protocol.MarkupContent:
		return contents.Value, nil
	case protocol.String:
		return string(contents), nil
	}
	return "", nil
}
