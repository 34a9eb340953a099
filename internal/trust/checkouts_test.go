package trust

import (
	"path/filepath"
	"slices"
	"testing"
)

// checkouts returns those of a directory.
func checkouts(t *testing.T, dir string) Checkouts {
	t.Helper()
	all, err := CheckoutsOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCheckoutsShareAProject(t *testing.T) {
	base := directory(t, filepath.Join(t.TempDir(), "base"))
	mine, linked := repository(t, base+"/mine"), base+"/linked"
	runGit(t, mine, "worktree", "add", "-q", linked)
	whole := checkouts(t, mine)
	if want := []string{mine, linked}; whole.ID != mine+"/.git" || !slices.Equal(whole.Dirs, want) {
		t.Errorf("%+v", whole)
	}
	from := checkouts(t, linked)
	if want := []string{linked, mine}; from.ID != whole.ID || !slices.Equal(from.Dirs, want) {
		t.Errorf("%+v", from)
	}
	web := directory(t, mine+"/web")
	if part := checkouts(t, web); part.ID != mine+"/.git/web" || !slices.Equal(part.Dirs, []string{web, linked + "/web"}) {
		t.Errorf("%+v", part)
	}
	plain := directory(t, base+"/plain/sub")
	if alone := checkouts(t, plain); alone.ID != plain || !slices.Equal(alone.Dirs, []string{plain}) {
		t.Errorf("%+v", alone)
	}
}

// TestCheckoutsOfAStranger: neither a .git nor a list of worktrees that a clone brings along joins it to another project.
func TestCheckoutsOfAStranger(t *testing.T) {
	base := directory(t, filepath.Join(t.TempDir(), "base"))
	mine := repository(t, base+"/mine")
	runGit(t, mine, "worktree", "add", "-q", base+"/linked")
	for name, bring := range map[string]func(dir string){
		"a file that names a worktree":   func(dir string) { write(t, dir+"/.git", "gitdir: "+mine+"/.git/worktrees/linked\n") },
		"a file that names a repository": func(dir string) { write(t, dir+"/.git", "gitdir: "+mine+"/.git\n") },
		"a list that names a repository": func(dir string) {
			repository(t, dir)
			write(t, dir+"/.git/worktrees/x/gitdir", mine+"/.git\n")
			write(t, dir+"/.git/worktrees/y/gitdir", base+"/linked/.git\n")
		},
		"a link": func(dir string) { link(t, mine+"/.git", dir+"/.git") },
	} {
		dir := directory(t, filepath.Join(base, name))
		bring(dir)
		if got := checkouts(t, dir); got.ID != dir && got.ID != dir+"/.git" || !slices.Equal(got.Dirs, []string{dir}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := checkouts(t, mine); len(got.Dirs) != 2 {
		t.Errorf("mine is %+v", got)
	}
}

func TestRepositoryOf(t *testing.T) {
	base := directory(t, filepath.Join(t.TempDir(), "base"))
	mine := repository(t, base+"/mine")
	runGit(t, mine, "worktree", "add", "-q", base+"/linked")
	runGit(t, base, "clone", "-q", "--bare", mine, "bare.git")
	runGit(t, base+"/bare.git", "worktree", "add", "-q", base+"/of-bare")
	stranger := directory(t, base+"/stranger")
	write(t, stranger+"/.git", "gitdir: "+mine+"/.git/worktrees/linked\n")
	for dir, want := range map[string]string{
		mine: mine + "/.git", directory(t, mine+"/web"): mine + "/.git", base + "/linked": mine + "/.git",
		base + "/of-bare": base + "/bare.git", stranger: stranger, directory(t, base+"/plain/sub"): base + "/plain/sub",
	} {
		if got, err := RepositoryOf(dir); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", dir, got, err, want)
		}
	}
	if _, err := RepositoryOf(base + "/none"); err == nil {
		t.Error("a directory that is not there has one")
	}
}
