package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
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
	outline, err := session.ReadOutline(result, to.seen.Of(path))
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", to.session.Program(), protocol.MethodTextDocumentDocumentSymbol, err)
	}
	if len(outline) > 0 { // or else the server may not have read the file yet
		to.server.rememberOutline(path, outline, epoch)
	}
	return outline, nil
}
