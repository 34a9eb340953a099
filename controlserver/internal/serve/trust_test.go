package serve

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp/lsptest"
)

// Of a project that is not trusted nothing stays on PATH, and nothing that is relative.
func TestCleanPath(t *testing.T) {
	project, outside := t.TempDir(), t.TempDir()
	lsptest.Git(t, project, "init", "-q") // so that it is not trusted with its directory
	inside := filepath.Join(project, "bin")
	link := filepath.Join(outside, "link")
	if err := errors.Join(os.Mkdir(inside, 0o700), os.Symlink(inside, link)); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{inside, ".", "", link, outside, filepath.Join(outside, "nowhere")}, string(filepath.ListSeparator))
	t.Setenv("PATH", path)
	trustee := newTrustState()
	if err := trustee.cleanPath(project); err != nil || os.Getenv("PATH") != outside {
		t.Errorf("%v: PATH is %s", err, os.Getenv("PATH"))
	}
	os.Setenv("PATH", path)
	if err := trustee.cleanPath(outside); err != nil || os.Getenv("PATH") != path {
		t.Errorf("%v: of a trusted project PATH is %s", err, os.Getenv("PATH"))
	}
}

// A directory is the user's own if git knows that it tracks nothing of it, wherever links lead.
func TestOwn(t *testing.T) {
	dir, plain := t.TempDir(), t.TempDir()
	lsptest.Git(t, dir, "init", "-q")
	for _, name := range []string{"came/lib/x.js", "linked/lib/x.js"} {
		lsptest.Put(t, filepath.Join(dir, name), "")
	}
	lsptest.Git(t, dir, "add", ".")
	lsptest.Put(t, filepath.Join(dir, "installed", "lib", "x.js"), "")
	lsptest.Put(t, filepath.Join(plain, "lib", "x.js"), "")
	if err := os.Symlink("came", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		filepath.Join(dir, "installed"): true, filepath.Join(dir, "came"): false, filepath.Join(dir, "link"): false,
		filepath.Join(dir, "nowhere"): false, plain: false,
	} {
		if got := (trustState{}).Own(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
