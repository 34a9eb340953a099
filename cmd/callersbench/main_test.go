package main

import (
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/checkout"
	"tidepool/internal/daemontest"
)

// newBench returns a bench with programs of its own.
func newBench(t *testing.T, count int) *bench {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := daemontest.Build(bin); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gopls", "servers"} {
		if err := os.Symlink(filepath.Join(root, "bin", name), filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	temp, err := checkout.Temporary("callers")
	if err != nil {
		t.Fatal(err)
	}
	return &bench{bin: bin, temp: temp, count: count}
}

// find_callers agrees with the Go type checker about functions of a public module.
func TestSampledModule(t *testing.T) {
	b := newBench(t, 20)
	s, err := b.measure(t.Context(), project{"Go", "github.com/google/go-cmp@v0.7.0", fetchModule, goTruth})
	if err != nil {
		t.Fatal(err)
	}
	for of, uses := range s.uses {
		if uses.right == 0 && class(of) != taking || uses.wrong+uses.missing > 0 {
			t.Errorf("class %d: %+v", of, uses)
		}
	}
	if s.functions != 20 || s.falsely+s.failed+s.disagree > 0 {
		t.Errorf("%+v", s)
	}
	t.Log(s.told())
}
