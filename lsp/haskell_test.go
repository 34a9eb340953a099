package lsp

import (
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp/internal/haskell"
)

// What haskell-language-server 2.13 sends once a file is open: nothing for short work, tasks in batches for long work,
// and never an end of it all.
func TestHaskellIsNeverComplete(t *testing.T) {
	t.Parallel()
	p, dir := played(t, haskell.Language(), "-- store.cabal --\n-- src/Store.hs --\nmodule Store where\n", `
textDocument/didOpen => $/progress {"token":7,"value":{"kind":"begin","title":"Setting up store (for src/Store.hs)","cancellable":false}}
* => $/progress {"token":7,"value":{"kind":"end"}}
* => $/progress {"token":8,"value":{"kind":"begin","title":"Indexing","message":"12/36","percentage":33}}
textDocument/hover => $/progress {"token":8,"value":{"kind":"end"}}
`)
	store := filepath.Join(dir, "src", "Store.hs")
	c := state(t, p, store, true)
	if c.State != Partial || !strings.Contains(c.Reason, "indexed so far") {
		t.Errorf("got %+v", c)
	}
	put(t, filepath.Join(dir, "src", "Till.hs"), "module Till where\n")
	p.FilesChanged("src/Till.hs")
	if c := state(t, p, store, true); c.State != Partial {
		t.Errorf("after a change: %+v", c)
	}
}

func TestRefineHaskell(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		kind Kind
		line string
		want Kind
	}{
		{"total", KindVariable, "total :: Order -> Int", KindFunction},
		{"<+>", KindVariable, "(<+>) :: a -> a -> a", KindFunction},
		{"Order", KindStruct, "data Order = Order { number :: Int }", KindStruct},
		{"Order", KindConstructor, "data Order = Order { number :: Int }", KindConstructor},
		{"Shape", KindStruct, "class Shape a where", KindInterface},
		{"Elem", KindStruct, "type family Elem c", KindType},
		{"Name", KindStruct, "type Name = String", KindType},
		{"Wrap", KindStruct, "newtype Wrap a = Wrap a", KindStruct},
	}
	for _, tt := range tests {
		s := Symbol{Name: tt.name, Package: "Data.Store", Kind: tt.kind}
		if haskell.Language().Refine(&s, func() string { return tt.line }); s.Kind != tt.want || s.Package != "Data.Store" {
			t.Errorf("%q: %+v, want %s", tt.line, s, tt.want)
		}
	}
}
