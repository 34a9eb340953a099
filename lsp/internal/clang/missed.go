package clang

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// search asks for symbols and adds the macros, of which clangd lists only those that open documents see.
func search(ctx context.Context, s *session.Session, query string) ([]protocol.SymbolInformation, error) {
	params := &protocol.WorkspaceSymbolParams{Query: query}
	found, err := session.Ask[protocol.SymbolInformationSlice](ctx, s, protocol.MethodWorkspaceSymbol, params)
	if err != nil {
		return found, err
	}
	found = s.Own.(*index).store.withoutMarkers(found)
	if query == "" {
		return found, nil
	}
	known := map[protocol.Location]bool{}
	for _, symbol := range found {
		known[symbol.Location] = true
	}
	wanted := strings.ToLower(query)
	sources := s.Own.(*index).read()
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		for name, places := range sources[path].macros {
			if !strings.Contains(strings.ToLower(name), wanted) {
				continue
			}
			for _, at := range places {
				made := protocol.SymbolInformation{Location: location(path, at, name)}
				made.Name, made.Kind = name, protocol.SymbolKindString
				if !known[made.Location] {
					found = append(found, made)
				}
			}
		}
	}
	return found, nil
}

// macros lists where sources define a macro.
func macros(s *session.Session, name string) []text.Location {
	sources := s.Own.(*index).read()
	var all []text.Location
	for path, source := range sources {
		for _, at := range source.macros[name] {
			all = append(all, text.Location{Path: path, Range: text.Range{Start: at, End: at}})
		}
	}
	slices.SortFunc(all, func(a, b text.Location) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.Range.Start.Compare(b.Range.Start))
	})
	return all
}

// missed finds what clangd does not list of the uses of what stands at a place: array designators, though it knows what they
// mean, and what lists of macros make.
func missed(ctx context.Context, s *session.Session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location) ([]protocol.Location, error) {
	listed, lack := listed(ctx, s, to, name, found)
	designated, lost := designated(ctx, s, to, name, slices.Concat(found, listed))
	return append(listed, designated...), cmp.Or(lost, lack)
}

// designated finds the array designators that mean what stands at a place.
func designated(ctx context.Context, s *session.Session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location) ([]protocol.Location, error) {
	places := designators(s, name, found)
	if len(places) == 0 {
		return nil, lost(ctx, s, to, name, found)
	}
	meant, err := definitions(ctx, s, to)
	if err != nil {
		return nil, err
	}
	var missed []protocol.Location
	for _, place := range places {
		if s.Open(text.Path(place.URI)) != nil {
			continue // gone since
		}
		means, err := definitions(ctx, s, protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: place.URI}, Position: place.Range.Start,
		})
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(means, func(l protocol.Location) bool { return slices.Contains(meant, l) }) {
			missed = append(missed, place)
		}
	}
	return missed, lost(ctx, s, to, name, slices.Concat(found, missed))
}

// designators returns where a name is an array designator, but for those that are found already.
func designators(s *session.Session, name string, found []protocol.Location) []protocol.Location {
	var all []protocol.Location
	sources := s.Own.(*index).read()
	var having []string
	for path, source := range sources {
		if len(source.designators[name]) > 0 {
			having = append(having, path)
		}
	}
	slices.Sort(having)
	for _, path := range having {
		for _, at := range sources[path].designators[name] {
			if place := location(path, at, name); !slices.Contains(found, place) {
				all = append(all, place)
			}
		}
	}
	return all
}

// definitions asks where the name at a place is defined.
func definitions(ctx context.Context, s *session.Session, at protocol.TextDocumentPositionParams) ([]protocol.Location, error) {
	if apart(s, text.Path(at.TextDocument.URI)) {
		return nil, nil
	}
	params := &protocol.DefinitionParams{TextDocumentPositionParams: at}
	result, err := session.Ask[protocol.DefinitionResult](ctx, s, protocol.MethodTextDocumentDefinition, params)
	list, _ := result.(protocol.LocationSlice)
	return list, err
}

// location returns where a name stands, for the wire.
func location(path string, at text.Position, name string) protocol.Location {
	in := text.NewFiles(nil).Of(path)
	end := text.Position{Line: at.Line, Column: at.Column + len(name)}
	return protocol.Location{URI: text.URI(path), Range: protocol.Range{Start: in.Wire(at), End: in.Wire(end)}}
}

// read returns what was last read of the sources, by path.
func (x *index) read() map[string]source {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.sources
}
