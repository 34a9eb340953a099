package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
)

// agentBeside puts a program called agent beside this one.
func agentBeside(t *testing.T) (path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(filepath.Dir(self), "agent")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho agent dev\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(path) })
	return path
}

// files is what is in a project, apart from the daemon's own.
func files(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func TestInit(t *testing.T) {
	agentBeside(t)
	dir := daemontest.Project(t)
	vars := []string{"HOME=" + daemontest.Project(t)}

	r := runProgram(t, dir, vars, "init", "--dry-run")
	r.want(t, 0, "+++ "+dir+"/.mcp.json", "")
	if left := files(t, dir); left != "" || !strings.Contains(r.out, "nothing was changed: this was a dry run\n") {
		t.Errorf("a dry run left %s and said\n%s", left, r.out)
	}

	runProgram(t, dir, vars, "init").want(t, 1, "", "there is no terminal to ask at")
	if left := files(t, dir); left != "" {
		t.Errorf("without an answer it left %s", left)
	}
	runProgram(t, dir, vars, "init", "--yes").want(t, 0, "made "+dir+"/.mcp.json\n", "")
	if made := files(t, dir); made != ".claude/settings.json .mcp.json .tidepool/.gitignore .tidepool/config.json" {
		t.Errorf("made %s", made)
	}
	settings, err := os.ReadFile(filepath.Join(dir, ".claude", "settings.json"))
	if err != nil || !strings.Contains(string(settings), `"command": "agent"`) {
		t.Errorf("no agent in the settings: %v\n%s", err, settings)
	}
	runProgram(t, dir, vars, "config").want(t, 0, " .tidepool/config.json:3\n", "")
	runProgram(t, dir, vars, "init", "--yes").want(t, 0, "nothing to change\n", "")

	runProgram(t, dir, vars, "uninit", "--yes").want(t, 0, "removed "+dir+"/.mcp.json\n", "")
	if left := files(t, dir); left != ".tidepool/.gitignore .tidepool/config.json" {
		t.Errorf("left %s", left)
	}
}

// uninit ends the daemon, says what it leaves, and with --purge what it removes.
func TestUninitEndsTheDaemon(t *testing.T) {
	agentBeside(t)
	dir := daemontest.Project(t)
	vars := []string{"HOME=" + daemontest.Project(t)}
	d := startDaemon(t, dir, nil)
	r := runProgram(t, dir, vars, "uninit", "--dry-run")
	r.want(t, 0, fmt.Sprintf("the daemon (pid %d) is ended\n", d.PID()), "")
	if !strings.Contains(r.out, "nothing was changed") {
		t.Errorf("it said\n%s", r.out)
	}
	r = runProgram(t, dir, vars, "uninit", "--yes")
	r.want(t, 0, fmt.Sprintf("stopped the daemon (pid %d)\n", d.PID()), "")
	if left := "left: " + dir + "/.tidepool with logs"; !strings.Contains(r.out, left) || !strings.Contains(r.out, "; agent uninit --purge removes it\n") {
		t.Errorf("no %q in\n%s", left, r.out)
	}
	if d.Wait(t) != 0 {
		t.Error("the daemon did not end well")
	}

	runProgram(t, dir, vars, "uninit", "--purge", "--user").want(t, 2, "", "can't be used together")
	runProgram(t, dir, vars, "uninit", "--purge", "--dry-run").want(t, 0, dir+"/.tidepool is removed with all that is in it: ", "")
	d = startDaemon(t, dir, nil)
	runProgram(t, dir, vars, "uninit", "--purge", "--yes").want(t, 0, "removed "+dir+"/.tidepool\n", "")
	if d.Wait(t) != 0 || files(t, dir) != "" {
		t.Errorf("left %s", files(t, dir))
	}
}

// A clone's link in the place of the state directory leads uninit nowhere.
func TestPurgeFollowsNoLink(t *testing.T) {
	dir, precious := daemontest.Project(t), daemontest.Project(t)
	if err := os.WriteFile(filepath.Join(precious, "notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(precious, filepath.Join(dir, ".tidepool")); err != nil {
		t.Fatal(err)
	}
	runProgram(t, dir, []string{"HOME=" + daemontest.Project(t)}, "uninit", "--purge", "--yes").want(t, 1, "", "cannot use "+dir+"/.tidepool")
	if left := files(t, precious); left != "notes" {
		t.Errorf("left %s", left)
	}
}

func TestInitRefuses(t *testing.T) {
	dir := daemontest.Project(t)
	vars := []string{"HOME=" + daemontest.Project(t)}
	runProgram(t, dir, vars, "init", "--yes").want(t, 1, "", "error: there is no ")
	agentBeside(t)
	runProgram(t, dir, vars, "init", "--user", "--local").want(t, 2, "", "can't be used together")
	if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte("{\n// mine\n}"), 0o600); err != nil {
		t.Fatal(err)
	}
	runProgram(t, dir, vars, "init", "--yes").want(t, 1, "", dir+"/.mcp.json:2")
	if left := files(t, dir); left != ".mcp.json" {
		t.Errorf("left %s", left)
	}
}
