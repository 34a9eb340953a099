package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

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
	language := clang()
	language.Command = []string{lsptest.Program(t, "clangd")}
	return language
}

// clangUses are the references to what a name means, as "file:line:column", and what the answer is worth.
func clangUses(t *testing.T, p *Project, name string) ([]string, Completeness) {
	t.Helper()
	v := view(t, p)
	symbols, err := v.Symbols(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range symbols {
		if !s.answers(name) {
			continue
		}
		found, err := v.References(t.Context(), s.Location, true)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, clangPlaces(p, found)...)
	}
	slices.Sort(all)
	return slices.Compact(all), v.Completeness()
}

func clangPlaces(p *Project, list []Location) []string {
	var all []string
	for _, l := range list {
		all = append(all, strings.Join([]string{p.relative(l.Path), strconv.Itoa(l.Range.Start.Line), strconv.Itoa(l.Range.Start.Column)}, ":"))
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
