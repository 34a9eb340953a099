package clang

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A marker is a header of ours that a document includes before anything else, and that declares another name each time that the
// document is opened again.
//
// What the headers of a document declare clangd since 15 takes in some time after it has answered about the document, and until then
// has what they declared before, which comes before the index of files. It tells nobody. With 25,000 declarations that was 0.2 s
// (clangd 19.1.7). It takes all of them in at once, so that once it finds the name of the marker it has them.
type marker struct {
	number int
	name   string // that it declares last
}

// takingIn bounds the wait for a marker, which does not come of a document that cannot be compiled at all.
const takingIn = 10 * time.Second

// notTakenIn is why answers about a document lack something when it has not come.
const notTakenIn = "includes headers of which clangd has not taken in what they declare now"

// mark has a document declare a new name, and the server told to read it so.
func (r rereading) mark(path string) error {
	m, known := r.markers[path]
	if !known {
		m.number = len(r.markers)
	}
	m.name = fmt.Sprintf("tidepool_marker_%d_%d", m.number, r.round)
	header := filepath.Join(r.store.sources(), fmt.Sprintf("%s%d.h", markerName, m.number))
	if err := r.store.replace(header, fmt.Appendf(nil, "extern int %s;\n", m.name)); err != nil {
		return err
	}
	r.markers[path] = m
	r.mu.Lock()
	defer r.mu.Unlock()
	r.assigned[path] = r.plan.commands[path].with(path, path, "-include", header)
	return nil
}

// found waits until the server finds what the marker of a document declares, and says whether it does.
func (m marker) found(ctx context.Context, s *session.Session) (bool, error) {
	late, cancel := context.WithTimeout(ctx, takingIn)
	defer cancel()
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		params := &protocol.WorkspaceSymbolParams{Query: m.name}
		symbols, err := session.Ask[protocol.SymbolInformationSlice](ctx, s, protocol.MethodWorkspaceSymbol, params)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(symbols, func(symbol protocol.SymbolInformation) bool { return symbol.Name == m.name }) {
			return true, nil
		}
		if outlast(late, wait) != nil {
			return false, context.Cause(ctx)
		}
	}
}

// includesOthers reports whether the headers of a document are not what they were when the server last looked into it: it includes
// something that has changed, is compiled otherwise, or has changed before the last #include.
func (r rereading) includesOthers(path string) bool {
	if !slices.Contains(r.changed, path) || r.before[path].head != r.sources[path].head {
		return true
	}
	included := r.plan.includes.closure(path)
	return slices.ContainsFunc(r.changed, func(changed string) bool { return changed != path && included[changed] })
}

// withoutMarkers returns symbols but for those that markers declare.
func (d store) withoutMarkers(symbols []protocol.SymbolInformation) []protocol.SymbolInformation {
	return slices.DeleteFunc(symbols, func(symbol protocol.SymbolInformation) bool {
		return strings.HasPrefix(text.Path(symbol.Location.URI), d.sources()+string(filepath.Separator))
	})
}
