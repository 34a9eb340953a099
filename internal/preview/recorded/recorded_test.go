package recorded

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// What a person looks for stands in the output, there are six cases of each program, and half of them are kept apart.
func TestCases(t *testing.T) {
	cases, err := Cases("testdata")
	if err != nil {
		t.Fatal(err)
	}
	all, kept := make(map[string]int), make(map[string]int)
	for _, c := range cases {
		out, err := ReadOutput("testdata", c.Name)
		if err != nil {
			t.Fatal(err)
		}
		if missing := c.Missing(ansi.Strip(out.Stdout + "\n" + out.Stderr)); len(missing) > 0 || len(c.Look) == 0 || out.Exit == 0 {
			t.Errorf("%s exits %d, looks for %q, its output lacks %q", c.Name, out.Exit, c.Look, missing)
		}
		all[c.Program()]++
		if c.IsKept() {
			kept[c.Program()]++
		}
	}
	for program, n := range all {
		if n < 6 || kept[program] != n/2 {
			t.Errorf("%s: %d cases, %d kept apart", program, n, kept[program])
		}
	}
	if len(all) < 14 {
		t.Errorf("programs: %v", all)
	}
}

// What is written is read again.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	out := Output{Exit: 3, Stdout: "\x1b[31mé\n", Stderr: "oh"}
	if err := WriteOutput(dir, "a-1", out); err == nil {
		t.Error("an output is written into a directory that is not there")
	}
	if err := os.Mkdir(filepath.Join(dir, "outputs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteOutput(dir, "a-1", out); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadOutput(dir, "a-1"); got != out || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// A file of a case is a template, and may stand for several.
func TestExpand(t *testing.T) {
	files, err := expand("p{1..2}/a.go", "package p<%n%>\n<%range seq 1 2%>var v<%.%> int\n<%end%>")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files[1] != (File{"p2/a.go", "package p2\nvar v1 int\nvar v2 int\n"}) {
		t.Errorf("%q", files)
	}
}
