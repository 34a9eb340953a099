package lsp

import (
	"path/filepath"
	"testing"
	"time"

	"tidepool/lsp/internal/session"
)

// TestHeed hears of a change that no hook tells and nobody asks about.
func TestHeed(t *testing.T) {
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		uses(t, p)
		since := func() time.Time { return current(p).Progress.Completeness(session.Part{}).Since } // of a change, or its end
		before := since()
		put(t, filepath.Join(dir, "more"+filepath.Ext(b.name)), b.more("Beta", 2, 0))
		eventually(t, "the server is told", func() bool { return since().After(before) })
	})
}
