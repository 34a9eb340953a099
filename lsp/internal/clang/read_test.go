package clang

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp/internal/text"
	"tidepool/lsp/lsptest"
)

func TestRead(t *testing.T) {
	source := read(strings.Join([]string{
		`#ifndef GUARD_H`, // 1
		`#define GUARD_H`,
		`/* #include "no.h" */ #include "a/b.h" // "c.h"`,
		`  #  include <stdio.h>`,
		`#include MACRO`,
		`const char *s = "#if // \" /*", c = '"';`,
		`int open(void);`,
		`#if 0 && \`,
		`    OTHER`,
		`int out(void) { return open(); } /* hidden */`, // 10
		`#endif`,
		`auto raw = R"x(`,
		`#include "raw.h"`,
		`)x"; int behind;`,
		`template <class T> int size(T t) { return t.inner(); }`,
		`int plain; int table[] = {[FIRST] = 1, [1] = SECOND}, x = table[plain] == 2;`,
		`#endif`,
	}, "\n"))
	if want := []string{"a/b.h", "stdio.h"}; !slices.Equal(source.includes, want) || !slices.Equal(source.computed, []string{"MACRO"}) {
		t.Errorf("includes %q, computed %v; want %q and MACRO", source.includes, source.computed, want)
	}
	want := map[string]doubt{
		"out":   {text.Position{Line: 10, Column: 5}, leftOut},
		"open":  {text.Position{Line: 10, Column: 24}, leftOut},
		"inner": {text.Position{Line: 15, Column: 45}, dependent},
	}
	for name, place := range want {
		if got := source.doubtful[name]; len(got) != 1 || got[0] != place {
			t.Errorf("%s: %v, want %v", name, got, place)
		}
	}
	if got, want := source.designators["FIRST"], []text.Position{{Line: 16, Column: 28}}; !slices.Equal(got, want) || len(source.designators) != 1 {
		t.Errorf("designators %v, want FIRST at %v", source.designators, want)
	}
	if got, want := source.macros["GUARD_H"], []text.Position{{Line: 2, Column: 9}}; !slices.Equal(got, want) || len(source.macros) != 1 {
		t.Errorf("macros %v, want GUARD_H at %v", source.macros, want)
	}
	for _, name := range []string{"FIRST", "hidden", "OTHER", "behind", "plain", "SECOND", "table", "raw", "MACRO"} {
		if got := source.doubtful[name]; len(got) > 0 {
			t.Errorf("%s is doubtful: %v", name, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"#", "\"", "R\"(", "/*", "#if\\", "#include <", "[a] =", "template", "'", "#include \"\n\"", "#include"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for name, places := range read(text).doubtful {
			for _, p := range places {
				if p.at.Line < 1 || p.at.Line > lines || p.at.Column < 1 || !strings.Contains(text, name) {
					t.Errorf("%q at %v of %q", name, p.at, text)
				}
			}
		}
	})
}

func TestClangIncludes(t *testing.T) {
	files := map[string]source{
		"/p/a.c":       {includes: []string{"x.h", "stdio.h"}},
		"/p/b.c":       {includes: []string{"lib/y.h"}},
		"/p/c.cpp":     {computed: []string{"ANY"}},
		"/p/e.c":       {computed: []string{"NONE", "W_H"}},
		"/p/lib/w.h":   {},
		"/p/lib/x.h":   {includes: []string{"../other/y.h"}},
		"/p/lib/y.h":   {},
		"/p/other/y.h": {},
		"/p/alone.h":   {includes: []string{"alone.h"}},
		"/p/d.c":       {includes: []string{"link/z.h", "link/y.h"}},
		"/p/lib/z.h":   {},
	}
	g := includesOf(files, map[string][]string{"NONE": nil, "W_H": {"lib/w.h"}})
	for changed, want := range map[string]string{
		"/p/other/y.h": "/p/a.c /p/c.cpp /p/d.c /p/lib/x.h /p/other/y.h",
		"/p/lib/y.h":   "/p/b.c /p/c.cpp /p/d.c /p/lib/y.h",
		"/p/lib/z.h":   "/p/c.cpp /p/d.c /p/lib/z.h",
		"/p/lib/w.h":   "/p/c.cpp /p/e.c /p/lib/w.h",
		"/p/alone.h":   "/p/alone.h /p/c.cpp",
		"":             "",
	} {
		var of []string
		if changed != "" {
			of = append(of, changed)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(g.users(of))), " "); got != want {
			t.Errorf("a change of %s concerns %s, want %s", changed, got, want)
		}
	}
	if got := g.unit("/p/other/y.h"); got != "/p/a.c" {
		t.Errorf("other/y.h is included by %q", got)
	}
	if got := g.unit("/p/lib/z.h"); got != "/p/d.c" {
		t.Errorf("lib/z.h is included by %q", got)
	}
	if got, want := g.dirs(files), []string{"/p", "/p/lib"}; !slices.Equal(got[:1], want[:1]) || !slices.Contains(got, "/p/lib") {
		t.Errorf("directories %q, want %q among them", got, want)
	}
}

func TestClangWords(t *testing.T) {
	for command, want := range map[string][]string{
		`cc -c a.c`:                         {"cc", "-c", "a.c"},
		`cc  -DX=\"y z\" 'a b'.c "" "c\"d"`: {"cc", `-DX="y`, `z"`, "a b.c", "", `c"d`},
		``:                                  nil,
		`'open`:                             {"open"},
		`"-I\a" '\'`:                        {"-Ia", `\`},
	} {
		if got := words(command); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestClangDatabase(t *testing.T) {
	dir := t.TempDir()
	lsptest.Write(t, dir, `
-- compile_commands.json --
[{"directory": "src", "file": "a.c", "arguments": ["cc", "-DROOT", "-c", "a.c"]}]
-- build/compile_commands.json --
[{"directory": "../src", "file": "a.c", "command": "cc -DBUILD a.c"}, {"directory": "../src", "file": "b.cpp", "command": "c++ -DBUILD -o b.o -- b.cpp"}]
-- broken/compile_commands.json --
[{
`)
	db, err := readClangDatabase(databases([]string{dir}))
	if err == nil || !strings.Contains(err.Error(), "broken/compile_commands.json cannot be read") {
		t.Errorf("error %v, want one about the broken file", err)
	}
	for file, want := range map[string]string{
		"src/a.c":     "cc -DROOT -c a.c",
		"src/b.cpp":   "c++ -DBUILD -o b.o -- b.cpp",
		"src/new.c":   "cc -DROOT -c new.c",
		"src/new.cpp": "c++ -DBUILD -o b.o new.cpp",
	} {
		command, ok := db.of(filepath.Join(dir, file))
		got := strings.ReplaceAll(strings.Join(command.Args, " "), filepath.Join(dir, "src")+"/", "")
		if !ok || got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

func TestGuess(t *testing.T) {
	got := guess("/p", "/p/lib/deep/a.cpp", []string{"/p/include", "/p/lib", "/p/lib/deep"})
	want := []string{"clang++", "-std=gnu++17", "-I/p/lib/deep", "-I/p/lib", "-I/p/include", "/p/lib/deep/a.cpp"}
	if !slices.Equal(got.Args, want) || got.Dir != "/p" {
		t.Errorf("%q in %s, want %q", got.Args, got.Dir, want)
	}
}

// A list has uses of macros where declarations stand, and no guard: whoever includes it may do so again, with other macros.
func TestReadLists(t *testing.T) {
	for content, want := range map[string]bool{
		"X(alpha)\nX(beta)\n": true,
		"#ifndef X\n#define X(n)\n#endif\nX(alpha)\n#undef X\n":          true,
		"#define Y 1\n\n// what there is\nX (alpha),\n":                  true,
		"#pragma once\nX(alpha)\n":                                       false,
		"#ifndef A_H\n#define A_H\nX(alpha)\n#endif\n":                   false,
		"int f(int);\nstatic int\ng(int n);\n":                           false,
		"struct t {\nX(alpha)\n};\n":                                     false,
		"#define X(n) n,\n#define Y(n) \\\n\tX(n)\nint a[] = {1,\n2};\n": false,
	} {
		if got := read(content).lists; got != want {
			t.Errorf("%q lists: %v, want %v", content, got, want)
		}
	}
}

// Visual C++ has files of the same extension that list what a library exports.
func TestExports(t *testing.T) {
	for content, want := range map[string]bool{
		"LIBRARY \"a\"\nEXPORTS\n  open\n": true, "; exports\n\nEXPORTS\nopen @1\n": true, "NAME(open)\n": false, "LIBRARY (open)\n": false,
		"X(a)\nX(b)\n": false, "": false, "// EXPORTS\nX(a)": false,
	} {
		if got := exports(content); got != want {
			t.Errorf("%q exports: %v, want %v", content, got, want)
		}
	}
}

// The parameters of a function that a class stands in are no part of the scope.
func TestScope(t *testing.T) {
	for scope, want := range map[string]string{
		"a::b": "a b", "ns::T::run(std::string, int (*)(int))::Local": "ns T run Local", "ns::(anonymous union)::x": "ns x", "": "",
	} {
		if got := strings.Join(scopeOf(scope), " "); got != want {
			t.Errorf("%s is %q, want %q", scope, got, want)
		}
	}
}
