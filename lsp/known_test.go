package lsp

import (
	"slices"
	"testing"
)

// KnownSymbols asks a server that runs, and starts none.
func TestKnownSymbols(t *testing.T) {
	t.Parallel()
	p, _ := project(t, shop)
	cold, err := p.View(t.Context(), ViewOptions{Budget: -1})
	if err != nil {
		t.Fatal(err)
	}
	if found, whole := cold.KnownSymbols(t.Context(), "Sto"); whole && len(found) == 0 {
		t.Error("a server that has not loaded the project knows all of it")
	}
	found, whole := view(t, p).KnownSymbols(t.Context(), "Stor")
	if !whole || !slices.ContainsFunc(found, func(s Symbol) bool { return s.Name == "Store" }) {
		t.Errorf("got %v, whole: %v", found, whole)
	}
}
