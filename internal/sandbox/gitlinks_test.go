package sandbox

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLinksInGitDirectories: what git writes into its directory when the user commits does not go where a command wants it.
func TestLinksInGitDirectories(t *testing.T) {
	for _, level := range []Level{Full, Partial} {
		dir, outside := project(t), filepath.Join(t.TempDir(), "profile")
		write(t, outside, "mine\n")
		write(t, dir+"/.envrc", "protected\n")
		write(t, dir+"/file", "x\n")
		git(t, dir, "add", "file")
		git(t, dir, "commit", "-qm", "first")
		if err := os.Symlink(outside, dir+"/.git/old"); err != nil { // the user's own
			t.Fatal(err)
		}
		for changedSince(dir+"/.git/old", time.Now().Add(-clockLag)) != nil { // until it is older than any command
			runtime.Gosched()
		}
		git(t, dir, "worktree", "add", "-q", ".claude/worktrees/one")
		s := open(t, dir)
		out := shell(t, s, level, `echo y >> file && git -c user.name=x -c user.email=x@example.com commit -qam second || echo failed
			rm -f .git/COMMIT_EDITMSG; ln -s `+outside+` .git/COMMIT_EDITMSG
			rm -f .git/logs/HEAD; ln -s `+outside+` .git/logs/HEAD
			ln -s `+outside+` .git/worktrees/one/COMMIT_EDITMSG
			ln -s `+filepath.Dir(outside)+` .git/objects/zz
			echo 'touch /tmp/evil' > .git/MERGE_MSG
			ln .envrc .git/SQUASH_MSG 2>/dev/null; true`)
		if got := string(out.Stdout.Text) + string(out.Stderr.Text); out.Exit != 0 || got != "" {
			t.Errorf("%s: %d %q", level, out.Exit, got)
		}
		for _, name := range []string{"COMMIT_EDITMSG", "logs/HEAD", "worktrees/one/COMMIT_EDITMSG", "objects/zz", "SQUASH_MSG"} {
			if _, err := os.Lstat(filepath.Join(dir, ".git", name)); err == nil {
				t.Errorf("%s: %s is there", level, name)
			}
		}
		if !slices.ContainsFunc(out.Held, func(h string) bool { return strings.HasPrefix(h, ".git/COMMIT_EDITMSG (now ") }) {
			t.Errorf("%s: held %q", level, out.Held)
		}
		git(t, dir, "-c", "core.editor=true", "commit", "-q", "--allow-empty", "-m", "evil")
		for path, want := range map[string]string{outside: "mine\n", dir + "/.envrc": "protected\n"} {
			if got, err := os.ReadFile(path); string(got) != want {
				t.Errorf("%s: %s is %q, %v", level, path, got, err)
			}
		}
		if target, err := os.Readlink(dir + "/.git/old"); target != outside {
			t.Errorf("%s: the user's own link is %q, %v", level, target, err)
		}
	}
}
