package lsp

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

func TestFind(t *testing.T) {
	t.Parallel()
	root, bin := t.TempDir(), t.TempDir()
	language := Language{ID: "toy", Name: "Toy", Command: []string{"toy", "serve"}}
	env := []string{"PATH=" + bin}
	var missing *session.MissingError
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

func TestUsed(t *testing.T) {
	t.Parallel()
	toy := Language{ID: "toy", RootMarkers: []string{"toy.mod", "*.toys"}, Extensions: []string{".toy"}}
	bare := Language{ID: "bare", Extensions: []string{".bare"}, Markerless: true}
	tests := []struct {
		archive string
		want    int
	}{
		{"", 0},
		{"-- toy.mod --\n", 0},
		{"-- a.toy --\n", 0},
		{"-- toy.mod --\n-- a.toy --\n", 1},
		{"-- deep/all.toys --\n-- deep/er/a.toy --\n", 1},
		{"-- deep/all.toys --\n-- a.toy --\n", 0},
		{"-- node_modules/toy.mod --\n-- node_modules/a.toy --\n", 0},
		{"-- deep/a.bare --\n", 1},
		{"-- toy.mod --\n-- a.toy --\n-- a.bare --\n", 2},
	}
	for _, test := range tests {
		dir := t.TempDir()
		write(t, dir, test.archive)
		if used := Used(dir, []Language{toy, bare}); len(used) != test.want {
			t.Errorf("%q: %d languages, want %d", test.archive, len(used), test.want)
		}
	}
}

func TestMarkersThatArePatterns(t *testing.T) {
	t.Parallel()
	markers := []string{"cabal.project", "*.cabal"}
	for name, want := range map[string]bool{"store.cabal": true, "cabal.project": true, "cabal": false, "cabal.projects": false} {
		if got := disk.Named(markers, name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
