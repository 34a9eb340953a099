package lsp

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linked is a project whose header x.h is included through a link.
func linked(t *testing.T, include, link, target string) (*Project, string) {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, ".tidepool"), 0o700), os.Symlink(target, filepath.Join(dir, link))); err != nil {
		t.Fatal(err)
	}
	write(t, dir, `
-- .clangd --
-- real/lib.h --
int called(int n);
-- real/x.h --
static inline int ax(void) { return called(1); }
-- a.c --
#include "real/lib.h"
#include "`+include+`"
int a(void) { return ax() + called(2); }
`)
	return open(t, dir, clangd(t)), dir
}

// A header that is included through a link to its directory is read again with those who include it.
func TestClangThroughALinkedDirectory(t *testing.T) {
	t.Parallel()
	p, dir := linked(t, "link/x.h", "link", "real")
	clangFresh(t, p, dir, "at first", "called")
	put(t, filepath.Join(dir, "real/x.h"), "static inline int ax(void) { return called(1) + called(3); }\n")
	clangFresh(t, p, dir, "changed", "called")
	p.Close(t.Context())
	put(t, filepath.Join(dir, "real/x.h"), "static inline int ax(void) { return called(4) + called(1) + called(3); }\n")
	p = open(t, dir, clangd(t))
	clangFresh(t, p, dir, "changed meanwhile", "called")
}

// clangd keeps nothing of a header that is included by the name of a link to it, which the answer says.
func TestClangThroughALinkedHeader(t *testing.T) {
	t.Parallel()
	p, dir := linked(t, "alias.h", "alias.h", "real/x.h")
	partial := func(what string) {
		t.Helper()
		if got, c := clangUses(t, p, "called"); c.State != Partial || !strings.Contains(c.Reason, "alias.h mentions called but ") {
			t.Errorf("%s: %v, %s %s", what, got, c.State, c.Reason)
		}
	}
	partial("at first")
	put(t, filepath.Join(dir, "real/x.h"), "static inline int ax(void) { return called(1) + called(3); }\n")
	partial("changed")
	p.Close(t.Context())
	p = open(t, dir, clangd(t))
	partial("started again")
}

// turn makes a link lead elsewhere; "" removes it.
func turn(t *testing.T, link, target string) {
	t.Helper()
	err := os.RemoveAll(link)
	if target != "" {
		err = errors.Join(err, os.Symlink(target, link))
	}
	if err != nil {
		t.Fatal(err)
	}
}

const clangTwoWays = `
-- .clangd --
-- calls.h --
int one(void), two(void);
-- real1/call.h --
#define CALL() one()
-- real2/call.h --
#define CALL() two()
`

// callsThrough checks that a.c calls one function, and not the other.
func callsThrough(t *testing.T, p *Project, what, called, other string) {
	t.Helper()
	is, c := clangUses(t, p, called)
	not, c2 := clangUses(t, p, other)
	const call = "a.c:3:22"
	if !slices.Contains(is, call) || slices.Contains(not, call) || c.State != Complete || c2.State != Complete {
		t.Errorf("%s: %s has %v, %s has %v, %s %s", what, called, is, other, not, c.Reason, c2.Reason)
	}
}

// A link to a directory that is turned to another one makes other headers of those that are included through it.
func TestClangLinkTurned(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangTwoWays+`
-- a.c --
#include "calls.h"
#include "link/call.h"
int a(void) { return CALL(); }
`)
	link := filepath.Join(dir, "link")
	turn(t, link, "real1")
	callsThrough(t, p, "at first", "one", "two")
	turn(t, link, "real2")
	callsThrough(t, p, "turned", "two", "one")
	if _, err := view(t, p).DocumentSymbols(t.Context(), "a.c"); err != nil { // now it is open
		t.Fatal(err)
	}
	turn(t, link, "real1")
	callsThrough(t, p, "turned back", "one", "two")
	turn(t, link, "")
	if got, c := clangUses(t, p, "CALL"); c.State != Partial || !strings.Contains(c.Reason, "a.c mentions CALL but") {
		t.Errorf("without the link: %v, %s %s", got, c.State, c.Reason)
	}
	turn(t, link, "real2")
	callsThrough(t, p, "made again", "two", "one")
	p.Close(t.Context())
	turn(t, link, "real1")
	p = open(t, dir, clangd(t))
	callsThrough(t, p, "turned meanwhile", "one", "two")
}

// It does so too where the compile command or .clangd names the link, and where it leads out of the project.
func TestClangLinkTurnedElsewhere(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, clangTwoWays)
	const flags = "-- compile_flags.txt --\n-Ilink\n-I.\n"
	for name, test := range map[string]struct{ files, base string }{
		"by a flag":           {clangTwoWays + flags, "."},
		"by a flag, outside":  {"-- calls.h --\nint one(void), two(void);\n" + flags, outside},
		"by .clangd":          {strings.Replace(clangTwoWays, "-- .clangd --\n", "-- .clangd --\nCompileFlags:\n  Add: [-Ilink]\n", 1), "."},
		"by .clangd, outside": {"-- calls.h --\nint one(void), two(void);\n-- .clangd --\nCompileFlags:\n  Add: [-Ilink]\n", outside},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := clangProject(t, test.files+"-- a.c --\n#include \"calls.h\"\n#include <call.h>\nint a(void) { return CALL(); }\n")
			link := filepath.Join(dir, "link")
			turn(t, link, filepath.Join(test.base, "real1"))
			callsThrough(t, p, "at first", "one", "two")
			turn(t, link, filepath.Join(test.base, "real2"))
			callsThrough(t, p, "turned", "two", "one")
		})
	}
}

// A header that is a link decides what its users call, though it mentions no function.
func TestClangLinkedHeaderTurned(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, `
-- .clangd --
-- calls.h --
int one(void), two(void);
-- config1.h --
#define CALL(a, b) a
-- config2.h --
#define CALL(a, b) b
-- a.c --
#include "calls.h"
#include "config.h"
int a(void) { return CALL(one(), two()); }
`)
	link := filepath.Join(dir, "config.h")
	uses := func(what, name, at string, want bool) {
		t.Helper()
		if got, c := clangUses(t, p, name); slices.Contains(got, at) != want || c.State != Complete {
			t.Errorf("%s: %s has %v, %s %s", what, name, got, c.State, c.Reason)
		}
	}
	for _, config := range []string{"config1.h", "config2.h", "config1.h"} {
		turn(t, link, config)
		uses(config, "one", "a.c:3:27", config == "config1.h")
		uses(config, "two", "a.c:3:34", config == "config2.h")
	}
}
