package lsp

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp/internal/text"
)

// A dialect says the same things in one language: alpha is declared in the directory home, and called elsewhere.
type dialect struct {
	language func(t testing.TB) Language
	files    string // txtar: manifests, and the home of alpha
	caller   string // of a file that calls alpha; %s is the way up to the root, %d the number of its function
	broken   string // a line after that which does not compile
	ext      string
}

func dialects() map[string]dialect {
	return map[string]dialect{
		"go": {
			language: gopls,
			files:    "-- go.mod --\nmodule example.com/shop\n\ngo 1.26\n-- home/home.go --\npackage home\n\nfunc Alpha(n int) int { return n }\n",
			caller:   "package p\n\nimport . \"example.com/shop/home\" // %s\n\nfunc F%d() {\n\tAlpha(1)\n}\n",
			broken:   "func broken() { undefined() }\n",
			ext:      ".go",
		},
		"typescript": {
			language: typescriptHere,
			files: "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\"}}\n" +
				"-- home/home.ts --\nexport function Alpha(n: number) {\n  return n;\n}\n",
			caller: "import { Alpha } from \"%shome/home\";\n\nexport function F%d() {\n  return Alpha(1);\n}\n",
			broken: "missing();\n",
			ext:    ".ts",
		},
		"python": {
			language: pyright,
			files:    "-- pyproject.toml --\n[project]\nname = \"shop\"\n-- home/__init__.py --\n-- home/home.py --\ndef Alpha(n):\n    return n\n",
			caller:   "from home.home import Alpha  # %s\n\n\ndef F%d():\n    return Alpha(1)\n",
			broken:   "missing()\n",
			ext:      ".py",
		},
		"c": {
			language: clangd,
			files:    "-- .clangd --\n-- home/home.h --\nint Alpha(int n);\n-- home/home.c --\n#include \"home.h\"\nint Alpha(int n) { return n; }\n",
			caller:   "#include \"%shome/home.h\"\n\nint F%d(void) {\n\treturn Alpha(1);\n}\n",
			broken:   "int broken(void) { return missing; }\n",
			ext:      ".c",
		},
	}
}

// A street is a project of a dialect with 40 callers.
type street struct {
	dialect
	dir     string
	project *Project
}

func (s street) call(dir string, n int) string {
	up := strings.Repeat("../", strings.Count(dir, "/")+1)
	return fmt.Sprintf(s.caller, up, n)
}

// build lays the files out on a branch, with another one that has no directory in common with it but home.
func (s street) build(t *testing.T) {
	write(t, s.dir, s.files)
	put(t, filepath.Join(s.dir, ".gitignore"), ".tidepool\n.cache\ngen\n")
	for i := range 40 {
		dir := fmt.Sprintf("p%02d", i)
		name := "same"
		if i < 20 {
			name = fmt.Sprintf("f%02d", i)
		}
		put(t, filepath.Join(s.dir, dir, name+s.ext), s.call(dir, i))
	}
	git(t, s.dir, "init", "-q")
	git(t, s.dir, "add", ".")
	git(t, s.dir, "commit", "-qm", "first")
	git(t, s.dir, "checkout", "-qb", "other")
	for i := range 40 {
		dir := fmt.Sprintf("p%02d", i)
		if i < 20 {
			git(t, s.dir, "rm", "-qr", dir)
		} else {
			git(t, s.dir, "mv", dir, fmt.Sprintf("q%02d", i))
		}
	}
	git(t, s.dir, "commit", "-qm", "second")
	git(t, s.dir, "checkout", "-q", "-")
}

// shell runs a command as people do.
func (s street) shell(t *testing.T, command string) {
	t.Helper()
	cmd := exec.Command("sh", "-ec", command)
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// truth are the calls of a name outside of home, as "path:line".
func (s street) truth(t *testing.T, name string) []string {
	var all []string
	err := filepath.WalkDir(s.dir, func(path string, entry os.DirEntry, err error) error {
		below := s.project.workspace.Main.Relative(path)
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, s.ext) || atHome(below) || strings.HasPrefix(below, ".") {
			return err
		}
		data, err := os.ReadFile(path)
		for i, line := range strings.Split(string(data), "\n") {
			if strings.Contains(line, name+"(") {
				all = append(all, fmt.Sprintf("%s:%d", below, i+1))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// atHome says of a file whether it is where alpha is declared.
func atHome(below string) bool {
	return strings.HasPrefix(below, "home/") || strings.HasPrefix(below, "lib/")
}

// answer are the same by a new View, and what it says that they are worth.
func (s street) answer(t *testing.T, name string) ([]string, Completeness) {
	t.Helper()
	v := view(t, s.project)
	symbols, err := v.Symbols(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, symbol := range symbols {
		if symbol.Name != name {
			continue
		}
		refs, err := v.References(t.Context(), symbol.Location, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			line := text.NewFiles(&s.project.workspace.NonASCII).Of(ref.Path).Line(ref.Range.Start.Line - 1)
			if below := s.project.workspace.Main.Relative(ref.Path); !atHome(below) && strings.Contains(line, name+"(") {
				found[fmt.Sprintf("%s:%d", below, ref.Range.Start.Line)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), v.Completeness()
}

// replays are what commands do to a street; each is asked about at once.
func (s street) replays() []replay {
	file := func(name string) string { return name + s.ext }
	caller := func(dir string) func(*testing.T) {
		return func(t *testing.T) { put(t, filepath.Join(s.dir, dir, file("new")), s.call(dir, 99)) }
	}
	shell := func(command string) func(*testing.T) { return func(t *testing.T) { s.shell(t, command) } }
	return []replay{
		{"nothing", "Alpha", shell("true")},
		{"a file more", "Alpha", caller("p00")},
		{"a directory more", "Alpha", caller("p50")},
		{"a directory deep below", "Alpha", caller("x/y/z")},
		{"where git does not look", "Alpha", caller("gen/made")},
		{"gone", "Alpha", shell("rm -r x p50 gen p00/" + file("new"))},
		{"renamed everywhere", "Omega", shell("sed -i s/Alpha/Omega/g home/* p*/*")},
		{"no more", "Alpha", shell("true")},
		{"and back", "Alpha", shell("sed -i s/Omega/Alpha/g home/* p*/*")},
		{"another branch", "Alpha", shell("git checkout -q other")},
		{"back", "Alpha", shell("git checkout -q -")},
		{"another branch again", "Alpha", shell("git checkout -q other")},
		{"back again", "Alpha", shell("git checkout -q -")},
		{"there and back and there", "Alpha", shell("git checkout -q other; git checkout -q -; git checkout -q -")},
		{"the first for good", "Alpha", shell("git checkout -q -")},
		{"an edit", "Alpha", shell("sed -i 's/Alpha(1)/Alpha(2)/' p01/" + file("f01"))},
		{"a formatter of all", "Alpha", shell("for f in p*/*; do { echo; echo; cat $f; } >$f.tmp; mv $f.tmp $f; done")},
		{"and of home", "Alpha", shell("for f in home/*; do { echo; cat $f; } >tmp; cat tmp >$f; done; rm tmp")},
		{"all as before", "Alpha", shell("git checkout -q .")},
		{"a directory renamed", "Alpha", shell("mv p02 r02")},
		{"and another in its place", "Alpha", shell("mv p03 p02; mv r02 p03")},
		{"directories deleted", "Alpha", shell("rm -r p02 p03 p04 p05")},
		{"one file in the place of another", "Alpha", shell("cp p06/" + file("f06") + " tmp; mv tmp p07/" + file("f07"))},
		{broken, "Alpha", func(t *testing.T) { s.append(t, "p08/"+file("f08"), s.broken) }},
		{"mended", "Alpha", shell("git checkout -q p08")},
		{broken, "Alpha", shell("cp -p p09/" + file("f09") + " tmp; sed -i 's/Alpha(1)/None(22)/' p09/" + file("f09") +
			"; touch -r tmp p09/" + file("f09") + "; rm tmp")},
		{"all of it back", "Alpha", shell("git checkout -q .")},
		{"home elsewhere, and back", "Alpha", shell("mv home away; mv away home")},
		{"home moved", "Alpha", shell("mv home lib; sed -i -e 's,home/home,lib/home,' -e 's,shop/home,shop/lib,' -e 's,from home.,from lib.,' p*/*")},
		{"home gone", "", shell("rm -r lib")},
		{"and there again", "Alpha", shell("git checkout -q .")},
	}
}

// broken is the title of replays after which a file does not compile.
const broken = "a file that does not compile"

// A replay changes the disk; then name is asked for, "" for Alpha that is declared nowhere.
type replay struct {
	title, name string
	do          func(t *testing.T)
}

func (s street) append(t *testing.T, name, text string) {
	path := filepath.Join(s.dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(data)+text)
}

// TestFreshLanguages replays what commands do, in every language, and compares the first answer after it with what
// stands in the files. Every other time a hook has told of a command, as those of Claude Code do.
func TestFreshLanguages(t *testing.T) {
	t.Parallel()
	for name, d := range dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d.street(t).play(t)
		})
	}
}

// TestFreshWithoutAWatch does so where the kernel does not tell of changes.
func TestFreshWithoutAWatch(t *testing.T) {
	t.Parallel()
	s := dialects()["go"].street(t)
	s.project.workspace.Main.Close()
	s.play(t)
}

// street opens a project.
func (d dialect) street(t *testing.T) street {
	s := street{dialect: d, dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(s.dir, ".tidepool"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.build(t)
	s.project = open(t, s.dir, d.language(t))
	return s
}

func (s street) play(t *testing.T) {
	for i, r := range s.replays() {
		r.do(t)
		if i%2 == 0 {
			s.project.FilesChanged(s.dir)
		}
		if r.name == "" {
			s.answer(t, "Alpha")
			continue
		}
		want := s.truth(t, r.name)
		got, c := s.answer(t, r.name)
		if diff := cmp.Diff(want, got); diff != "" || c.State != Complete && r.title != broken {
			t.Errorf("%s: %s %s (-there +answered)\n%s", r.title, c.State, c.Reason, diff)
		}
	}
}
