package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// haskell is the entry for Haskell and haskell-language-server, made from its documentation and sources of 2.13: it is
// not among the servers that the tests run.
func haskell() Language {
	return Language{
		ID:          "haskell",
		Name:        "Haskell",
		Command:     []string{"haskell-language-server-wrapper", "--lsp"},
		Install:     "ghcup install hls",
		RootMarkers: []string{"cabal.project", "stack.yaml", "package.yaml", "hie.yaml", "*.cabal"},
		Extensions:  []string{".hs", ".hs-boot"},
		Manifests:   []string{"cabal.project", "cabal.project.local", "stack.yaml", "package.yaml", "hie.yaml", "*.cabal"},
		Options:     func(*session.Session) map[string]any { return map[string]any{"haskell": haskellSettings()} },
		Settings:    haskellSettings(),
		Section:     "haskell",
		Restrain:    restrainHaskell,
		Probe:       probeHaskell,
		Changed:     (*session.Session).OpenChanged, // it takes no notice of files that are not open
		Exact:       text.LastComponent,
		Refine:      refineHaskell,
		BinDirs:     haskellBinDirs,
	}
}

func haskellSettings() map[string]any {
	return map[string]any{
		"checkProject":   true,                 // and not only what is open
		"sessionLoading": "multipleComponents", // libraries, executables and tests together, where cabal and GHC can
	}
}

// restrainHaskell: to load anything the server runs the program that hie.yaml names, or cabal and stack with the project's
// Setup, and compiles Template Haskell, which runs while it is compiled.
func restrainHaskell(l session.Launch) (session.Restraint, error) {
	return session.Restraint{}, &session.UntrustedError{Command: l.Language.Program(), Why: "it runs what hie.yaml, Setup.hs and Template Haskell say"}
}

// errHaskell is what the server's answers always lack.
var errHaskell = errors.New("haskell-language-server answers from the modules that it has indexed so far and does not say which: " +
	"the same question may find more later, and modules of components that it has not loaded stay out")

// probeHaskell opens a file of each project, before which the server does nothing, and waits while it says that it works.
//
// That is no measure of completeness: work that takes less than a second is not announced, the index is written in
// batches with a task each and none in between, and answers grow all the while. So the end is always errHaskell.
func probeHaskell(ctx context.Context, s *session.Session) (session.Coverage, error) {
	sources := s.Host.Sources()
	for _, folder := range s.Folders() {
		for _, path := range sources {
			if disk.Inside(folder, path) {
				if err := s.Open(path); err != nil {
					return session.Coverage{}, err
				}
				break
			}
		}
	}
	if err := s.Progress.AwaitTasks(ctx, func(running map[string]session.Task, _ map[string]int) bool { return !haskellWorks(running) }); err != nil {
		return session.Coverage{}, err
	}
	return session.Coverage{}, errHaskell
}

func haskellWorks(running map[string]session.Task) bool {
	for _, t := range running {
		for _, title := range []string{"Indexing", "Processing", "Loading", "Setting up "} {
			if strings.HasPrefix(t.Title, title) {
				return true
			}
		}
	}
	return false
}

// refineHaskell sorts kinds out: the index knows variables, constructors and types, and the module as the container.
func refineHaskell(symbol *Symbol, line string) {
	first, _ := utf8.DecodeRuneInString(symbol.Name)
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case symbol.Kind == KindVariable && !unicode.IsUpper(first):
		symbol.Kind = KindFunction
	case word == "class":
		symbol.Kind = KindInterface
	case word == "type":
		symbol.Kind = KindType
	case word == "data" && symbol.Kind != KindConstructor, word == "newtype" && symbol.Kind != KindConstructor:
		symbol.Kind = KindStruct
	}
}

// haskellBinDirs is where ghcup, cabal and stack put programs.
func haskellBinDirs(lookup func(string) string) []string {
	home := lookup("HOME")
	if home == "" {
		return nil
	}
	return []string{filepath.Join(home, ".ghcup", "bin"), filepath.Join(home, ".cabal", "bin"), filepath.Join(home, ".local", "bin")}
}
