package lsptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Put writes a file, and makes the directories that it lies in.
func Put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Write lays out a txtar archive below dir.
func Write(t testing.TB, dir, archive string) {
	t.Helper()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		Put(t, filepath.Join(dir, filepath.FromSlash(file.Name)), string(file.Data))
	}
}

// Git runs git in dir as a user would, with nothing of the user's own.
func Git(t testing.TB, dir string, args ...string) {
	t.Helper()
	own := []string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false"}
	cmd := exec.Command("git", append(own, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
