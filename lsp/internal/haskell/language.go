// Package haskell serves Haskell by haskell-language-server 2.13, as its documentation and sources describe it: the tests
// play the server. It declares a session.Language.
package haskell

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

// Language returns the entry for Haskell and haskell-language-server, made from its documentation and sources of 2.13: it is
// not among the servers that the tests run.
func Language() session.Language {
	return session.Language{
		ID:          "haskell",
		Name:        "Haskell",
		Command:     []string{"haskell-language-server-wrapper", "--lsp"},
		Install:     "ghcup install hls",
		RootMarkers: []string{"cabal.project", "stack.yaml", "package.yaml", "hie.yaml", "*.cabal"},
		Extensions:  []string{".hs", ".hs-boot"},
		Manifests:   []string{"cabal.project", "cabal.project.local", "stack.yaml", "package.yaml", "hie.yaml", "*.cabal"},
		Options:     func(*session.Session) map[string]any { return map[string]any{"haskell": settings()} },
		Settings:    settings(),
		Section:     "haskell",
		Restrain:    restrain,
		Probe:       probe,
		Changed:     (*session.Session).OpenChanged, // it takes no notice of files that are not open
		Exact:       text.LastComponent,
		Refine:      refine,
		BinDirs:     binDirs,
	}
}

func settings() map[string]any {
	return map[string]any{
		"checkProject":   true,                 // and not only what is open
		"sessionLoading": "multipleComponents", // libraries, executables and tests together, where cabal and GHC can
	}
}

// restrain: to load anything the server runs the program that hie.yaml names, or cabal and stack with the project's
// Setup, and compiles Template Haskell, which runs while it is compiled.
func restrain(l session.Launch) (session.Restraint, error) {
	return session.Restraint{}, &session.UntrustedError{Command: l.Language.Program(), Why: "it runs what hie.yaml, Setup.hs and Template Haskell say"}
}

// err is what the server's answers always lack.
var err = errors.New("haskell-language-server answers from the modules that it has indexed so far and does not say which: " +
	"the same question may find more later, and modules of components that it has not loaded stay out")

// probe opens a file of each project, before which the server does nothing, and waits while it says that it works.
//
// That is no measure of completeness: work that takes less than a second is not announced, the index is written in
// batches with a task each and none in between, and answers grow all the while. So the end is always err.
func probe(ctx context.Context, s *session.Session) (session.Coverage, error) {
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
	if err := s.Progress.AwaitTasks(ctx, func(running map[string]session.Task, _ map[string]int) bool { return !works(running) }); err != nil {
		return session.Coverage{}, err
	}
	return session.Coverage{}, err
}

func works(running map[string]session.Task) bool {
	for _, t := range running {
		for _, title := range []string{"Indexing", "Processing", "Loading", "Setting up "} {
			if strings.HasPrefix(t.Title, title) {
				return true
			}
		}
	}
	return false
}

// refine sorts kinds out: the index knows variables, constructors and types, and the module as the container.
func refine(symbol *session.Symbol, line func() string) {
	first, _ := utf8.DecodeRuneInString(symbol.Name)
	word, _, _ := strings.Cut(strings.TrimSpace(line()), " ")
	switch {
	case symbol.Kind == session.KindVariable && !unicode.IsUpper(first):
		symbol.Kind = session.KindFunction
	case word == "class":
		symbol.Kind = session.KindInterface
	case word == "type":
		symbol.Kind = session.KindType
	case word == "data" && symbol.Kind != session.KindConstructor, word == "newtype" && symbol.Kind != session.KindConstructor:
		symbol.Kind = session.KindStruct
	}
}

// binDirs returns where ghcup, cabal and stack put programs.
func binDirs(lookup func(string) string) []string {
	home := lookup("HOME")
	if home == "" {
		return nil
	}
	return []string{filepath.Join(home, ".ghcup", "bin"), filepath.Join(home, ".cabal", "bin"), filepath.Join(home, ".local", "bin")}
}
