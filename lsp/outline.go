package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/text"
)

// outlinesKept is how many files' declarations are kept; with more, all are dropped.
const outlinesKept = 1000

// outlines are the declarations of files, good for as long as the file does not change. Guarded by the server's mu.
type outlines struct {
	epoch int // counts what made answers old
	of    map[string][]DocumentSymbol
}

// forget drops all answers, and those that are under way.
func (o *outlines) forget() {
	o.epoch++
	clear(o.of)
}

// drop drops the answer for one file, and those that are under way.
func (o *outlines) drop(path string) {
	o.epoch++
	delete(o.of, path)
}

// recallOutline returns the kept answer, or the epoch to give to rememberOutline with a new one.
func (s *server) recallOutline(path string) (outline []DocumentSymbol, ok bool, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	outline, ok = s.outlines.of[path]
	return outline, ok, s.outlines.epoch
}

func (s *server) rememberOutline(path string, outline []DocumentSymbol, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outlines.epoch != epoch {
		return
	}
	if s.outlines.of == nil || len(s.outlines.of) >= outlinesKept {
		s.outlines.of = map[string][]DocumentSymbol{}
	}
	s.outlines.of[path] = outline
}

// DocumentSymbols lists the declarations of a file in its order. The list must not be changed.
func (v *View) DocumentSymbols(ctx context.Context, path string) ([]DocumentSymbol, error) {
	ctx = v.counted(ctx)
	path = v.tree.absolute(path)
	to, err := v.document(ctx, path)
	if err != nil {
		return nil, err
	}
	defer to.done()
	kept, ok, epoch := to.server.recallOutline(path)
	if ok {
		return kept, nil
	}
	params := &protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(path)}}
	result, err := query[protocol.LSPAny](ctx, to, protocol.MethodTextDocumentDocumentSymbol, params)
	if err != nil {
		return nil, err
	}
	outline, err := outlineIn(result, to.seen.Of(path))
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", to.session.program(), protocol.MethodTextDocumentDocumentSymbol, err)
	}
	if len(outline) > 0 { // or else the server may not have read the file yet
		to.server.rememberOutline(path, outline, epoch)
	}
	return outline, nil
}

// outlineIn reads the two forms that a server may choose from: a tree of symbols, or a flat list.
func outlineIn(result []byte, in text.Text) ([]DocumentSymbol, error) {
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
	var list protocol.DocumentSymbolSlice
	err := protocol.Unmarshal(result, &list)
	return documentSymbols(list, in), err
}

func documentSymbols(list []protocol.DocumentSymbol, in text.Text) []DocumentSymbol {
	symbols := make([]DocumentSymbol, 0, len(list))
	for _, found := range list {
		made := DocumentSymbol{
			Name:      found.Name,
			Kind:      kindOf(found.Kind),
			Range:     in.Span(found.Range),
			NameRange: in.Span(found.SelectionRange),
			Children:  documentSymbols(found.Children, in),
		}
		if found.Detail != nil {
			made.Detail = *found.Detail
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
func gather(flat []DocumentSymbol, outer *Range) (inside, rest []DocumentSymbol) {
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
