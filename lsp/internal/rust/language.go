// Package rust serves Rust by rust-analyzer, as its documentation and sources of 2026 describe it: the tests play the server.
// It declares a session.Language, and what must not run in a project that is not trusted.
package rust

import (
	"path/filepath"
	"strings"
	"unicode"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// Language returns the entry for Rust and rust-analyzer, made from its documentation and sources of 2026: it is not among the
// servers that the tests run.
func Language() session.Language {
	return session.Language{
		ID:          "rust",
		Name:        "Rust",
		Command:     []string{"rust-analyzer"},
		Install:     "rustup component add rust-analyzer rust-src",
		RootMarkers: []string{"Cargo.toml", "rust-project.json"},
		Extensions:  []string{".rs"},
		Manifests:   []string{"Cargo.toml", "Cargo.lock", "rust-project.json", "rust-toolchain", "rust-toolchain.toml"},
		Folders:     true,
		Capabilities: map[string]any{
			"experimental": map[string]any{"serverStatusNotification": true},
		},
		Settings:    settings(),
		Section:     "rust-analyzer",
		Environ:     environ,
		Restrain:    restrain,
		Probe:       probe,
		Structural:  structural,
		Changed:     changed,
		Notified:    hear,
		SymbolLimit: symbolLimit,
		Exact:       text.LastComponent,
		Refine:      refine,
		BinDirs:     binDirs,
	}
}

const symbolLimit = 1000

func settings() map[string]any {
	return map[string]any{
		// Without it a search finds types alone, and 128 of them.
		"workspace":   map[string]any{"symbol": map[string]any{"search": map[string]any{"kind": "all_symbols", "limit": symbolLimit}}},
		"checkOnSave": false, // cargo check, which nobody asks for here
		"files":       map[string]any{"watcher": "client"},
	}
}

// refine completes a symbol of which rust-analyzer gives the type or module around it as the container.
func refine(symbol *session.Symbol, line func() string) {
	container := strings.ReplaceAll(symbol.Package, "::", ".")
	symbol.Package = module(symbol.Location.Path)
	last := text.LastComponent(container)
	switch {
	case container == "":
	case strings.IndexFunc(last, unicode.IsUpper) == 0:
		symbol.Receiver = last // a type: modules are written small
	case last != text.LastComponent(symbol.Package):
		symbol.Package = joinDots(symbol.Package, last) // mod within a file
	}
	switch line := strings.TrimSpace(line()); {
	case symbol.Kind == session.KindFunction && symbol.Receiver != "", symbol.Kind == session.KindFunction && strings.Contains(line, "self"):
		symbol.Kind = session.KindMethod
	case declares(line, "union"):
		symbol.Kind = session.KindStruct
	case declares(line, "trait"):
		symbol.Kind = session.KindInterface
	case declares(line, "type"):
		symbol.Kind = session.KindType
	}
}

// declares reports whether a line begins, behind its visibility, with a keyword.
func declares(line, keyword string) bool {
	for _, word := range strings.Fields(line) {
		switch {
		case word == keyword:
			return true
		case word != "unsafe" && word != "auto" && !strings.HasPrefix(word, "pub") && !strings.HasSuffix(word, ")"):
			return false
		}
	}
	return false
}

// module returns the path of a file's module with dots, from the crate's directory: crates/geo/src/shape.rs is
// geo.shape.
func module(path string) string {
	dir, below, ok := strings.Cut(filepath.ToSlash(path), "/src/")
	for strings.Contains(below, "/src/") {
		var next string
		next, below, _ = strings.Cut(below, "/src/")
		dir += "/src/" + next
	}
	if !ok { // tests/api.rs, build.rs
		return strings.TrimSuffix(filepath.Base(path), ".rs")
	}
	module := strings.TrimSuffix(below, ".rs")
	for _, entry := range []string{"lib", "main", "mod"} {
		if module == entry || strings.HasSuffix(module, "/"+entry) {
			module = strings.TrimSuffix(strings.TrimSuffix(module, entry), "/")
			break
		}
	}
	crate := strings.ReplaceAll(dir[strings.LastIndexByte(dir, '/')+1:], "-", "_")
	return joinDots(crate, strings.ReplaceAll(module, "/", "."))
}

func joinDots(a, b string) string { return strings.Trim(a+"."+b, ".") }

// binDirs returns where rustup and cargo put programs.
func binDirs(lookup func(string) string) []string {
	if home := lookup("CARGO_HOME"); home != "" {
		return []string{filepath.Join(home, "bin")}
	}
	if home := lookup("HOME"); home != "" {
		return []string{filepath.Join(home, ".cargo", "bin")}
	}
	return nil
}

// structural: what is another set of files or crates, or too much to be taken in as text.
func structural(changes []disk.Change) bool {
	for _, c := range changes {
		if c.Kind != disk.Changed || disk.Named(Language().Manifests, filepath.Base(c.Path)) {
			return true
		}
	}
	return len(changes) > session.OpenedAtOnce
}
