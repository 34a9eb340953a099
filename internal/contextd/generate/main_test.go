package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The generated code is that of the contract. It is generated without the network: the compiler and its plugins are modules.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	dir := filepath.Join("..", "v1")
	files, err := generate(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Errorf("%d files", len(files))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale: make generate (%v)", name, err)
		}
	}
}
