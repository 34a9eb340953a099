package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestLedger looks at what a project leaves to the next one, while its servers run and afterwards.
func TestLedger(t *testing.T) {
	t.Parallel()
	type entry struct {
		PID     int
		Started string
	}
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "servers.json")
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\n")
	p := openWith(t, Options{Root: dir, Languages: []Language{toy()}, Env: environment(), Ledger: path})
	view(t, p)
	kept := func() (entries []entry) {
		data, err := os.ReadFile(path)
		if err != nil || json.Unmarshal(data, &entries) != nil {
			t.Errorf("%s: %v", data, err)
		}
		return entries
	}
	if entries := kept(); len(entries) != 1 || entries[0].PID != p.Status()[0].PID || entries[0].Started == "" {
		t.Errorf("while it runs: %+v", entries)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if entries := kept(); len(entries) != 0 {
		t.Errorf("afterwards: %+v", entries)
	}
}
