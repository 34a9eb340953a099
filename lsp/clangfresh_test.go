package lsp

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp/internal/text"
)

// clangMentions are all places where a name stands as a whole word in C.
func clangMentions(t *testing.T, dir, name string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		data, err := os.ReadFile(path)
		if ext := filepath.Ext(path); err != nil || ext != ".c" && ext != ".h" {
			return nil
		}
		relative, _ := filepath.Rel(dir, path)
		for n, line := range strings.Split(string(data), "\n") {
			for at := range line {
				if strings.HasPrefix(line[at:], name) && text.WordAt(line, at) == name {
					all = append(all, fmt.Sprintf("%s:%d:%d", filepath.ToSlash(relative), n+1, at+1))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// fresh checks that the next answer is right and says so.
func clangFresh(t *testing.T, p *Project, dir, what, name string) {
	t.Helper()
	got, c := clangUses(t, p, name)
	if want := clangMentions(t, dir, name); !slices.Equal(got, want) || c.State != Complete {
		t.Errorf("%s: uses of %s: %v, %s %s\nwant %v", what, name, got, c.State, c.Reason, want)
	}
}

// clangHeavyCallers are clangCallers, and a header so large that clangd is not told of each file by itself.
func clangHeavyCallers(n int, name string) string {
	var files strings.Builder
	files.WriteString(clangCallers(n, name) + "-- big.c --\n#include \"big.h\"\n-- big.h --\n" + clangDeclarations(25_000))
	return files.String()
}

// clangDeclarations are lines that declare a function each.
func clangDeclarations(n int) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "int declared_somewhere_%d(int n);\n", i)
	}
	return lines.String()
}

// callers are n files that call a function of a header, and open the header in each.
func clangCallers(n int, name string) string {
	var files strings.Builder
	fmt.Fprintf(&files, "-- .clangd --\n-- include/lib.h --\nint %s(int n);\n-- lib.c --\n#include \"lib.h\"\nint %[1]s(int n) { return n; }\n", name)
	for i := range n {
		fmt.Fprintf(&files, "-- src/f%d.c --\n#include \"lib.h\"\nint f%[1]d(void) { return %s(%[1]d); }\n", i, name)
	}
	return files.String()
}

func TestClangRenameInManyFiles(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangCallers(40, "before"))
	clangFresh(t, p, dir, "at first", "before")
	files, _ := filepath.Glob(filepath.Join(dir, "src/*.c"))
	for _, path := range append(files, filepath.Join(dir, "lib.c"), filepath.Join(dir, "include/lib.h")) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, strings.ReplaceAll(string(data), "before", "after"))
	}
	clangFresh(t, p, dir, "renamed", "after")
	if got, _ := clangUses(t, p, "before"); len(got) > 0 {
		t.Errorf("of the old name there is left %v", got)
	}
}

// The commands of many files come from a file. What has changed is seen as with few: a header that all include, before and after a
// restart, and headers that nobody includes, or nobody any more.
func TestClangManyFiles(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangHeavyCallers(150, "used"))
	write := func(name, text string) { put(t, filepath.Join(dir, name), text) }
	restart := func() {
		t.Helper()
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		p = open(t, dir, clangd(t))
	}
	clangFresh(t, p, dir, "at first", "used")
	for n := range 2 {
		write("include/lib.h", fmt.Sprintf("int used(int n);\nstatic inline int more(void) { return used(%d)%s; }\n", n, strings.Repeat(" + used(1)", n)))
		clangFresh(t, p, dir, fmt.Sprintf("change %d of the header that all include", n), "used")
	}
	restart()
	clangFresh(t, p, dir, "with another server", "used")
	write("src/f0.c", "#include \"lib.h\"\n#include \"own.h\"\nint f0(void) { return own(); }\n")
	write("src/own.h", "static inline int own(void) { return used(1); }\n")
	write("alone.h", "#include \"include/lib.h\"\nstatic inline int alone(void) { return used(1); }\n")
	clangFresh(t, p, dir, "with two headers more", "used")
	restart()
	clangFresh(t, p, dir, "with a third server", "used")
	write("src/own.h", "#include \"lib.h\"\nstatic inline int own(void) { return used(1) + used(2); }\n")
	write("src/f0.c", "#include \"lib.h\"\nint f0(void) { return used(0); }\n")
	clangFresh(t, p, dir, "one is not included any more", "used")
	restart()
	write("include/lib.h", "int used(int n);\nstatic inline int more(void) { return used(9); }\n")
	clangFresh(t, p, dir, "changed while the fourth starts", "used")
	if data, err := os.ReadFile(filepath.Join(dir, ".tidepool/clangd/compile_commands.json")); err != nil || !strings.Contains(string(data), "f149.c") {
		t.Errorf("the file of commands: %v, %d bytes", err, len(data))
	}
}

// A server that does not read the file of commands gets each command by itself. The file is empty then: the server may read it later.
func TestClangManyFilesToldOneByOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".tidepool"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, clangCallers(120, "used"))
	language := clangd(t)
	language.Command = append(language.Command, "--compile_args_from=lsp")
	p := open(t, dir, language)
	clangFresh(t, p, dir, "at first", "used")
	put(t, filepath.Join(dir, "include/lib.h"), "int used(int n);\nstatic inline int more(void) { return used(1); }\n")
	clangFresh(t, p, dir, "the header changed", "used")
	if data, err := os.ReadFile(filepath.Join(dir, ".tidepool/clangd/compile_commands.json")); err != nil || string(data) != "[]" {
		t.Errorf("the file of commands: %v, %s", err, data)
	}
}

// Headers of one base name are told apart, also one that no unit includes.
func TestClangHeadersOfOneName(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, `
-- .clangd --
-- lib.h --
int called(int n);
-- lib.c --
#include "lib.h"
int called(int n) { return n; }
-- a/x.h --
static inline int ax(void) { return called(1); }
-- b/x.h --
static inline int bx(void) { return called(2); }
-- a/a.c --
#include "../lib.h"
#include "x.h"
int a(void) { return ax(); }
-- b/b.c --
#include "../lib.h"
#include "x.h"
int b(void) { return bx(); }
`)
	restart := func(while func()) {
		t.Helper()
		p.Close(t.Context())
		while()
		p = open(t, dir, clangd(t))
	}
	header := func(name, text string) { put(t, filepath.Join(dir, name), text) }
	clangFresh(t, p, dir, "at first", "called")
	header("b/x.h", "static inline int bx(void) { return called(2) + called(3); }\n")
	clangFresh(t, p, dir, "one changed", "called")
	restart(func() {})
	clangFresh(t, p, dir, "started again", "called")
	header("c/x.h", "int called(int n);\nstatic inline int cx(void) { return called(2); }\n")
	clangFresh(t, p, dir, "one more, which nobody includes", "called")
	restart(func() { header("d/x.h", "int called(int n);\nstatic inline int dx(void) { return called(2); }\n") })
	clangFresh(t, p, dir, "one more meanwhile", "called")
	restart(func() { header("b/x.h", "static inline int bx(void) { return called(3) + called(4); }\n") })
	clangFresh(t, p, dir, "one changed meanwhile", "called")
}

func TestClangCheckoutBackAndForth(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangCallers(5, "old"))
	git := func(args ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.test"}, args...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	put(t, filepath.Join(dir, ".gitignore"), ".tidepool/\n")
	git("add", ".")
	git("commit", "-q", "-m", "old")
	git("checkout", "-q", "-b", "other")
	put(t, filepath.Join(dir, "include/lib.h"), "\n\nint old(int n), young(int n);\n")
	put(t, filepath.Join(dir, "src/f0.c"), "#include \"lib.h\"\nint f0(void) { return young(0); }\n")
	os.Remove(filepath.Join(dir, "src/f1.c"))
	put(t, filepath.Join(dir, "src/more.c"), "#include \"lib.h\"\nint more(void) { return old(1); }\nint most(void) { return young(2); }\n")
	git("add", ".")
	git("commit", "-q", "-m", "young")
	for range 2 {
		for _, branch := range []string{"main", "other"} {
			git("checkout", "-q", branch)
			clangFresh(t, p, dir, branch, "old")
			if branch == "other" {
				clangFresh(t, p, dir, branch, "young")
			}
		}
	}
}

// A header that changes what its users call must not leave the old meaning behind, be they documents that are open, that
// were open, or that never were; nor in an index that is on the disk when the next server starts.
func TestClangHeaderDecides(t *testing.T) {
	t.Parallel()
	const one, two = "int one(void), two(void);\n#define CALL() one()\n", "int one(void), two(void);\n#define CALL() two()\n"
	files := "-- .clangd --\n-- call.h --\n" + one + "-- one.c --\nint one(void) { return 1; }\n-- two.c --\nint two(void) { return 2; }\n"
	var calls []string
	for i := range 3 {
		files += fmt.Sprintf("-- f%d.c --\n#include \"call.h\"\nint f%[1]d(void) { return CALL(); }\n", i)
		calls = append(calls, fmt.Sprintf("f%d.c:2:23", i))
	}
	p, dir := clangProject(t, files)
	check := func(what, called, other string) {
		t.Helper()
		called1, c := clangUses(t, p, called)
		other1, _ := clangUses(t, p, other)
		for _, call := range calls {
			if !slices.Contains(called1, call) || slices.Contains(other1, call) || c.State != Complete {
				t.Errorf("%s: %s has %v, %s has %v, %s", what, called, called1, other, other1, c.Reason)
			}
		}
	}
	check("at first", "one", "two")
	if _, err := view(t, p).DocumentSymbols(t.Context(), "f0.c"); err != nil { // now it is open
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "call.h"), two)
	check("the header changed", "two", "one")
	put(t, filepath.Join(dir, "call.h"), one)
	check("and back", "one", "two")
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "call.h"), two)
	p = open(t, dir, clangd(t))
	check("while no server ran", "two", "one")
}

func TestClangLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangCallers(2, "used"))
	clangFresh(t, p, dir, "at first", "used")
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{".clangd", ".tidepool", "include", "lib.c", "src"}; !slices.Equal(names, want) {
		t.Errorf("in the project there are %v, want %v", names, want)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, ".tidepool/clangd/tmp")); len(left) > 0 {
		t.Errorf("there are %d temporary files left", len(left))
	}
}

func TestClangWorktrees(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, clangCallers(2, "used")+"-- .gitignore --\n.tidepool/\n")
	other := filepath.Join(t.TempDir(), "other")
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "first"}, {"worktree", "add", "-q", "--detach", other},
	} {
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.test"}, args...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for _, tree := range []string{dir, other} {
		if err := os.Mkdir(filepath.Join(tree, ".tidepool"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, dir, clangd(t))
	put(t, filepath.Join(other, "src/f1.c"), "#include \"lib.h\"\n\nint f1(void) { return used(1); }\n")
	for _, tree := range []string{dir, other, dir} {
		v, err := p.View(t.Context(), ViewOptions{Dir: tree})
		if err != nil {
			t.Fatal(err)
		}
		got, want := clangAsk(t, p, v, "used"), clangMentions(t, tree, "used")
		for i, at := range got {
			got[i] = strings.TrimPrefix(at, tree+"/")
		}
		slices.Sort(got)
		if c := v.Completeness(); !slices.Equal(got, want) || c.State != Complete {
			t.Errorf("in %s: %v, %s %s\nwant %v", tree, got, c.State, c.Reason, want)
		}
	}
}
