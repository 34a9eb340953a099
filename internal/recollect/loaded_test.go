package recollect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The lines of a session's instructions are known to it and to nobody else, and those of a link or a pipe to nobody.
func TestLoaded(t *testing.T) {
	dir := t.TempDir()
	file, link, pipe := filepath.Join(dir, "CLAUDE.md"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(file, []byte("# Rules\n\n- Always use pnpm in web.\n* Never push to main.\nshort\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	var l loaded
	for _, path := range []string{link, pipe, dir, filepath.Join(dir, "none"), ""} {
		l.load("s", path)
	}
	if got := l.of("s"); got != nil {
		t.Errorf("got %q", got)
	}
	l.load("s", file)
	before := l.of("s")
	if want := []string{"Always use pnpm in web.", "Never push to main."}; !slices.Equal(before, want) || l.of("t") != nil {
		t.Errorf("got %q", before)
	}
	if !l.addOnce("s", "mem_1") || l.addOnce("s", "mem_1") || len(before) != 2 || len(l.of("s")) != 3 {
		t.Errorf("got %q", l.of("s"))
	}
	l.end("s")
	if l.of("s") != nil {
		t.Error("a session that has ended is known")
	}
}

func TestLoadedIsBounded(t *testing.T) {
	var l loaded
	for i := range 2 * maxSessions {
		l.add(fmt.Sprint(i), "a text that is long enough")
	}
	if len(l.sessions) != maxSessions || l.used.Len() != maxSessions || l.of("0") != nil || l.of(fmt.Sprint(2*maxSessions-1)) == nil {
		t.Errorf("%d sessions", len(l.sessions))
	}
	l.add("s", slices.Repeat([]string{"again"}, 2*maxPassages)...)
	if got := len(l.of("s")); got != maxPassages {
		t.Errorf("%d passages", got)
	}
	if got := passagesOf(strings.Repeat("x", maxPassage+1) + "\n" + strings.Repeat("y", maxPassage)); len(got) != 1 {
		t.Errorf("%d lines", len(got))
	}
}
