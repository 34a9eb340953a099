package lsptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Program finds the program of a language server: what make has put into bin/ of this checkout, else one on PATH. The
// test fails if there is neither.
func Program(t testing.TB, name string) string {
	t.Helper()
	for _, dir := range programDirs(t) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is missing: run `make bin/gopls bin/servers`", name)
	}
	return path
}

// programDirs returns those of the checkout that the test runs in.
func programDirs(t testing.TB) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			bin := filepath.Join(dir, "bin")
			return []string{bin, filepath.Join(bin, "servers", "node_modules", ".bin")}
		}
	}
	return nil
}
