package lsp

import (
	"path/filepath"
	"testing"
)

// TestHeed hears of a change that no hook tells and nobody asks about.
func TestHeed(t *testing.T) {
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		uses(t, p)
		sent := func() int {
			live := current(p)
			live.progress.mu.Lock()
			defer live.progress.mu.Unlock()
			return live.progress.notified
		}
		before := sent()
		put(t, filepath.Join(dir, "more"+filepath.Ext(b.name)), b.more("Beta", 2, 0))
		eventually(t, "the server is told", func() bool { return sent() > before })
	})
}
