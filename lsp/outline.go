package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// DocumentSymbols lists the declarations of a file in its order. The list must not be changed.
func (v *View) DocumentSymbols(ctx context.Context, path string) ([]DocumentSymbol, error) {
	ctx = v.counted(ctx)
	path = v.tree.Absolute(path)
	to, err := v.document(ctx, path)
	if err != nil {
		return nil, err
	}
	defer to.done()
	kept, ok, epoch := to.server.RecallOutline(path)
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
		to.server.RememberOutline(path, outline, epoch)
	}
	return outline, nil
}
