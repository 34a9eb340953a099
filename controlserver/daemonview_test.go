package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
)

// What a daemon was started with counts, and not what the shell of whoever asks has.
func TestDaemonsOwnView(t *testing.T) {
	agentBeside(t)
	dir := daemontest.Project(t)
	here := []string{"GEMMA_ENDPOINT=", "HOME=" + dir}

	const none = "no daemon runs; one that starts here: heuristic, as none is chosen"
	if f := examined(t, dir, here)["scorer"]; !f.OK || !strings.Contains(f.Text, none) {
		t.Errorf("without a daemon: %+v", f)
	}
	runProgram(t, dir, here, "config").want(t, 0, "no daemon runs: one that is started here and now has these settings\n", "")

	other := t.TempDir()
	d := startDaemon(t, dir, []string{"GEMMA_ENDPOINT=http://me:hunter2@127.0.0.1:9", "PATH=" + other + ":" + os.Getenv("PATH"), "GH_TOKEN=hunter2", "CLAUDE_PROJECT_DIR=" + dir})
	whose := fmt.Sprintf("the daemon (pid %d)", d.PID())
	found := examined(t, dir, here)
	if f := found["scorer"]; f.OK || !strings.HasPrefix(f.Text, whose+": ") || !strings.Contains(f.Text, "127.0.0.1:9") {
		t.Errorf("its scorer: %+v", f)
	}
	if f := found["environment"]; !f.OK || !strings.HasPrefix(f.Text, whose+" has other variables than this shell: ") || !strings.Contains(f.Text, "PATH="+other+":") {
		t.Errorf("its environment: %+v", f)
	}
	if f := found["PATH"]; !strings.Contains(f.Text, "the PATH that Claude Code gave the daemon") {
		t.Errorf("where its agent is looked for: %+v", f)
	}

	// A setting that takes effect at the next start is shown as it is now.
	daemontest.WriteConfig(t, dir, `{"log": {"level": "debug"}}`)
	r := runProgram(t, dir, here, "config")
	r.want(t, 0, whose+" has these settings\n", "")
	for _, want := range []string{`"http://127.0.0.1:9"`, "GEMMA_ENDPOINT\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	for line := range strings.Lines(r.out) {
		if fields := strings.Fields(line); fields[0] == "log.level" && fields[1] != `"info"` {
			t.Errorf("not as the daemon has it: %s", line)
		}
	}
	status := runProgram(t, dir, here, "status")
	status.want(t, 0, "ollama: functiongemma:270m at http://127.0.0.1:9\n", "")
	for what, out := range map[string]string{"config": r.out, "status": status.out, "doctor": fmt.Sprint(found), "log": readLog(t, dir)} {
		if strings.Contains(out, "hunter2") {
			t.Errorf("%s tells a secret", what)
		}
	}
}

func readLog(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, ".tidepool", "logs", "controlserver.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
