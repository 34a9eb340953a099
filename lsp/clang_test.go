package lsp

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tidepool/lsp/internal/clang"
	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// clangProject serves files with a .tidepool of their own, where clangd keeps its index.
func clangProject(t *testing.T, files string) (*Project, string) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".tidepool"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, files)
	return open(t, dir, clangd(t)), dir
}

func clangd(t testing.TB) Language {
	language := clang.Language()
	language.Command = []string{lsptest.Program(t, "clangd")}
	return language
}

// clangUses are the references to what a name means, as "file:line:column", and what the answer is worth.
func clangUses(t *testing.T, p *Project, name string) ([]string, Completeness) {
	t.Helper()
	v := view(t, p)
	found := clangAsk(t, p, v, name)
	return found, v.Completeness()
}

func clangAsk(t *testing.T, p *Project, v *View, name string) []string {
	t.Helper()
	symbols, err := v.Symbols(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range symbols {
		if !answers(s, name) {
			continue
		}
		found, err := v.References(t.Context(), s.Location, true)
		var late *workspace.StartingError // on a machine that does much else
		if err != nil && !(errors.As(err, &late) && v.Completeness().State == Indexing) {
			t.Fatal(err)
		}
		all = append(all, clangPlaces(p, found)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func clangPlaces(p *Project, list []Location) []string {
	var all []string
	for _, l := range list {
		all = append(all, strings.Join([]string{p.workspace.Main.Relative(l.Path), strconv.Itoa(l.Range.Start.Line), strconv.Itoa(l.Range.Start.Column)}, ":"))
	}
	return all
}

const clangSum3 = `
-- .clangd --
-- include/sum.h --
#ifndef SUM_H
#define SUM_H
struct pair { int first, second; };
int sum(struct pair p);
#define SUM(a, b) sum((struct pair){a, b})
#endif
-- src/sum.c --
#include "sum.h"
int sum(struct pair p) { return p.first + p.second; }
-- src/main.c --
#include <stdio.h>
#include "sum.h"
int main(void) {
	printf("%d", SUM(1, 2));
	return sum((struct pair){3, 4});
}
-- src/other.c --
#include "../include/sum.h"
int other(void) { return sum((struct pair){.second = 5}); }
`

func TestClangPlainSources(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangSum3)
	want := []string{"include/sum.h:4:5", "src/main.c:4:15", "src/main.c:5:9", "src/other.c:2:26", "src/sum.c:2:5"}
	check := func(what string, want ...string) {
		t.Helper()
		got, c := clangUses(t, p, "sum")
		if !slices.Equal(got, want) || c.State != Complete {
			t.Errorf("%s: %v, %s %s\nwant %v", what, got, c.State, c.Reason, want)
		}
	}
	check("at the start", want...)
	put(t, filepath.Join(dir, "src/other.c"), "#include \"sum.h\"\n\nint another(void) { return sum((struct pair){6, 7}); }\n")
	check("after a change", "include/sum.h:4:5", "src/main.c:4:15", "src/main.c:5:9", "src/other.c:3:28", "src/sum.c:2:5")
	put(t, filepath.Join(dir, "src/more.c"), "#include \"sum.h\"\nint more(void) { return sum((struct pair){6, 7}); }\n")
	check("with a new file", "include/sum.h:4:5", "src/main.c:4:15", "src/main.c:5:9", "src/more.c:2:25", "src/other.c:3:28", "src/sum.c:2:5")
	header, err := os.ReadFile(filepath.Join(dir, "include/sum.h"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "include/sum.h"), strings.Replace("\n"+string(header), "sum((struct pair){a, b})", "(a + b)", 1))
	check("after a change of a header", "include/sum.h:5:5", "src/main.c:5:9", "src/more.c:2:25", "src/other.c:3:28", "src/sum.c:2:5")
	os.Remove(filepath.Join(dir, "src/other.c"))
	check("after a deletion", "include/sum.h:5:5", "src/main.c:5:9", "src/more.c:2:25", "src/sum.c:2:5")
	put(t, filepath.Join(dir, "src/other.c"), "#include \"sum.h\"\nint other(void) { return sum((struct pair){6, 7}); }\n")
	put(t, filepath.Join(dir, "include/sum.h"), string(header))
	check("and back", want[0], want[1], want[2], "src/more.c:2:25", want[3], want[4])
}

func TestClangSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	p, _ := clangProject(t, `
-- .clangd --
-- one.c --
int used(void) { return 1; }
int plain(void) { return used(); }
#ifdef NEVER
int never(void) { return used(); } /* plain */
#else
int always(void) { return plain(); }
#endif
-- often.c --
#ifndef NEVER
int often(void);
int more(void) { return often() + often() + often() + often() + often(); }
#else
int less(void) { return often(); }
#endif
-- table.c --
enum { FIRST, SECOND };
int table[] = {[FIRST] = 1, SECOND};
int second(int *t) { return t[SECOND] == FIRST; }
-- generic.cpp --
struct Known { int size(); int same(); };
int same(int n) { return n; }
template <typename T> int sizes(T t, Known k) {
	return t.size() + same(1);
}
int sizes(Known k) { return sizes<Known>(k, k) + k.size(); }
-- broken.c --
#include "missing.h"
int broken(void) { return lost() + 1; }
-- lacking.h --
#include "absent.h"
-- through.c --
#include "lacking.h"
int through(void) { return behind() + 1; }
`)
	for name, want := range map[string]string{
		"used":       "one.c:4 mentions used but is left out by #if",
		"plain":      "",
		"often":      "often.c:5 mentions often but is left out by #if",
		"always":     "",
		"FIRST":      "",
		"SECOND":     "",
		"Known.size": "generic.cpp:4 mentions size but stands in a template, where clangd does not know what it means",
		"Known.same": "",
		"lost":       "broken.c mentions lost but does not compile: 'missing.h' file not found",
		"behind":     "through.c mentions behind but does not compile: In included file: 'absent.h' file not found",
	} {
		if _, c := clangUses(t, p, name); c.Reason != want || (c.State == Complete) != (want == "") {
			t.Errorf("%s: %s %q, want %q", name, c.State, c.Reason, want)
		}
	}
}

func TestClangCommands(t *testing.T) {
	t.Parallel()
	const uses = `
-- a/one.h --
int one(void);
-- b/one.h --
int other(void);
-- src/main.c --
#include "one.h"
int main(void) { return
#ifdef SECOND
	other();
#else
	one();
#endif
}
-- src/one.c --
int one(void) { return 1; }
-- src/other.c --
int other(void) { return 2; }
`
	for how, test := range map[string]struct{ files, name, want string }{
		"compile_flags.txt":     {"-- compile_flags.txt --\n-I\na\n", "one", "src/main.c:6:2"},
		"compile_commands.json": {"-- compile_commands.json --\n[{\"directory\": \"src\", \"file\": \"main.c\", \"command\": \"cc -DSECOND -I ../b -c main.c\"}]\n", "other", "src/main.c:4:2"},
		"in a directory": {"-- CMakeLists.txt --\n-- build/compile_commands.json --\n" +
			"[{\"directory\": \"..\", \"file\": \"src/main.c\", \"arguments\": [\"cc\", \"-DSECOND\", \"-Ib\", \"-c\", \"src/main.c\"]}]\n", "other", "src/main.c:4:2"},
	} {
		t.Run(how, func(t *testing.T) {
			p, _ := clangProject(t, test.files+uses)
			if got, _ := clangUses(t, p, test.name); !slices.Contains(got, test.want) {
				t.Errorf("uses of %s: %v, want %s among them", test.name, got, test.want)
			}
		})
	}
}

func TestClangCommandsThatChange(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, "-- compile_flags.txt --\n-DFIRST\n-- main.c --\nint one(void), two(void);\nint main(void) {\n#ifdef FIRST\n\treturn one();\n#else\n\treturn two();\n#endif\n}\n")
	const command = `[{"directory": "..", "file": "main.c", "command": "cc -c main.c"}]`
	for _, step := range []struct{ file, content, name string }{
		{"", "", "one"},
		{"compile_flags.txt", "-DSECOND\n", "two"},
		{"compile_flags.txt", "-DFIRST\n", "one"},
		{"build/compile_commands.json", command, "two"},
		{".clangd", "CompileFlags:\n  Add: -DFIRST\n", "one"},
	} {
		if step.file != "" {
			put(t, filepath.Join(dir, step.file), step.content)
		}
		if step.file != "" && strings.HasPrefix(step.file, ".") {
			put(t, filepath.Join(dir, "more.c"), "") // nobody follows hidden files: it is seen with the next change
		}
		if got, _ := clangUses(t, p, step.name); len(got) != 2 {
			t.Errorf("with %q in %s: %v, want a declaration and a call of %s", step.content, step.file, got, step.name)
		}
	}
}

func TestClangSymbols(t *testing.T) {
	t.Parallel()
	p, _ := clangProject(t, `
-- .clangd --
-- shapes.hpp --
namespace ui {
class Shape {
public:
	virtual double area() const = 0;
	struct Style { int width; };
};
enum class Mode { Fast, Slow };
union Either { int whole; };
using Alias = Shape;
double total(const Shape &s);
}
-- shapes.cpp --
#include "shapes.hpp"
namespace ui {
struct Circle : Shape { Circle(int r); double area() const override; };
Circle::Circle(int r) {}
double Circle::area() const { return 1; }
double total(const Shape &s) { return s.area(); }
}
-- plain.c --
typedef struct { int x; } point;
enum colour { RED, GREEN };
`)
	for name, want := range map[string][]string{
		"total":       {"function ui.total shapes.cpp:6"},
		"Shape.area":  {"method ui.Shape.area shapes.hpp:4"},
		"Circle.area": {"method ui.Circle.area shapes.cpp:5"},
		"Circle":      {"method ui.Circle.Circle shapes.cpp:4", "struct ui.Circle shapes.cpp:3"},
		"Style.width": {"field ui.Shape.Style.width shapes.hpp:5"},
		"Mode.Fast":   {"enum member ui.Mode.Fast shapes.hpp:7"},
		"Either":      {"struct ui.Either shapes.hpp:8"},
		"Alias":       {"type ui.Alias shapes.hpp:9"},
		"ui.Shape":    {"class ui.Shape shapes.hpp:2"},
		"point":       {"type point plain.c:1"},
		"RED":         {"enum member RED plain.c:2"},
	} {
		found, err := view(t, p).Symbols(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found {
			full := strings.TrimLeft(strings.Join([]string{s.Package, s.Receiver, s.Name}, "."), ".")
			got = append(got, string(s.Kind)+" "+strings.ReplaceAll(full, "..", ".")+" "+p.workspace.Main.Relative(s.Location.Path)+":"+strconv.Itoa(s.Location.Range.Start.Line))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestClangFindsWhatTheServerDoesNotList(t *testing.T) {
	t.Parallel()
	p, _ := clangProject(t, `
-- .clangd --
-- table.h --
enum { FIRST, SECOND };
#define TWICE(x) ((x) + (x))
#define NONE FIRST
-- table.c --
#include "table.h"
int table[] = {[FIRST] = 1, [SECOND] = TWICE(3)};
-- other.c --
enum other { FIRST };
int other[] = {[FIRST] = 2};
`)
	for name, want := range map[string]string{
		"table.h:FIRST": "table.c:2:17 table.h:1:8",
		"SECOND":        "table.c:2:30 table.h:1:15",
		"TWICE":         "table.c:2:40 table.h:2:9",
	} {
		file, name, qualified := strings.Cut(name, ":")
		if !qualified {
			file, name = "", file
		}
		v := view(t, p)
		symbols, err := v.Symbols(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range symbols {
			if qualified && p.workspace.Main.Relative(s.Location.Path) != file {
				continue
			}
			found, err := v.References(t.Context(), s.Location, true)
			if err != nil {
				t.Fatal(err)
			}
			got := clangPlaces(p, found)
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %v, want %s", name, got, want)
			}
		}
		if len(symbols) == 0 {
			t.Errorf("%s is not found", name)
		}
	}
	found, err := view(t, p).Symbols(t.Context(), "TWICE")
	if err != nil || len(found) != 1 || found[0].Kind != KindFunction {
		t.Errorf("TWICE: %+v, %v; want one function", found, err)
	}
}
