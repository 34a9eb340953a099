package main

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"
)

// How each server tells that it knows the project, and that it has taken an edit in.

// goplsReady waits for the diagnostics of the first load.
func goplsReady(ctx context.Context, s *bareServer, _ *site) error {
	return s.until(ctx, func() bool {
		return s.ended["Setting up workspace"] > 0 && s.ended["diagnosing initial workspace load"] > 0
	})
}

// goplsSettled waits for the diagnostics of each document that was opened or changed. Before that it works on for some
// hundred milliseconds, and an edit in between makes it begin again.
func goplsSettled(ctx context.Context, s *bareServer) error {
	shown := 0
	for _, version := range s.versions {
		shown += version
	}
	return s.until(ctx, func() bool { return s.ended["diagnosing opened files"]+s.ended["diagnosing changed files"] >= shown })
}

// tsserverReady opens the hub, which makes tsserver load its project; those that refer to it are loaded when somebody
// asks for references.
func tsserverReady(ctx context.Context, s *bareServer, of *site) error {
	if err := s.open(ctx, of.place().Path); err != nil {
		return err
	}
	return s.until(ctx, func() bool { return s.ended["Initializing JS/TS language features…"] > 0 })
}

// pyrightReady waits for the list of source files.
func pyrightReady(ctx context.Context, s *bareServer, _ *site) error {
	return s.until(ctx, func() bool {
		return slices.ContainsFunc(s.lines, func(line string) bool { return strings.HasPrefix(line, "Found ") })
	})
}

// clangdReady opens a source file, which makes clangd find the compile commands, and waits for the index of all of
// them. It answers about open files only.
func clangdReady(ctx context.Context, s *bareServer, of *site) error {
	for _, path := range []string{filepath.Join(of.dir, "src", "hub.c"), of.place().Path} {
		if err := s.open(ctx, path); err != nil {
			return err
		}
	}
	return s.until(ctx, func() bool {
		running := slices.Contains(slices.Collect(maps.Values(s.running)), "indexing")
		return s.ended["indexing"] > 0 && !running
	})
}

// clangdSettled asks about the edited files: clangd waits for more edits otherwise, 50 ms with 14.0.6.
func clangdSettled(ctx context.Context, s *bareServer) error {
	for path, version := range s.versions {
		if version == 1 {
			continue
		}
		document := object{"uri": string(uri.File(filepath.Join(s.dir, path)))}
		if _, err := s.conn.Call(ctx, "textDocument/documentSymbol", object{"textDocument": document}, nil); err != nil {
			return err
		}
	}
	return nil
}
