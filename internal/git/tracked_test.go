package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run runs git as a user would, and returns what it prints.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(Environment(os.Environ()), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// write makes a file with its directories and returns the file's path.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTracked(t *testing.T) {
	plain, repository := t.TempDir(), t.TempDir()
	run(t, repository, "init", "-q")
	write(t, repository, "came/config.json", "{}")
	run(t, repository, "add", "-A")
	run(t, repository, "commit", "-qm", "first")
	write(t, repository, "mine/config.json", "{}")
	clone := filepath.Join(t.TempDir(), "clone")
	run(t, plain, "clone", "-q", repository, clone)
	write(t, plain, "config.json", "{}")

	module := t.TempDir()
	run(t, module, "init", "-q")
	run(t, module, "submodule", "--quiet", "add", repository, "state")
	run(t, module, "commit", "-qm", "with a module")

	t.Setenv("GIT_DIR", filepath.Join(module, ".git")) // of somebody else's command
	for _, test := range []struct {
		name, dir, file string
		tracked         bool
	}{
		{"no repository", plain, "config.json", false},
		{"tracked", repository, "came/config.json", true},
		{"untracked", repository, "mine/config.json", false},
		{"in a clone", clone, "came/config.json", true},
		{"in a submodule", module, "state/came/config.json", true},
	} {
		tracked, err := Tracked(t.Context(), filepath.Join(test.dir, test.file))
		if tracked != test.tracked || err != nil {
			t.Errorf("%s: %v, %v", test.name, tracked, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Tracked(ctx, filepath.Join(repository, "mine/config.json")); err == nil {
		t.Error("git could not be asked, and nobody says so")
	}
}

// A directory that looks like a bare repository, which a clone can carry, is none.
func TestTrackedBesideAFalseRepository(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	state := filepath.Join(dir, "state")
	run(t, dir, "init", "-q", "--bare", state)
	if tracked, err := Tracked(t.Context(), write(t, state, "config.json", "{}")); err == nil {
		t.Errorf("git believes it: tracked %v", tracked)
	}
}

// A repository's own configuration does not get to run anything.
func TestTrackedRunsNothingOfTheProject(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	ran := filepath.Join(dir, "ran")
	program := write(t, dir, "program", "#!/bin/sh\ntouch "+ran+"\n")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "diff.external"} {
		run(t, dir, "config", key, program)
	}
	if _, err := Tracked(t.Context(), write(t, dir, "config.json", "{}")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the project ran")
	}
}

func TestTracks(t *testing.T) {
	dir, plain := t.TempDir(), t.TempDir()
	run(t, dir, "init", "-q")
	came := filepath.Dir(write(t, dir, "node_modules/typescript/package.json", "{}"))
	run(t, dir, "add", "-A")
	mine := filepath.Dir(write(t, dir, "node_modules/mine/package.json", "{}"))
	for dir, want := range map[string]bool{came: true, mine: false, filepath.Dir(came): true} {
		if got, err := Tracks(t.Context(), dir); got != want || err != nil {
			t.Errorf("%s: %v, %v", dir, got, err)
		}
	}
	if _, err := Tracks(t.Context(), plain); !errors.Is(err, ErrNoRepository) {
		t.Errorf("without a repository: %v", err)
	}
	if _, err := Tracks(t.Context(), filepath.Join(dir, "nowhere")); err == nil {
		t.Error("what is not there can be asked about")
	}
}
