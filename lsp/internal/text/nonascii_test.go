package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// Positions are converted as by the text of the file, in each line and beyond it.
func TestNonASCIILikeText(t *testing.T) {
	for name, content := range map[string]string{
		"plain":            "a b\nc d\n",
		"some lines":       "plain\né b\n\nplain\n🌊🌊 x\né",
		"carriage returns": "é b\r\nplain\r\nx é\r\n",
		"no UTF-8":         "a\xff b\nplain\n\xc3\n",
		"several":          "é é é\né\né",
		"empty":            "",
	} {
		lines, whole := readNonASCII([]byte(content)), New(content)
		for line := range uint32(8) {
			for column := range uint32(12) {
				at := protocol.Position{Line: line, Character: column}
				got, want := lines.position(at), whole.Position(at)
				if want.Line > strings.Count(content, "\n")+1 || int(column) > len(whole.Line(int(line))) {
					continue // beyond the line, what is not read cannot be cut at its end
				}
				if got != want {
					t.Errorf("%s: %v becomes %v, want %v", name, at, got, want)
				}
			}
		}
	}
}

func TestNonASCIIIsBounded(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	half := strings.Repeat("é"+strings.Repeat("x", 1<<20), 1+maxNonASCII>>21)
	known := new(NonASCII)
	one, two, all := file("one", half), file("two", half), file("all", half+half)
	for _, path := range []string{one, two, one} {
		if _, ok := known.linesOf(path); !ok || known.bytes > maxNonASCII || len(known.files) != 1 {
			t.Errorf("%s: known %t; %d bytes of %d files are kept", path, ok, known.bytes, len(known.files))
		}
	}
	if _, ok := known.linesOf(all); ok {
		t.Error("the lines of a file that are more than the bound are kept")
	}
	if _, ok := known.linesOf(filepath.Join(dir, "missing")); ok {
		t.Error("a file that is not there has lines")
	}
	known.Forget(one)
	if known.bytes != 0 || len(known.files) != 0 {
		t.Errorf("%d bytes are left", known.bytes)
	}
}
