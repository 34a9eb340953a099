package bareserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"
)

// Ready waits until the server knows the project, as it says itself. sources are files to open for that: tsserver and clangd load
// nothing before they are shown one.
func (s *Server) Ready(ctx context.Context, sources ...string) error {
	switch s.language.ID {
	case "go":
		return s.until(ctx, func() bool {
			return s.ended["Setting up workspace"] > 0 && s.ended["diagnosing initial workspace load"] > 0
		})
	case "python": // the list of source files
		return s.until(ctx, func() bool {
			return slices.ContainsFunc(s.lines, func(line string) bool { return strings.HasPrefix(line, "Found ") })
		})
	case "typescript", "c":
		for _, path := range sources {
			if err := s.KeepOpen(ctx, path); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("when a server of %s is ready is not known here", s.language.Name)
	}
	if s.language.ID == "typescript" { // projects that refer to this one are loaded when somebody asks for references
		return s.until(ctx, func() bool { return s.ended["Initializing JS/TS language features…"] > 0 })
	}
	return s.until(ctx, func() bool {
		running := slices.Contains(slices.Collect(maps.Values(s.running)), "indexing")
		return s.ended["indexing"] > 0 && !running
	})
}

// Settled waits until the server is done with all documents that it was shown, if it says when that is: pyright and tsserver do not.
func (s *Server) Settled(ctx context.Context) error {
	switch s.language.ID {
	case "go":
		return s.diagnosed(ctx)
	case "c":
		return s.compiled(ctx)
	}
	return nil
}

// diagnosed waits for the diagnostics of each document that was opened or changed. Before that gopls works on for some hundred
// milliseconds, and an edit in between makes it begin again.
func (s *Server) diagnosed(ctx context.Context) error {
	shown := 0
	for _, version := range s.versions {
		shown += version
	}
	return s.until(ctx, func() bool { return s.ended["diagnosing opened files"]+s.ended["diagnosing changed files"] >= shown })
}

// compiled asks about the edited files: clangd waits for more edits otherwise, 50 ms with 14.0.6.
func (s *Server) compiled(ctx context.Context) error {
	for path, version := range s.versions {
		if version == 1 || !s.open[path] {
			continue
		}
		document := object{"uri": string(uri.File(filepath.Join(s.dir, path)))}
		if _, err := s.conn.Call(ctx, "textDocument/documentSymbol", object{"textDocument": document}, nil); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) progress(params []byte) {
	var message struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind  string `json:"kind"`
			Title string `json:"title"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	token := string(message.Token)
	switch message.Value.Kind {
	case "begin":
		s.running[token] = message.Value.Title
	case "end":
		s.ended[s.running[token]]++
		delete(s.running, token)
	}
	s.announce()
}

// announce wakes those who wait. Callers hold mu.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// until waits for something that the server says. is runs with mu held.
func (s *Server) until(ctx context.Context, is func() bool) error {
	for {
		s.mu.Lock()
		yes, changed := is(), s.changed
		s.mu.Unlock()
		if yes {
			return nil
		}
		select {
		case <-changed:
		case <-s.conn.Done():
			return fmt.Errorf("the bare %s has ended", s.language.Command[0])
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
