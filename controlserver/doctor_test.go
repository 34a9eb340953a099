package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/internal/doctor"
)

// examined is what doctor --json says, by name.
func examined(t *testing.T, dir string, vars []string, args ...string) map[string]doctor.Finding {
	t.Helper()
	r := runProgram(t, dir, append(vars, "HOME="+dir), append([]string{"doctor", "--json"}, args...)...)
	var report struct {
		OK       bool
		Findings []doctor.Finding
	}
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Fatalf("%v in %s%s", err, r.out, r.err)
	}
	problems, _ := doctor.Problems(report.Findings)
	if report.OK != (problems == 0) || r.code != min(problems, 1) {
		t.Errorf("%d problems, ok %v, exit code %d", problems, report.OK, r.code)
	}
	found := map[string]doctor.Finding{}
	for _, f := range report.Findings {
		found[f.Name] = f
	}
	return found
}

// Each part of a broken project is told, and what is safe is mended.
func TestDoctor(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"reddy_budget": "3s"}`)
	deaf := startDaemon(t, daemontest.Project(t), nil) // of another project: it is none of ours
	state := filepath.Join(dir, ".tidepool")
	if err := os.Chmod(state, 0o755); err != nil {
		t.Fatal(err)
	}
	bareModule(t, dir)
	poor := []string{"PATH=/usr/bin:/bin", "GOPATH=" + dir}

	found := examined(t, dir, poor)
	for name, want := range map[string]string{
		"agent":                  "there is no program",
		"Claude Code":            "not installed",
		"state":                  "open to other users (mode 755)",
		"settings":               "config.json:1: reddy_budget: unknown key",
		"language server for Go": "gopls is not on PATH",
	} {
		if f := found[name]; f.OK || f.Fix == "" || !strings.Contains(f.Text, want) {
			t.Errorf("%s: %+v, want %q", name, f, want)
		}
	}
	for _, name := range []string{"lock", "socket", "log", "disk", "scorer"} {
		if f := found[name]; !f.OK {
			t.Errorf("%s: %+v", name, f)
		}
	}
	found = examined(t, dir, poor, "--fix")
	if info, err := os.Stat(state); err != nil || info.Mode().Perm() != 0o700 || !found["state"].Fixed {
		t.Errorf("the state directory is not mended: %v, %v, %+v", info, err, found["state"])
	}
	if found["settings"].OK {
		t.Error("the settings were mended by somebody")
	}
	if deaf.Status(t).PID != deaf.PID() {
		t.Error("the other daemon is not what it was")
	}
}

func TestDoctorOfADaemon(t *testing.T) {
	t.Parallel() // it waits for what a stopped daemon does not answer
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	if f := examined(t, dir, nil)["socket"]; !f.OK || !strings.Contains(f.Text, "the daemon answers") {
		t.Errorf("socket: %+v", f)
	}
	if err := os.Chmod(d.Socket(), 0o644); err != nil {
		t.Fatal(err)
	}
	if f := examined(t, dir, nil, "--fix")["socket"]; !f.Fixed {
		t.Errorf("open socket: %+v", f)
	}
	if err := daemontest.Halt(d.Cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if f := examined(t, dir, nil, "--fix")["socket"]; f.OK || !strings.Contains(f.Text, "does not answer") {
		t.Errorf("stopped daemon: %+v", f)
	}
	d.Signal(t, syscall.SIGKILL)
	d.Wait(t)
	if f := examined(t, dir, nil)["socket"]; f.OK || !strings.Contains(f.Text, "left of a daemon that died") {
		t.Errorf("dead daemon: %+v", f)
	}
	if f := examined(t, dir, nil, "--fix")["socket"]; !f.Fixed {
		t.Errorf("dead daemon, mended: %+v", f)
	}
	if _, err := os.Lstat(d.Socket()); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestDoctorAsksForTheModel(t *testing.T) {
	dir := daemontest.Project(t)
	for name, test := range map[string]struct {
		vars []string
		ok   bool
		want string
	}{
		"heuristic":  {[]string{"TIDEPOOL_SCOUT_SCORER=heuristic"}, true, "heuristic"},
		"nobody":     {nil, true, "none is chosen"},
		"down":       {[]string{"GEMMA_ENDPOINT=http://127.0.0.1:1"}, false, "cannot be reached"},
		"no address": {[]string{"TIDEPOOL_SCOUT_SCORER=ollama"}, false, ""},
	} {
		if f := examined(t, dir, test.vars)["scorer"]; f.OK != test.ok || !strings.Contains(f.Text, test.want) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// What a person reads: every line says whether it is fine, and every problem has a fix below it.
func TestDoctorForAPerson(t *testing.T) {
	dir := daemontest.Project(t)
	r := runProgram(t, dir, []string{"HOME=" + dir}, "doctor")
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	problems := 0
	for i, line := range lines {
		if len([]rune(line)) > 80 {
			t.Errorf("%d columns: %s", len([]rune(line)), line)
		}
		label := strings.TrimSpace(line[:min(len(line), 12)])
		if label == "PROBLEM" {
			problems++
		}
		if label != "" && label != "ok" && label != "PROBLEM" && label != "fix" {
			t.Errorf("line %d has the label %q", i+1, label)
		}
	}
	if fixes := strings.Count(r.out, "\n  fix "); problems == 0 || fixes != problems {
		t.Errorf("%d problems and %d fixes in\n%s", problems, fixes, r.out)
	}
	want := fmt.Sprintf("error: %d problems\nhint: agent doctor --fix mends 1 of them\n", problems)
	r.want(t, 1, "(agent doctor --fix", want)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("looking left %v in the project (%v)", entries, err)
	}
}
