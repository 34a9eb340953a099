package lsp

import (
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp/internal/text"
)

// TestLongPath serves a project whose path has 150 characters, spaces and ü, with Windows line ends.
func TestLongPath(t *testing.T) {
	t.Parallel()
	for name, b := range benches(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), strings.Repeat("sehr länglich ", 8), strings.Repeat("ü %41", 8))
			if len(dir) < 150 {
				t.Fatalf("only %d bytes", len(dir))
			}
			write(t, dir, b.manifest)
			put(t, filepath.Join(dir, b.name), strings.ReplaceAll(b.source, "\n", "\r\n"))
			p := open(t, dir, b.language)
			v := view(t, p)
			refs, err := v.References(t.Context(), one(t, v, "Alpha").Location, false)
			if err != nil || len(refs) != 1 || refs[0].Path != filepath.Join(dir, b.name) {
				t.Fatalf("%+v, %v", refs, err)
			}
			line := text.New(b.source).Line(refs[0].Range.Start.Line - 1)
			if got := line[refs[0].Range.Start.Column-1 : refs[0].Range.End.Column-1]; got != "Alpha" {
				t.Errorf("the reference is to %q", got)
			}
		})
	}
}
