package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWorktrees: in those that Claude Code makes below .claude a command works as in the main checkout, and nothing else of .claude changes.
func TestWorktrees(t *testing.T) {
	for _, level := range []Level{Full, Partial} {
		dir := worktree(t, ".claude/worktrees/one")
		git(t, dir, "config", "user.name", "x")
		git(t, dir, "config", "user.email", "x@example.com")
		write(t, dir+"/.claude/settings.json", "{}")
		s := open(t, dir)
		for n := range 2 {
			out := shell(t, s, level, `cd .claude/worktrees/one; echo y >> file && git commit -qam more && echo z > new && rm new && mkdir -p sub && echo z > sub/new && echo done
				exec 2>/dev/null; mkdir .claude; echo x > .claude/settings.json; echo x > .envrc; echo x > ../../settings.json; echo x > ../../new; mkdir ../two
				cd ../../..; g=.git/worktrees/one; echo x > $g/config.worktree; echo x > $g/commondir; cp -r $g .git/worktrees/two`)
			if string(out.Stdout.Text) != "done\n" {
				t.Errorf("%s, %d: %+v %s %s", level, n, out, out.Stdout.Text, out.Stderr.Text)
			}
			for path, want := range map[string]string{".claude/settings.json": "{}", ".claude/worktrees/one/sub/new": "z\n", ".git/worktrees/one/commondir": "../..\n"} {
				if got, err := os.ReadFile(filepath.Join(dir, path)); string(got) != want {
					t.Errorf("%s: %s is %q, %v", level, path, got, err)
				}
			}
			for _, path := range []string{".claude/new", ".claude/worktrees/two", ".claude/worktrees/one/.claude", ".claude/worktrees/one/.envrc", ".git/worktrees/two", ".git/worktrees/one/config.worktree"} {
				if _, err := os.Lstat(filepath.Join(dir, path)); err == nil {
					t.Errorf("%s: %s is there", level, path)
				}
			}
		}
		if commits := git(t, dir, "rev-list", "--count", "one"); commits != "3\n" {
			t.Errorf("%s: %s commits", level, commits)
		}
	}
}

// worktree makes a project with a commit and a linked worktree at a path below it.
func worktree(t *testing.T, path string) string {
	t.Helper()
	dir := project(t)
	write(t, dir+"/file", "x\n")
	git(t, dir, "add", "file")
	git(t, dir, "commit", "-qm", "first")
	git(t, dir, "worktree", "add", "-q", "-b", "one", path)
	return dir
}

// TestWorktreeCannotBeReplaced: neither a worktree nor its administrative directory becomes a link, a copy or another repository's.
func TestWorktreeCannotBeReplaced(t *testing.T) {
	for _, level := range []Level{Full, Partial} {
		dir := worktree(t, ".claude/worktrees/one")
		s := open(t, dir)
		for _, line := range []string{
			`mkdir fake; cp -r .git/worktrees/one/. fake; rm -rf .git/worktrees/one; ln -s ../../fake .git/worktrees/one`,
			`cp -r .claude/worktrees/one copy; rm -rf .claude/worktrees/one; ln -s ../../copy .claude/worktrees/one`,
			`mv .git/worktrees/one moved; mkdir -p .git/worktrees/one; echo /evil > .git/worktrees/one/commondir`,
			`rm -rf .git/worktrees/one .claude/worktrees/one`,
			`rm .claude/worktrees/one/.git; git init -q .claude/worktrees/one`,
			`git init -q .claude/worktrees/one/below; mkdir -p .git/worktrees/one/hooks; echo evil > .git/worktrees/one/hooks/pre-commit`,
			`rm .git/worktrees/one/gitdir; ln -s /tmp/x .git/worktrees/one/gitdir; ln -s /tmp/x .git/worktrees/one/config.worktree`,
		} {
			shell(t, s, level, "exec 2>/dev/null; "+line)
			for path, want := range map[string]string{
				".claude/worktrees/one/.git": "gitdir: " + dir + "/.git/worktrees/one\n", ".git/worktrees/one/commondir": "../..\n",
				".git/worktrees/one/gitdir": dir + "/.claude/worktrees/one/.git\n",
			} {
				if got, err := os.ReadFile(filepath.Join(dir, path)); string(got) != want {
					t.Errorf("%s: %s: %s is %q, %v", level, line, path, got, err)
				}
			}
			for path, is := range map[string]bool{
				".claude/worktrees/one": true, ".git/worktrees/one": true, ".git/worktrees/one/hooks": false, ".git/worktrees/one/config.worktree": false,
				".claude/worktrees/one/below/.git": false,
			} {
				if info, err := os.Lstat(filepath.Join(dir, path)); (err == nil && info.IsDir()) != is {
					t.Errorf("%s: %s: %s: %v, %v", level, line, path, info, err)
				}
			}
		}
	}
}

// TestWorktreeElsewhere: of a worktree outside of the project nothing is written, and of one that a setting protects or hides neither.
func TestWorktreeElsewhere(t *testing.T) {
	outside, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	outside += "/two"
	for _, level := range []Level{Full, Partial} {
		dir := worktree(t, ".claude/worktrees/one")
		git(t, dir, "worktree", "add", "-q", "--detach", outside)
		s := open(t, dir, func(o *Options) { o.Protected = []string{".claude/worktrees/one"} })
		shell(t, s, level, `exec 2>/dev/null; echo evil > .git/worktrees/two/HEAD; echo evil > .claude/worktrees/one/new; echo evil > .claude/worktrees/one/file`)
		for path, want := range map[string]string{".git/worktrees/two/HEAD": git(t, dir, "rev-parse", "one"), ".claude/worktrees/one/new": "", ".claude/worktrees/one/file": "x\n"} {
			if got, _ := os.ReadFile(filepath.Join(dir, path)); string(got) != want {
				t.Errorf("%s: %s is %q, want %q", level, path, got, want)
			}
		}
		git(t, dir, "worktree", "remove", "--force", outside)
	}
}

// TestGitdir: only a file that names a worktree names one.
func TestGitdir(t *testing.T) {
	dir := worktree(t, "sub/one")
	admin := dir + "/.git/worktrees/one"
	if got := worktreeOf(admin); got != dir+"/sub/one" {
		t.Errorf("%q", got)
	}
	for content, want := range map[string]string{"../../../sub/one/.git\n": dir + "/sub/one", "/nowhere/at/all/.git\n": "", "": ""} {
		write(t, admin+"/gitdir", content)
		if got := worktreeOf(admin); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
	must(t, os.Remove(admin+"/gitdir"))
	for _, make := range []func(string) error{
		func(path string) error { return os.Symlink("/etc/passwd", path) },
		func(path string) error { return unix.Mkfifo(path, 0o600) },
		func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		must(t, make(admin+"/gitdir"))
		if got := worktreeOf(admin); got != "" {
			t.Errorf("%q", got)
		}
		must(t, os.Remove(admin+"/gitdir"))
	}
}
