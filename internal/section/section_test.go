package section

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const page = `# Figures

<!-- begin speed: written by make bench -->

| old |

<!-- end speed -->
A sentence of a person.

<!-- begin size: written by make soak -->
<!-- end size -->
`

func TestReplace(t *testing.T) {
	got, err := Replace(page, "speed", "| new |\n")
	if err != nil || got != strings.Replace(page, "| old |", "| new |", 1) {
		t.Errorf("%v\n%s", err, got)
	}
	again, err := Replace(got, "speed", "| new |")
	if err != nil || again != got {
		t.Errorf("the second time it is another page: %v\n%s", err, again)
	}
}

func TestReplaceRefuses(t *testing.T) {
	for name, page := range map[string]string{
		"no section":      "# Figures\n",
		"no end":          "<!-- begin speed: by x -->\n",
		"two of the name": page + page,
		"the wrong order": "<!-- end speed -->\n<!-- begin speed: by x -->\n",
		"no line's end":   "<!-- end speed --><!-- begin speed: by x -->",
	} {
		if got, err := Replace(page, "speed", "text"); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestWriteAllOrNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.md")
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, map[string]string{"speed": "s", "weight": "w"}); err == nil {
		t.Error("a section that the page lacks is written")
	}
	if got := read(t, path); got != page {
		t.Errorf("a part is written:\n%s", got)
	}
	if err := Write(path, map[string]string{"speed": "fast", "size": "small"}); err != nil {
		t.Error(err)
	}
	if got := read(t, path); !strings.Contains(got, "\nfast\n") || !strings.Contains(got, "\nsmall\n") || strings.Contains(got, "old") {
		t.Errorf("written is\n%s", got)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
