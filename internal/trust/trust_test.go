package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// runGit runs git as a user would.
func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// repository is a new repository with one commit.
func repository(t *testing.T, dir string) string {
	t.Helper()
	directory(t, dir)
	runGit(t, dir, "init", "-q")
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func directory(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	directory(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func store(t *testing.T) Store { return Store{Dir: filepath.Join(t.TempDir(), "state", "tidepool")} }

func grant(t *testing.T, s Store, dir string) {
	t.Helper()
	if _, err := s.Grant(dir); err != nil {
		t.Fatal(err)
	}
}

// trusted checks what the store says of directories.
func trusted(t *testing.T, s Store, want bool, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if got, err := s.Trusted(dir); err != nil || got != want {
			t.Errorf("%s: trusted is %v (%v), want %v", dir, got, err, want)
		}
	}
}

func TestRepository(t *testing.T) {
	s, base := store(t), t.TempDir()
	mine, other := repository(t, filepath.Join(base, "mine")), repository(t, filepath.Join(base, "other"))
	module, inner := repository(t, filepath.Join(base, "module")), repository(t, filepath.Join(base, "inner"))
	runGit(t, module, "submodule", "add", "-q", inner, "deep/inner")
	runGit(t, module, "commit", "-q", "-m", "inner")
	runGit(t, mine, "submodule", "add", "-q", module, "parts/module")
	runGit(t, mine, "submodule", "update", "-q", "--init", "--recursive")
	runGit(t, mine, "commit", "-q", "-m", "module")
	linked := filepath.Join(base, "linked")
	runGit(t, mine, "worktree", "add", "-q", linked)
	runGit(t, linked, "submodule", "update", "-q", "--init")
	nested := repository(t, filepath.Join(mine, "third_party", "nested"))
	below := directory(t, filepath.Join(mine, "src", "below"))
	covered := []string{mine, below, linked, filepath.Join(mine, "parts/module"), filepath.Join(mine, "parts/module/deep/inner"), filepath.Join(linked, "parts/module")}

	trusted(t, s, false, covered...)
	grant(t, s, below)
	trusted(t, s, true, covered...)
	trusted(t, s, false, other, module, nested, base)

	link := filepath.Join(base, "link")
	if err := os.Symlink(mine, link); err != nil {
		t.Fatal(err)
	}
	trusted(t, s, true, link)
	if revoked, err := s.Revoke(linked); err != nil || len(revoked) != 1 || revoked[0].Project != below {
		t.Errorf("revoked %v, %v", revoked, err)
	}
	trusted(t, s, false, covered...)
	if revoked, err := s.Revoke(linked); err != nil || revoked != nil {
		t.Errorf("revoked %v, %v once more", revoked, err)
	}
}

// Another repository at the same path is another one, also where the file system gives it the inode of the old.
func TestClonedAnew(t *testing.T) {
	s, base := store(t), t.TempDir()
	dir := repository(t, filepath.Join(base, "project"))
	grant(t, s, dir)
	for range 5 {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		repository(t, dir)
		now, err := Identify(filepath.Join(dir, ".git"))
		if err != nil {
			t.Fatal(err)
		}
		if records, _ := s.List(); now.Born != 0 || now.Inode != records[0].Inode { // else nothing tells them apart
			trusted(t, s, false, dir)
		}
	}
	if err := os.Rename(dir, dir+"0"); err != nil { // whose inode is in use
		t.Fatal(err)
	}
	grant(t, s, repository(t, dir))
	if err := errors.Join(os.Rename(dir, dir+"1"), os.Rename(dir+"0", dir)); err != nil {
		t.Fatal(err)
	}
	trusted(t, s, false, dir)
	if records, err := s.List(); err != nil || len(records) != 1 || records[0].Stands() {
		t.Errorf("listed %+v, %v", records, err)
	}
	grant(t, s, dir)
	trusted(t, s, true, dir)
	if records, _ := s.List(); len(records) != 1 || !records[0].Stands() {
		t.Errorf("the old yes is kept: %+v", records)
	}
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Fatal(err)
	}
	trusted(t, s, false, dir+"2")
	if revoked, err := s.Revoke(dir); err != nil || len(revoked) != 1 {
		t.Errorf("what is gone cannot be taken back: %v, %v", revoked, err)
	}
}

func TestWithoutARepository(t *testing.T) {
	s, base := store(t), t.TempDir()
	s.Home = base
	plain := directory(t, filepath.Join(base, "plain"))
	below := directory(t, filepath.Join(plain, "below"))
	clone := repository(t, filepath.Join(plain, "clone"))
	beside := directory(t, filepath.Join(base, "plain2"))
	grant(t, s, plain)
	trusted(t, s, true, plain, below)
	trusted(t, s, false, clone, beside)
	if revoked, err := s.Revoke(below); err != nil || revoked != nil {
		t.Errorf("revoked %v, %v", revoked, err)
	}
	var wide *WideError
	for _, dir := range []string{base, "/"} {
		if _, err := s.Grant(dir); !errors.As(err, &wide) || wide.Hint() == "" {
			t.Errorf("%s can be trusted: %v", dir, err)
		}
	}
	runGit(t, base, "init", "-q") // as people do for their dot files
	trusted(t, s, true, plain)
	trusted(t, s, false, beside)
	if _, err := s.Trusted(filepath.Join(base, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}

// What an archive may bring to look like a worktree of a repository that its user trusts.
func TestBorrowedRepositories(t *testing.T) {
	s, base := store(t), t.TempDir()
	mine := repository(t, filepath.Join(base, "mine"))
	common := filepath.Join(mine, ".git")
	module := repository(t, filepath.Join(base, "module"))
	runGit(t, mine, "submodule", "add", "-q", module, "module")
	runGit(t, mine, "worktree", "add", "-q", filepath.Join(base, "linked"))
	grant(t, s, mine)
	trusted(t, s, true, filepath.Join(base, "linked"), filepath.Join(mine, "module"))

	for name, make := range map[string]func(dir string){
		"a file that names the repository": func(dir string) { write(t, dir+"/.git", "gitdir: "+common+"\n") },
		"a file that names a worktree":     func(dir string) { write(t, dir+"/.git", "gitdir: "+common+"/worktrees/linked\n") },
		"a file that names a submodule":    func(dir string) { write(t, dir+"/.git", "gitdir: "+common+"/modules/module\n") },
		"a worktree of its own": func(dir string) {
			write(t, dir+"/.git", "gitdir: private\n")
			write(t, dir+"/private/commondir", common+"\n")
			write(t, dir+"/private/gitdir", dir+"/.git\n")
		},
		"a list of worktrees of its own": func(dir string) {
			write(t, dir+"/.git", "gitdir: own/worktrees/x\n")
			write(t, dir+"/own/worktrees/x/commondir", common+"\n")
			write(t, dir+"/own/worktrees/x/gitdir", dir+"/.git\n")
		},
		"a list of worktrees that is a link": func(dir string) {
			write(t, dir+"/.git", "gitdir: own/worktrees/linked\n")
			directory(t, dir+"/own")
			link(t, common+"/worktrees", dir+"/own/worktrees")
		},
		"a directory with a file commondir": func(dir string) {
			write(t, dir+"/.git/HEAD", "ref: refs/heads/main\n")
			write(t, dir+"/.git/commondir", common+"\n")
		},
		"a link":              func(dir string) { link(t, common, dir+"/.git") },
		"a link to a pointer": func(dir string) { link(t, filepath.Join(base, "linked", ".git"), dir+"/.git") },
		"a pipe": func(dir string) {
			if err := syscall.Mkfifo(dir+"/.git", 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for where, dir := range map[string]string{"beside": filepath.Join(base, name), "inside": filepath.Join(mine, "inside", name)} {
			make(directory(t, dir))
			trusted(t, s, false, dir, directory(t, filepath.Join(dir, "below")))
			if t.Failed() {
				t.Fatalf("%s, %s, borrows trust", name, where)
			}
		}
		own := store(t) // and it can be trusted for itself
		grant(t, own, filepath.Join(base, name))
		trusted(t, own, true, filepath.Join(base, name), filepath.Join(base, name, "below"))
		trusted(t, own, false, mine)
	}
}

func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		return // only root can give something away
	}
	s, dir := store(t), repository(t, t.TempDir())
	grant(t, s, dir)
	if err := os.Chown(filepath.Join(dir, ".git"), 12345, -1); err != nil {
		t.Fatal(err)
	}
	var owner *OwnerError
	if got, err := s.Trusted(dir); got || !errors.As(err, &owner) || owner.UID != 12345 || owner.Hint() == "" {
		t.Errorf("a stranger's repository: %v, %v", got, err)
	}
}

// What is in the place of the record that the user has not put there is an error, and no trust.
func TestRecordIsNotTrusted(t *testing.T) {
	for name, spoil := range map[string]func(s Store){
		"a link to the directory": func(s Store) {
			if err := os.Rename(s.Dir, s.Dir+"2"); err != nil {
				t.Fatal(err)
			}
			link(t, s.Dir+"2", s.Dir)
		},
		"a link to the file": func(s Store) {
			if err := os.Rename(s.File(), s.File()+"2"); err != nil {
				t.Fatal(err)
			}
			link(t, s.File()+"2", s.File())
		},
		"a directory that others can write": func(s Store) { mode(t, s.Dir, 0o770) },
		"a file that others can write":      func(s Store) { mode(t, s.File(), 0o602) },
		"nonsense":                          func(s Store) { write(t, s.File(), "{") },
		"too much":                          func(s Store) { write(t, s.File(), strings.Repeat(" ", maxRecord+1)) },
		"a pipe": func(s Store) {
			if err := errors.Join(os.Remove(s.File()), syscall.Mkfifo(s.File(), 0o600)); err != nil {
				t.Fatal(err)
			}
		},
		"a stranger's file": func(s Store) {
			if os.Geteuid() != 0 {
				write(t, s.File(), "{") // which cannot be made: another of these stands for it
				return
			}
			if err := os.Chown(s.File(), 12345, -1); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := store(t), repository(t, t.TempDir())
			grant(t, s, dir)
			trusted(t, s, true, dir)
			spoil(s)
			var record *RecordError
			if got, err := s.Trusted(dir); got || !errors.As(err, &record) || !strings.Contains(record.Hint(), "agent trust") {
				t.Errorf("trusted is %v, %v", got, err)
			}
			if _, err := s.Grant(dir); err == nil {
				t.Error("it is written over")
			}
		})
	}
}

func mode(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestModes(t *testing.T) {
	s := store(t)
	grant(t, s, repository(t, t.TempDir()))
	for path, want := range map[string]fs.FileMode{s.Dir: 0o700, s.File(): 0o600, filepath.Join(s.Dir, lockName): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// No yes is lost among writers, and readers see whole records.
func TestConcurrentWriters(t *testing.T) {
	s, base := store(t), t.TempDir()
	dirs := make([]string, 24)
	for i := range dirs {
		dirs[i] = directory(t, filepath.Join(base, fmt.Sprint(i), "p"))
	}
	var writers sync.WaitGroup
	for _, dir := range dirs {
		writers.Go(func() {
			if _, err := s.Grant(dir); err != nil {
				t.Error(err)
			}
			if _, err := s.List(); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	trusted(t, s, true, dirs...)
	if records, err := s.List(); err != nil || len(records) != len(dirs) {
		t.Errorf("%d records, %v", len(records), err)
	}
}

func TestOpen(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"/x/tidepool":              {"HOME": "/h", "XDG_STATE_HOME": "/x"},
		"/h/.local/state/tidepool": {"HOME": "/h", "XDG_STATE_HOME": "x"},
		"":                         {},
	} {
		if got := Open(func(name string) string { return env[name] }).Dir; got != want {
			t.Errorf("%v: %q, want %q", env, got, want)
		}
	}
	var none Store
	if got, err := none.Trusted("/"); got || err != nil {
		t.Errorf("without a place: %v, %v", got, err)
	}
	if _, err := none.Grant(t.TempDir()); !errors.Is(err, errNoPlace) {
		t.Errorf("without a place: %v", err)
	}
}
