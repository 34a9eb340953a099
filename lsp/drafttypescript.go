package lsp

import (
	"context"

	"maps"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
)

// tsDrafting tries changes out in tsserver. It publishes errors of open files alone and tells nobody when it has, so it
// is asked about each source file.
func tsDrafting() *Drafting {
	return &Drafting{Adapt: adaptTypeScript, Check: checkTypeScript, Passes: tsUnchecked}
}

// adaptTypeScript leaves out what tsserver would look for in open files besides errors.
func adaptTypeScript(l *Language) {
	l.Settings = maps.Clone(l.Settings)
	preferences := map[string]any{}
	if set, ok := l.Settings["preferences"].(map[string]any); ok {
		maps.Copy(preferences, set)
	}
	preferences["disableSuggestions"] = true
	l.Settings["preferences"] = preferences
}

// tsUnchecked says whether tsserver may look for no errors of types in a file: one of JavaScript.
func tsUnchecked(_, path string) bool {
	return slices.Contains([]string{".js", ".jsx", ".mjs", ".cjs"}, filepath.Ext(path))
}

// tsAtOnce is how many files tsserver is asked about at the same time. It answers one after the other; more would be
// work that a caller who hangs up leaves behind.
const tsAtOnce = 4

// checkTypeScript asks about every source file.
func checkTypeScript(ctx context.Context, s *session) (blackboard, error) {
	ctx, cancel := context.WithCancelCause(aboutNoText(ctx))
	defer cancel(nil)
	found := blackboard{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	paths := make(chan string)
	for range tsAtOnce {
		asking.Go(func() {
			for path := range paths {
				faults, err := s.tsFaults(ctx, path)
				if err != nil {
					cancel(err)
				}
				mu.Lock()
				found.put(path, faults)
				mu.Unlock()
			}
		})
	}
	for _, path := range s.sources() {
		if ctx.Err() == nil && s.server.covers(s.server.tree, path, nowhere) {
			paths <- path
		}
	}
	close(paths)
	asking.Wait()
	return found, context.Cause(ctx)
}

// tsDiagnostic is an error as tsserver writes it.
type tsDiagnostic struct {
	Start struct {
		Line   uint32 `json:"line"`
		Offset uint32 `json:"offset"`
	} `json:"start"`
	Text     string `json:"text"`
	Category string `json:"category"`
}

// tsFaults asks about one file.
func (s *session) tsFaults(ctx context.Context, path string) (faults, error) {
	var all faults
	for _, command := range []string{"syntacticDiagnosticsSync", "semanticDiagnosticsSync"} {
		list, err := tsserver[[]tsDiagnostic](ctx, s, command, map[string]any{"file": path})
		if err != nil {
			return faults{}, err
		}
		seen := s.shown(path, nil)
		for _, d := range list {
			if d.Category == "error" {
				start := protocol.Position{Line: d.Start.Line - 1, Character: d.Start.Offset - 1}
				all.add(Problem{Path: path, At: seen.of(path).position(start), Message: d.Text}, s.server.faultsKept())
			}
		}
	}
	return all, nil
}
