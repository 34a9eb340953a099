package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clangFinds says whether a name is found, and what the answer is worth.
func clangFinds(t *testing.T, p *Project, name string) (bool, Completeness) {
	t.Helper()
	v := view(t, p)
	symbols, err := v.Symbols(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Name == name {
			return true, v.Completeness()
		}
	}
	return false, v.Completeness()
}

// What files make of a list of macros stays known when somebody asks about the list itself, and when it changes. Once a client has it
// open, clangd forgets what it does not have by itself, and no answer about that is called complete.
func TestClangLists(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, `
-- hue.def --
HUE(red)
HUE(green)
-- hue.h --
enum hue {
#define HUE(name) HUE_##name,
#include "hue.def"
#undef HUE
};
-- hue.c --
#include "hue.h"
int is_red(enum hue h) { return h == HUE_red; }
`)
	list := filepath.Join(dir, "hue.def")
	check := func(name string, want bool) {
		t.Helper()
		if found, c := clangFinds(t, p, name); found != want || c.State != Complete {
			t.Errorf("%s: found %t, %+v", name, found, c)
		}
	}
	v := view(t, p)
	for _, path := range []string{list, filepath.Join(dir, "hue.c")} {
		if _, err := v.DocumentSymbols(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	for column := range 8 {
		if found, err := v.Definition(t.Context(), At(list, 1, column+1)); err != nil || len(found) > 0 {
			t.Errorf("column %d: %v, %v", column+1, found, err)
		}
	}
	check("HUE_red", true)
	put(t, list, "HUE(red)\nHUE(blue)\nHUE(pink)\n")
	check("HUE_blue", true)
	check("HUE_green", false)

	client := greeted(t, p)
	client.open(list, "HUE(red)\nHUE(blue)\nHUE(pink)\n")
	client.hears("diagnostics of the list", func(m message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "hue.def")
	})
	const reason = "hue.def was opened by itself, since when clangd does not know that macros make HUE_pink of it"
	if found, c := clangFinds(t, p, "HUE_pink"); found || c.State != Partial || !strings.Contains(c.Reason, reason) {
		t.Errorf("with the list open: found %t, %+v", found, c)
	}
}

// clangd since 15 takes in what the headers of a document declare some time after it has answered about the document: here they
// declare much. A list changes what another header declares, and so does a macro; one change is made by the document itself.
func TestClangHeadersBesideMuch(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, `
-- .clangd --
-- hue.def --
HUE(red)
HUE(green)
-- hue.h --
enum hue {
#define HUE(name) HUE_##name,
#include "hue.def"
#undef HUE
};
-- prefix.h --
#define PREFIX(name) first_##name
-- call.h --
int PREFIX(call)(void);
-- hue.c --
#include "big.h"
#include "hue.h"
#include "prefix.h"
#include "call.h"
#define ITEM one
#include "item.h"
int is_red(enum hue h) { return h == HUE_red; }
-- item.h --
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
int JOIN(item, ITEM)(void);
-- big.h --
`+clangDeclarations(25_000))
	finds := func(what, name string) {
		t.Helper()
		if found, c := clangFinds(t, p, name); !found || c.State != Complete {
			t.Errorf("%s: %s: found %t, %+v", what, name, found, c)
		}
	}
	change := func(file, from, to string) {
		t.Helper()
		path := filepath.Join(dir, file)
		data, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(data), from) {
			t.Fatalf("%s: %v", data, err)
		}
		put(t, path, strings.ReplaceAll(string(data), from, to))
	}
	if _, err := view(t, p).DocumentSymbols(t.Context(), "hue.c"); err != nil {
		t.Fatal(err)
	}
	finds("at first", "first_call")
	change("hue.def", "green", "blue")
	finds("a list", "HUE_blue")
	change("prefix.h", "first", "second")
	finds("a macro", "second_call")
	change("hue.c", "ITEM one", "ITEM two")
	finds("a macro of the document", "item_two")
	change("hue.def", "blue", "pink")
	finds("a list again", "HUE_pink")
	if found, _ := clangFinds(t, p, "tidepool_marker_0_2"); found {
		t.Error("a header of ours is taken for one of the project")
	}
}
