package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// make takes what a failed installation has left for nothing, and tries again.
func TestServersAfterAFailedInstallation(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Makefile", "scripts/npm", "scripts/progress", "scripts/clangd", "scripts/servers/package.json", "scripts/servers/package-lock.json"} {
		copyFile(t, name, filepath.Join(dir, name))
	}
	programs := filepath.Join(dir, "programs")
	path := "PATH=" + programs + string(filepath.ListSeparator) + os.Getenv("PATH")
	install := func(npm string) (string, error) {
		writeProgram(t, filepath.Join(programs, "npm"), npm)
		writeProgram(t, filepath.Join(programs, "clangd"), "")
		cmd := exec.CommandContext(t.Context(), "make", "bin/servers")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), path, "MAKEFLAGS=", "LC_ALL=C")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	half := "mkdir -p \"$3/node_modules/half\"; exit 1\n" // npm ci --prefix DIRECTORY
	for range 2 {
		if out, err := install(half); err == nil {
			t.Fatalf("make bin/servers succeeds though npm fails:\n%s", out)
		}
	}
	if out, err := install("mkdir -p \"$3/node_modules/whole\"\n"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "bin", "servers", "node_modules"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "whole" {
		t.Errorf("installed are %v (%v)", entries, err)
	}
	if out, err := install("exit 1\n"); err != nil || !strings.Contains(out, "up to date") {
		t.Errorf("what is installed is installed again: %v\n%s", err, out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, info.Mode()); err != nil {
		t.Fatal(err)
	}
}

func writeProgram(t *testing.T, path, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}
