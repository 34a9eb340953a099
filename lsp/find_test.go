package lsp

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	language := Language{ID: "toy", Name: "Toy", Command: []string{"toy", "serve"}, RootMarkers: []string{"toy.mod", "toy.work"}}
	if language.IsIn(root) {
		t.Error("an empty directory is a project")
	}
	if err := os.WriteFile(filepath.Join(root, "toy.work"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !language.IsIn(root) {
		t.Error("the project is not seen")
	}
	env := []string{"PATH=" + bin}
	var missing *MissingError
	if _, err := language.Find(root, env); !errors.As(err, &missing) {
		t.Errorf("without the program: %v", err)
	}
	program := filepath.Join(bin, "toy")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := language.Find(root, env); got != program || err != nil {
		t.Errorf("found %q, %v", got, err)
	}
}

func TestMarkersThatArePatterns(t *testing.T) {
	root := t.TempDir()
	language := Language{RootMarkers: []string{"cabal.project", "*.cabal"}}
	if language.IsIn(root) {
		t.Error("an empty directory is a project")
	}
	if err := os.WriteFile(filepath.Join(root, "store.cabal"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !language.IsIn(root) {
		t.Error("the project is not seen")
	}
	for name, want := range map[string]bool{"store.cabal": true, "cabal.project": true, "cabal": false, "cabal.projects": false} {
		if got := named(language.RootMarkers, name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
