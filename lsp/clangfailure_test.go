package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A file that does not compile is not compiled again at each start, and answers say so all the same; it is once what it lacks is
// there, outside of the project or in it.
func TestClangFailures(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	const broken = "#include \"lib.h\"\n#include <apart/absent.h>\nint broken(void) { return used(ABSENT); }\n"
	p, dir := clangProject(t, clangCallers(3, "used")+"-- compile_flags.txt --\n-Iinclude\n-isystem\n"+outside+"\n-- broken.c --\n"+broken)
	again := func(meanwhile func()) {
		t.Helper()
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		meanwhile()
		p = open(t, dir, clangd(t))
	}
	fails := func(what string) {
		t.Helper()
		if _, c := clangUses(t, p, "used"); c.State != Partial || !strings.Contains(c.Reason, "absent.h") {
			t.Errorf("%s: %s %s", what, c.State, c.Reason)
		}
	}
	kept := func() string {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(dir, ".tidepool/clangd/.cache/clangd/index/broken.c.*.idx"))
		if err != nil || len(all) != 1 {
			t.Fatalf("of broken.c there is kept %v, %v", all, err)
		}
		return all[0]
	}
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	touched := func() bool {
		t.Helper()
		info, err := os.Stat(kept())
		return err != nil || !info.ModTime().Equal(past)
	}
	fails("at first")
	for _, what := range []string{"a second time", "a third time"} {
		again(func() {
			if err := os.Chtimes(kept(), past, past); err != nil {
				t.Fatal(err)
			}
		})
		fails(what)
		if touched() {
			t.Errorf("%s: it was compiled", what)
		}
	}
	again(func() { put(t, filepath.Join(outside, "apart/absent.h"), "#define ABSENT 1\n") })
	clangFresh(t, p, dir, "what lacked is there", "used")
	again(func() { os.RemoveAll(filepath.Join(outside, "apart")) })
	put(t, filepath.Join(dir, "broken.c"), broken+"\n")
	fails("and gone")
	again(func() { put(t, filepath.Join(dir, "include/apart/absent.h"), "#define ABSENT 1\n") })
	clangFresh(t, p, dir, "it is in the project", "used")
}
