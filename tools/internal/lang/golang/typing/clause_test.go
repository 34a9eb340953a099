package typing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The package clause is found wherever the comments before it end, also where the first part of the file ends in its name.
func TestPackageName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	comment := func(size int) string { return "/*" + strings.Repeat("x", size-5) + "*/\n" }
	for name, tt := range map[string]struct{ src, want string }{
		"plain":           {"package a\n\nfunc F() {}\n", "a"},
		"long comment":    {comment(3*clauseRead) + "package a\n", "a"},
		"cut in the name": {comment(clauseRead-len("package nam")) + "package name\n", "name"},
		"nothing":         {"", ""},
		"no clause":       {"func F() {}\n", ""},
	} {
		if err := os.WriteFile(path, []byte(tt.src), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := packageName(path); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if got := packageName(filepath.Join(t.TempDir(), "missing.go")); got != "" {
		t.Errorf("a missing file: %q", got)
	}
}
