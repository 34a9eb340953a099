package packages

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

func TestOtherPlatformUses(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.test/m\n\ngo 1.26\n",
		"a.go": `package m

type Base struct{ Name string }

func (b *Base) Close() {}

type T struct {
	*Base
	G[int]
}

type G[E any] struct{ item E }

func (g G[E]) Item() E { return g.item }

func Open() *T { return nil }

func other() { Open().Close() }
`,
		"a_plan9.go": `package m

func plan9() {
	t := Open()
	t.Close()
	_ = t.Name + t.Base.Name
	Open := func() int { return t.Item() }
	_ = Open() + t.item
}
`,
		"a_plan9_test.go":   "package m\n\nvar tested = Open\n",
		"out_plan9_test.go": "package m_test\n\nimport \"example.test/m\"\n\nvar opened = m.Open()\n",
	}
	var sources []string
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, path)
	}
	slices.Sort(sources)
	var cache Cache
	var parsed syntax.Files
	work := cache.Begin(parsed.Read(), sources)
	defer work.End()
	tests := []struct {
		name         string
		line, column int
		want         string
	}{
		{"Open", 16, 6, "a_plan9.go:4:7 a_plan9_test.go:3:14 out_plan9_test.go:5:16"},
		{"Base.Close", 5, 16, "a_plan9.go:5:4"},
		{"Base.Name", 3, 19, "a_plan9.go:6:8 a_plan9.go:6:22"},
		{"T.Base", 8, 3, "a_plan9.go:5:4 a_plan9.go:6:8 a_plan9.go:6:17"},
		{"G.item", 12, 23, "a_plan9.go:8:17"},
		{"G.Item", 14, 15, "a_plan9.go:7:32"},
		{"other", 18, 6, ""},
	}
	for _, tt := range tests {
		var got []string
		found, seen := work.OtherPlatformUses(dir, fact.Place{Path: filepath.Join(dir, "a.go"), Line: tt.line, Column: tt.column})
		for _, p := range found {
			got = append(got, fmt.Sprintf("%s:%d:%d", filepath.Base(p.Path), p.Line, p.Column))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, text, tt.want)
		}
		if len(seen) != 3 { // not the one that does not compile
			t.Errorf("%s: sees %v", tt.name, seen)
		}
	}
}
