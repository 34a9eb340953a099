package lsp

import (
	"path/filepath"
	"strings"
	"testing"
)

// What an #include of a macro means is known where the project or a flag says so: a change of that file, or of the macro, has its
// includers read again, and a change of another file does not.
func TestClangComputedIncludes(t *testing.T) {
	t.Parallel()
	const one, two = "#define CALL() one()\n", "#define CALL() two()\n"
	p, dir := clangProject(t, `
-- compile_flags.txt --
-DBY_FLAG="flag.h"
-- calls.h --
int one(void), two(void);
#define BY_MACRO <first.h>
-- flag.h --
`+one+`
-- first.h --
`+one+`
-- second.h --
`+two+`
-- compile_commands.json --
[{"directory": ".", "file": "macro.c", "arguments": ["cc", "-I.", "-c", "macro.c"]}]
-- flag.c --
#include "calls.h"
#include BY_FLAG
int flag(void) { return CALL(); }
-- macro.c --
#include "calls.h"
#include BY_MACRO
int macro(void) { return CALL(); }
-- plain.c --
#include "calls.h"
int plain(void) { return one(); }
`)
	at := func(name string) string { return filepath.Join(dir, name) }
	check := func(what, name string, with ...string) {
		t.Helper()
		got, c := clangUses(t, p, name)
		for _, file := range []string{"flag.c:3:25", "macro.c:3:26"} {
			has, want := strings.Contains(strings.Join(got, " "), file), strings.Contains(strings.Join(with, " "), file[:strings.Index(file, ":")])
			if has != want || c.State != Complete {
				t.Errorf("%s: %s has %v, %s %s; want %v", what, name, got, c.State, c.Reason, with)
			}
		}
	}
	check("at first", "one", "flag.c", "macro.c")
	put(t, at("flag.h"), two)
	check("the file of a flag changed", "two", "flag.c")
	check("the file of a flag changed", "one", "macro.c")
	put(t, at("calls.h"), "int one(void), two(void);\n#define BY_MACRO <second.h>\n")
	check("the macro changed", "two", "flag.c", "macro.c")
	check("the macro changed", "one")
	put(t, at("second.h"), one)
	check("the file of the macro changed", "one", "macro.c")

	before := clangAgain(t, dir)
	if _, err := view(t, p).DocumentSymbols(t.Context(), "plain.c"); err != nil { // now it is open
		t.Fatal(err)
	}
	put(t, at("plain.c"), "#include \"calls.h\"\nint plain(void) { return one() + one(); }\n")
	if got, _ := clangUses(t, p, "one"); !strings.Contains(strings.Join(got, " "), "plain.c:2:34") {
		t.Errorf("another file changed: %v", got)
	}
	if after := clangAgain(t, dir); len(after) != len(before) {
		t.Errorf("read again for another file: %v after %v", after, before)
	}
	put(t, at("plain.c"), "#include \"calls.h\"\n#define PATH(x) #x\n#include PATH(flag.h)\nint plain(void) { return CALL(); }\n")
	check("a computed one that is not known", "two", "flag.c")
	put(t, at("flag.h"), one)
	if got, c := clangUses(t, p, "one"); !strings.Contains(strings.Join(got, " "), "plain.c:4:26") || c.State != Complete {
		t.Errorf("its file changed: %v, %s %s", got, c.State, c.Reason)
	}
}
