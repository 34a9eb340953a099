package training_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tidepool/scout/training"
)

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "training")
	store := &training.Store{Dir: dir}
	if records, broken, err := store.Records(); len(records) != 0 || broken != 0 || err != nil {
		t.Errorf("an empty store has %v, %d, %v", records, broken, err)
	}
	if err := store.Append(nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory for nothing")
	}
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			if err := store.Append([]training.Record{record("a.go:1", "F()\n", 2), record("b.go:2", "G(\"<&>\")", 3)}); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	path := filepath.Join(dir, "examples.jsonl")
	for name, want := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	// What a full disk leaves.
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("{}\n{\"node\":{\"loc"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	records, broken, err := store.Records()
	if err != nil || broken != 2 || len(records) != 16 || records[1].Node.Snippet == records[0].Node.Snippet {
		t.Errorf("%d records, %d broken, %v", len(records), broken, err)
	}
}

// A store never has more than two files within its bound, and the latest records are kept.
func TestStoreIsBounded(t *testing.T) {
	store := &training.Store{Dir: t.TempDir(), Max: 100_000}
	for i := range 80 {
		if err := store.Append([]training.Record{record("a.go:1", strings.Repeat("x", 5000), 1+i%5)}); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(store.Dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v %v", entries, err)
	}
	records, broken, err := store.Records()
	if err != nil || broken != 0 || len(records) < 19 || len(records) > 38 || records[len(records)-1].Rubric.Relevance != 5 {
		t.Errorf("%d records, %d broken, %v", len(records), broken, err)
	}
}

func TestModuleOf(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/shop\n", "web/package.json": `{"name": "@shop/web"}`, "web/src/nested/package.json": `{"type": "module"}`,
		"py/pyproject.toml": "[project]\nname = \"shop-py\"\n", "tools/go.mod": "module example.com/shop/tools\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"main.go": "example.com/shop", "cmd/x/main.go": "example.com/shop", "tools/a.go": "example.com/shop/tools",
		"web/src/nested/a.ts": "@shop/web", "py/shop/a.py": "shop-py",
	} {
		if got := training.ModuleOf(root, path); got != want {
			t.Errorf("%s is of %s, want %s", path, got, want)
		}
	}
	if got := training.ModuleOf(filepath.Join(root, "nowhere"), "a/b.c"); got != "nowhere" {
		t.Errorf("without a manifest: %s", got)
	}
}
