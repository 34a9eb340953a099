package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// installed copies the agent into a directory of its own.
func installed(t *testing.T) (path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "agent")
	if err := os.WriteFile(path, program, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// server writes a controlserver that tells which one it is and what it got.
func server(t *testing.T, dir, name string, mode os.FileMode) {
	t.Helper()
	script := "#!/bin/sh\necho \"" + name + ":$$:$*:$MARK:$(cat)\"\nexit 3\n"
	if err := os.WriteFile(filepath.Join(dir, "controlserver"), []byte(script), mode); err != nil {
		t.Fatal(err)
	}
}

// handedOver runs `agent status …` and returns what came of it.
func handedOver(t *testing.T, path, search string) (stdout, stderr string, status, pid int) {
	t.Helper()
	cmd := exec.Command(path, "status", "--json", "a b")
	cmd.Env = []string{asAgent + "=1", "GORACE=atexit_sleep_ms=0", "MARK=mark", "PATH=" + search}
	cmd.Stdin = strings.NewReader("input")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode(), cmd.ProcessState.Pid()
}

func TestHandOver(t *testing.T) {
	path := installed(t)
	dir := filepath.Dir(path)
	elsewhere, links := t.TempDir(), t.TempDir()
	server(t, elsewhere, "elsewhere", 0o700)
	link := filepath.Join(links, "agent")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	search := links + ":.::" + elsewhere + ":/usr/bin:/bin"

	if out, _, status, _ := handedOver(t, path, search); !strings.HasPrefix(out, "elsewhere:") || status != 3 {
		t.Errorf("found on PATH: %d, %s", status, out)
	}
	server(t, dir, "beside", 0o700)
	for _, program := range []string{path, link} {
		out, errs, status, pid := handedOver(t, program, search)
		fields := strings.Split(strings.TrimSpace(out), ":")
		if len(fields) != 5 || fields[0] != "beside" || fields[2] != "status --json a b" || fields[3] != "mark" || fields[4] != "input" {
			t.Errorf("%s: got %q", program, out)
		}
		if status != 3 || errs != "" {
			t.Errorf("%s: status %d, stderr %s", program, status, errs)
		}
		if got := strings.TrimSpace(out); !strings.Contains(got, ":"+strconv.Itoa(pid)+":") {
			t.Errorf("%s: process %d became another: %s", program, pid, got)
		}
	}
}

func TestHandOverFails(t *testing.T) {
	path := installed(t)
	_, errs, status, _ := handedOver(t, path, "/nowhere:.:"+t.TempDir())
	if want := "error: agent status is done by controlserver: it is neither in " + filepath.Dir(path) + " nor on PATH\nhint: install both"; status != 1 || !strings.HasPrefix(errs, want) {
		t.Errorf("without one: %d, %s", status, errs)
	}
	server(t, filepath.Dir(path), "beside", 0o600)
	_, errs, status, _ = handedOver(t, path, "")
	if want := "run " + filepath.Dir(path) + "/controlserver: permission denied"; status != 1 || !strings.Contains(errs, want) {
		t.Errorf("one that is no program: %d, %s", status, errs)
	}
}
