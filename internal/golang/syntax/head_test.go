package syntax

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The head of a file is found wherever the comments in it end, also where what is read first ends in a name or between two imports.
func TestReadHead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	comment := func(size int) string { return "/*" + strings.Repeat("x", size-5) + "*/\n" }
	const imported = "package a\n\nimport \"b\"\n"
	for name, tt := range map[string]struct {
		src, of string
		imports []string
		broken  bool
	}{
		"plain":                      {src: imported + "\nfunc F() {}\n", of: "a", imports: []string{"b"}},
		"nothing behind":             {src: imported, of: "a", imports: []string{"b"}},
		"long comment":               {src: comment(3*headRead) + "package a\n", of: "a"},
		"cut in the name":            {src: comment(headRead-len("package nam")) + "package name\n", of: "name"},
		"cut between imports":        {src: imported + comment(headRead-len(imported)) + "import \"c\"\n\nfunc F() {}\n", of: "a", imports: []string{"b", "c"}},
		"cut in an import":           {src: comment(headRead-len("package a\nimport \"b")) + "package a\nimport \"bcd\"\n", of: "a", imports: []string{"bcd"}},
		"broken behind what is read": {src: imported + "\nfunc F( {\n", of: "a", imports: []string{"b"}},
		"broken imports":             {src: imported + "import \"c\n", of: "a", imports: []string{"b"}, broken: true},
		"nothing":                    {broken: true},
		"no clause":                  {src: "func F() {}\n", broken: true},
	} {
		if err := os.WriteFile(path, []byte(tt.src), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadHead(path)
		if got.Package != tt.of || !slices.Equal(got.Imports, tt.imports) || (err != nil) != tt.broken {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing.go")} {
		if got, err := ReadHead(path); err == nil || got.Package != "" {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
}
