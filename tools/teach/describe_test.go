package teach

import (
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/tools/lang"
)

// What the servers show of a name.
func TestReadHover(t *testing.T) {
	tests := []struct{ server, hover, signature, doc string }{
		{"gopls", "```go\nfunc (l *Logger) Info(msg string)\n```\n\n---\n\nInfo logs.\nAnd more.\n\n---\n\n[`(zap.Logger).Info` on pkg.go.dev](https://x)", "func (l *Logger) Info(msg string)", "Info logs.\nAnd more."},
		{"gopls, without a comment", "```go\ntype T struct{}\n```\n\n---\n\n```go\nfunc (T) M()\n```\n\n---\n\n[`m.T` on pkg.go.dev](https://x)", "type T struct{}", ""},
		{"tsserver", "\n```typescript\n(method) Cat.eat(food: string): boolean\n```\nEats.", "Cat.eat(food: string): boolean", "Eats."},
		{"pyright", "```python\n(function) def feed(\n    animal: Animal,\n    times: int = 1\n) -> int\n```\n---\nFeed it.", "def feed(animal: Animal, times: int = 1) -> int", "Feed it."},
		{"nothing", "", "", ""},
		{"prose alone", "a word", "", ""},
	}
	for _, tt := range tests {
		signature, doc := readHover(tt.hover)
		if signature != tt.signature || doc != tt.doc {
			t.Errorf("%s: %q, %q", tt.server, signature, doc)
		}
	}
}

func TestCommentAbove(t *testing.T) {
	dir := t.TempDir()
	lsptest.Put(t, filepath.Join(dir, "a.c"), "int x;\n\n// One.\n// Two.\nint a;\n\n/*\n * Three.\n * Four.\n */\nint b;\n/** Five. */ \nint c;\n// Apart.\n\nint d;\n")
	c := &codeSource{Query: new(lang.Memory).Query(nil, "", lang.Options{})}
	for line, want := range map[int]string{5: "One.\nTwo.", 11: "Three.\nFour.", 13: "Five.", 16: "", 1: ""} {
		if got := c.commentAbove(lsp.At(filepath.Join(dir, "a.c"), line, 1)); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
}

// Positions are the protocol's, whatever stands before them on the line or in the path.
func TestTaughtSymbol(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ü #1")
	path := filepath.Join(dir, "a.c")
	lsptest.Put(t, path, "/* ü😀 */ int feed;\n")
	c := &codeSource{Query: new(lang.Memory).Query(nil, "", lang.Options{})}
	column := strings.Index("/* ü😀 */ int feed;", "feed") + 1
	symbol := lsp.Symbol{Name: "feed", Receiver: "ns", Kind: lsp.KindEnumMember, Language: "c", Location: lsp.At(path, 1, column)}
	got := c.taughtSymbol(description{symbol: symbol, signature: "int feed"})
	if want := (TaughtRange{TaughtPosition{0, 14}, TaughtPosition{0, 18}}); got.Location.Range != want {
		t.Errorf("range %+v, want %+v", got.Location.Range, want)
	}
	if !strings.HasPrefix(got.Location.URI, "file:///") || !strings.HasSuffix(got.Location.URI, "/%C3%BC%20%231/a.c") {
		t.Errorf("URI %s", got.Location.URI)
	}
	if got.Name != "ns.feed" || got.Kind != "SKEnumMember" || got.DocComment != nil {
		t.Errorf("%+v", got)
	}
}
