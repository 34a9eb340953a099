package clang

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

const (
	doubtful = 16  // places that are asked about for one name
	leftKept = 256 // names of which the answers are kept; with more, all are dropped
)

// beyond returns which place mentions a name and is not in the index, though its file is: code that #if leaves out,
// what depends on the argument of a template. The server does not highlight such a place.
func beyond(ctx context.Context, s *session.Session, name string) (string, error) {
	if reason := faulty(s, name); reason != "" {
		return reason, nil
	}
	index := s.Own.(*index)
	index.mu.Lock()
	reason, known := index.left[name]
	sources, looks := index.sources, index.looks
	index.mu.Unlock()
	if known {
		return reason, nil
	}
	reason, err := lookForLeftOut(ctx, s, sources, name)
	if busy, _ := s.Progress.Indexing(session.Part{}); err == nil && !busy {
		index.remember(looks, name, reason)
	}
	return reason, err
}

// lookForLeftOut asks about the doubtful places of a name.
func lookForLeftOut(ctx context.Context, s *session.Session, sources map[string]source, name string) (string, error) {
	asked := 0
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		for _, place := range sources[path].doubtful[name] {
			if asked++; asked > doubtful {
				return fmt.Sprintf("more than %d places mention %s in templates or between #if and #endif, where clangd may not know it", doubtful, name), nil
			}
			compiled, err := compiles(ctx, s, path, place.at)
			if err != nil {
				return "", err
			}
			if !compiled {
				return fmt.Sprintf("%s:%d mentions %s but %s", s.Host.Relative(path), place.at.Line, name, place.why), nil
			}
		}
	}
	return "", nil
}

// remember keeps a reason for as long as the sources stay.
func (x *index) remember(looks int, name, reason string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if looks != x.looks {
		return
	}
	if len(x.left) >= leftKept {
		clear(x.left)
	}
	x.left[name] = reason
}

// compiles reports whether the server sees a name at a place.
func compiles(ctx context.Context, s *session.Session, path string, at text.Position) (bool, error) {
	if apart(s, path) {
		return true, nil // listed tells what it makes, and of what it is not sure
	}
	if err := s.Open(path); err != nil {
		return true, nil // gone since
	}
	place := text.NewFiles(nil).Of(path).Wire(at)
	params := &protocol.DocumentHighlightParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(path)}, Position: place,
	}}
	found, err := session.Ask[[]protocol.DocumentHighlight](ctx, s, protocol.MethodTextDocumentDocumentHighlight, params)
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return false, nil
	}
	return slices.ContainsFunc(found, func(h protocol.DocumentHighlight) bool { return h.Range.Start == place }), err
}
