package lsp

import (
	"fmt"
	"path/filepath"
	"testing"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// big lays out a module of files in packages of ten, of which 60 files use Alpha.
func big(t testing.TB, dir string, files int) {
	put(t, filepath.Join(dir, "go.mod"), "module example.com/big\n\ngo 1.26\n")
	put(t, filepath.Join(dir, "alpha", "alpha.go"), "package alpha\n\n// Alpha is used.\nfunc Alpha() {}\n")
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("p%03d", i/10), fmt.Sprintf("f%03d.go", i))
		text := fmt.Sprintf("package p%03d\n\nimport \"example.com/big/alpha\"\n\nfunc F%03d() { alpha.Alpha() }\n", i/10, i)
		if i >= 60 {
			text = fmt.Sprintf("package p%03d\n\nfunc F%03d() {}\n", i/10, i)
		}
		put(t, name, text)
	}
}

// BenchmarkReferences finds 60 references in 300 files: through the bare request, and as a tool call does.
func BenchmarkReferences(b *testing.B) {
	dir := b.TempDir()
	big(b, dir, 300)
	p := open(b, dir, gopls(b))
	v := view(b, p)
	at := one(b, v, "Alpha").Location
	if refs, err := v.References(b.Context(), at, false); err != nil || len(refs) != 60 {
		b.Fatalf("%d references, %v", len(refs), err)
	}
	b.Run("bare", func(b *testing.B) {
		params := &protocol.ReferenceParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(at.Path)},
			Position:     protocol.Position{Line: 3, Character: 5},
		}}
		for b.Loop() {
			list, err := session.Ask[protocol.LocationSlice](b.Context(), current(p), protocol.MethodTextDocumentReferences, params)
			if err != nil || len(list) != 60 {
				b.Fatalf("%d references, %v", len(list), err)
			}
		}
	})
	b.Run("view", func(b *testing.B) {
		for b.Loop() {
			if refs, err := view(b, p).References(b.Context(), at, false); err != nil || len(refs) != 60 {
				b.Fatalf("%d references, %v", len(refs), err)
			}
		}
	})
}
