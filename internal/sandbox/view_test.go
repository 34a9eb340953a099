package sandbox

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProtectedStaysAsItIs: neither by writing nor by putting another directory in its place.
func TestProtectedStaysAsItIs(t *testing.T) {
	for _, level := range []Level{Full, Partial} {
		dir := project(t)
		s := open(t, dir)
		git(t, dir, "init", "-q", "nested/deep")
		write(t, dir+"/.claude/settings.json", "{}")
		for range 2 {
			out := shell(t, s, level, `
				echo x > .git/hooks/post-commit; echo x >> .git/config; echo x > .claude/settings.json; echo x > nested/deep/.git/hooks/pre-push
				mv .git other && cp -r other .git && echo x >> .git/config; mv nested n && cp -r n nested && echo x >> nested/deep/.git/config
				ln -s /etc .vscode; echo x > .git/commondir; git init -q new; mkdir -p bare/objects bare/refs; touch bare/HEAD
				echo fine > ordinary; echo fine > /tmp/file`)
			for _, path := range []string{".git/hooks/post-commit", "nested/deep/.git/hooks/pre-push", ".vscode", ".git/commondir", "new/.git", "bare"} {
				if _, err := os.Lstat(filepath.Join(dir, path)); err == nil {
					t.Errorf("%s: %s is there: %s", level, path, out.Stderr.Text)
				}
			}
			for path, want := range map[string]string{".claude/settings.json": "{}", "ordinary": "fine\n"} {
				if got, err := os.ReadFile(filepath.Join(dir, path)); string(got) != want {
					t.Errorf("%s: %s is %q, %v", level, path, got, err)
				}
			}
			for _, path := range []string{".git/config", "nested/deep/.git/config"} {
				if got, err := os.ReadFile(filepath.Join(dir, path)); err != nil || strings.Contains(string(got), "x\n") {
					t.Errorf("%s: %s is %q, %v", level, path, got, err)
				}
			}
			if len(out.Held) == 0 {
				t.Errorf("%s: nothing is held", level)
			}
		}
		if out := git(t, dir, "status", "--short"); !strings.Contains(out, "ordinary") {
			t.Errorf("git status: %s", out)
		}
	}
}

// TestSocketsAreCovered: also where the listener is outside of all namespaces.
func TestSocketsAreCovered(t *testing.T) {
	dir := project(t)
	l, err := net.Listen("unix", dir+"/a.sock")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	if os.Getuid() == 0 { // the socket in it cannot be covered, nor reached
		must(t, os.Mkdir(dir+"/theirs", 0o700))
		other, err := net.Listen("unix", dir+"/theirs/b.sock")
		must(t, err)
		t.Cleanup(func() { other.Close() })
		must(t, os.Chown(dir+"/theirs", 12345, 12345))
	}
	s := open(t, t.TempDir(), func(o *Options) { o.Scratch, o.Read = t.TempDir(), []string{dir} })
	const connect = `perl -e 'use IO::Socket::UNIX; for (@ARGV) { print IO::Socket::UNIX->new($_) ? "in" : "out" }' `
	out := shell(t, s, Full, connect+dir+"/a.sock "+dir+"/theirs/b.sock")
	if string(out.Stdout.Text) != "outout" {
		t.Errorf("%s %s", out.Stdout.Text, out.Stderr.Text)
	}
}

// TestHeldIsBounded: the newest entries are kept.
func TestHeldIsBounded(t *testing.T) {
	s := open(t, project(t))
	held := filepath.Join(s.options.Scratch, heldDir)
	for n := range maxHeld + 5 {
		write(t, filepath.Join(held, fmt.Sprintf("a%04d", n), "file"), "")
	}
	out := shell(t, s, Full, "git init -q new")
	left, err := os.ReadDir(held)
	must(t, err)
	if len(left) != maxHeld+1 || left[0].Name() != "a0005" || len(out.Held) != 1 {
		t.Errorf("%d left, the oldest %s; %v", len(left), left[0].Name(), out.Held)
	}
}
