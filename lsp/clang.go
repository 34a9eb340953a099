package lsp

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// clang is the entry for C and C++ and clangd. What is said of it here and in the files beside was measured with
// versions 14.0.6 and 19.
func clang() Language {
	return Language{
		ID:          "c",
		Name:        "C/C++",
		Command:     []string{"clangd"},
		Install:     clangInstall(runtime.GOOS),
		RootMarkers: []string{"compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "meson.build"},
		Extensions:  append(clangUnits(), ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc"),
		Manifests:   []string{"compile_commands.json", "compile_flags.txt", ".clangd"},
		Markerless:  true,
		LanguageID:  clangLanguageID,
		Capabilities: map[string]any{
			// Begins a task before it answers the next message, and not only when we have agreed to the token.
			"window":       map[string]any{"implicitWorkDoneProgressCreate": true},
			"workspace":    map[string]any{"symbol": clangKinds()},
			"textDocument": map[string]any{"documentSymbol": clangKinds()},
		},
		Settings:   map[string]any{"clangdFileStatus": true},
		Environ:    clangEnviron,
		Probe:      probeClang,
		Structural: func([]disk.Change) bool { return true },
		Lingers:    true,
		Changed:    clangChanged,
		Notified:   hearClang,
		Search:     searchClang,
		Missed:     missedClang,
		Beyond:     leftOutClang,
		Exact:      clangExact,
		Refine:     refineClang,
	}
}

// clangUnits are the extensions of files that compilers are called for; the others are included by them.
func clangUnits() []string { return []string{".c", ".cc", ".cpp", ".cxx", ".c++"} }

func isClangUnit(path string) bool { return slices.Contains(clangUnits(), filepath.Ext(path)) }

func clangInstall(system string) string {
	if system == "darwin" {
		return "brew install llvm"
	}
	return "apt-get install clangd"
}

// clangFlags are for CLANGD_FLAGS, so that a command of the user's own need not repeat them. The compile commands come
// from us alone: then the index lies where we say and not in the project, files without a command get one that fits
// the project, and clangd starts to index at once and not when the first file is opened.
func clangFlags() string {
	return "--background-index --compile_args_from=lsp --limit-references=0 --limit-results=0" +
		" --clang-tidy=false --header-insertion=never --pch-storage=disk --log=info"
}

// clangKinds says that we know all kinds of symbols; to others clangd calls a struct a class and an enumerator an enum.
func clangKinds() map[string]any {
	var all []int
	for kind := protocol.SymbolKindFile; kind <= protocol.SymbolKindTypeParameter; kind++ {
		all = append(all, int(kind))
	}
	return map[string]any{"symbolKind": map[string]any{"valueSet": all}}
}

func clangLanguageID(path string) string {
	if ext := filepath.Ext(path); ext == ".c" || ext == ".h" {
		return "c"
	}
	return "cpp"
}

// clangExact asks for the last component alone: clangd takes those before it for a wish.
func clangExact(name string) string {
	return name[strings.LastIndexAny(name, ".:")+1:]
}

// clangChanged takes note for the probe that follows.
func clangChanged(s *session.Session, what session.Update) error {
	if err := s.Refresh(what.Changes); err != nil {
		return err
	}
	index := s.Own.(*clangIndex)
	index.mu.Lock()
	defer index.mu.Unlock()
	for _, c := range what.Changes {
		index.told[c.Path] = true
	}
	return nil
}

func probeClang(ctx context.Context, s *session.Session) (session.Coverage, error) {
	index := s.Own.(*clangIndex)
	return index.probe(ctx, s)
}
