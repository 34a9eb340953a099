package lsp

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

// Questions that are given up, at whatever moment, leave pyright able to answer the next one.
func TestPyrightGivenUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "pyproject.toml"), "")
	put(t, filepath.Join(dir, "a.py"), "def alpha():\n    pass\n\n\nalpha()\n")
	p := open(t, dir, pyright(t))
	at := one(t, view(t, p), "alpha").Location
	for i := range 40 {
		hasty, cancel := context.WithTimeout(t.Context(), time.Duration(i)*100*time.Microsecond)
		_, _ = view(t, p).References(hasty, at, false) // whatever it says
		cancel()
	}
	if found, err := view(t, p).References(t.Context(), at, false); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}
