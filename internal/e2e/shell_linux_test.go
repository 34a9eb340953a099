package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

const shellSecret = "tok-4f9Qw7Lx2Zb8Rm"

// lineOf returns a model's command as Claude Code hands it to the program of CLAUDE_CODE_SHELL_PREFIX.
func lineOf(command, cwdFile string) string {
	return "source /nowhere 2>/dev/null || true && eval '" + strings.ReplaceAll(command, "'", `'\''`) + "' < /dev/null && pwd -P >| " + cwdFile
}

// shellEnv is the environment of a session with a secret.
func shellEnv(dir, mode string) []string {
	return append(os.Environ(), "DEPLOY_TOKEN="+shellSecret, "TIDEPOOL_PROJECT_DIR="+dir, "TIDEPOOL_FAIL_MODE="+mode,
		"CLAUDE_CODE_SESSION_ID=s", "CLAUDE_CODE_SHELL=", "SHELL=/bin/bash")
}

// shellCommand prepares `agent shell` by its link.
func shellCommand(t *testing.T, dir, mode, command string) *exec.Cmd {
	t.Helper()
	link := filepath.Join(t.TempDir(), "agent-shell")
	if err := os.Symlink(filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), "agent"), link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, lineOf(command, filepath.Join(dir, "cwd")))
	cmd.Dir, cmd.Env = dir, shellEnv(dir, mode)
	return cmd
}

// A command behind `agent shell` ends as it would without, and its output has no secret.
func TestShell(t *testing.T) {
	dir := t.TempDir()
	startedDaemon(t, dir)
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		command, stdout, stderr string
		status                  int
	}{
		"fine":      {command: "echo a $DEPLOY_TOKEN b; echo $DEPLOY_TOKEN >&2", stdout: "a [SECRET_1] b\n", stderr: "[SECRET_1]\n"},
		"failing":   {command: "echo $DEPLOY_TOKEN; exit 3", stdout: "[SECRET_1]\n", status: 3},
		"encoded":   {command: "printf %s $DEPLOY_TOKEN | base64", stdout: "[SECRET_1]\n"},
		"split":     {command: "printf ${DEPLOY_TOKEN:0:7}; sleep 0.2; printf ${DEPLOY_TOKEN:7}; exit 1", stdout: "[SECRET_1]", status: 1},
		"unknown":   {command: "no-such-program-here", status: 127, stderr: "…not found"},
		"bytes":     {command: `printf '\377\000\n'`, stdout: "\xff\x00\n"},
		"directory": {command: "cd sub && echo $0", stdout: "/bin/bash\n"},
		"quotes":    {command: `echo "it's" 'so $x'`, stdout: "it's so $x\n"},
	} {
		got := end(t, shellCommand(t, dir, "closed", test.command))
		part, partly := strings.CutPrefix(test.stderr, "…")
		if got.status != test.status || got.stdout != test.stdout || !partly && got.stderr != test.stderr || !strings.Contains(got.stderr, part) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if cwd, err := os.ReadFile(filepath.Join(dir, "cwd")); err != nil || len(bytes.TrimSpace(cwd)) == 0 {
		t.Errorf("the file of the working directory: %q, %v", cwd, err)
	}
}

// Where stdout and stderr are one file the order of what is written to them stays.
func TestShellKeepsOrder(t *testing.T) {
	dir := t.TempDir()
	startedDaemon(t, dir)
	cmd := shellCommand(t, dir, "closed", "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done")
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both // one pipe for both
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	want := ""
	for i := 1; i < 10; i++ {
		want += fmt.Sprintf("out %d\nerr %d\n", i, i)
	}
	if both.String() != want {
		t.Errorf("got %q", both.String())
	}
}

// A large output comes whole, with a secret wherever the parts are cut, and none is shown.
func TestShellLargeOutput(t *testing.T) {
	dir := t.TempDir()
	startedDaemon(t, dir)
	got := end(t, shellCommand(t, dir, "closed", `for i in {1..20000}; do echo "line $i of a long output $DEPLOY_TOKEN and so on"; done; exit 4`))
	if n := strings.Count(got.stdout, "[SECRET_1]"); got.status != 4 || n != 20000 || strings.Contains(got.stdout, shellSecret) || got.stderr != "" {
		t.Errorf("status %d, %d tokens, stderr %q", got.status, n, got.stderr)
	}
	got = end(t, shellCommand(t, dir, "closed", `for i in {1..3000}; do printf "%s without a line's end $DEPLOY_TOKEN" $i; done`))
	if n := strings.Count(got.stdout, "[SECRET_1]"); n != 3000 || strings.Contains(got.stdout, shellSecret) {
		t.Errorf("one line: %d tokens", n)
	}
}

// A signal that ends the command ends `agent shell`, and one that it gets reaches the command.
func TestShellSignals(t *testing.T) {
	dir := t.TempDir()
	startedDaemon(t, dir)
	cmd := shellCommand(t, dir, "closed", "echo $DEPLOY_TOKEN; kill -KILL $$")
	got := end(t, cmd)
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGKILL || got.stdout != "[SECRET_1]\n" {
		t.Errorf("%v, %+v", cmd.ProcessState, got)
	}
	cmd = shellCommand(t, dir, "closed", "trap 'echo got it; exit 5' TERM; echo ready; while :; do read -t 1 x <> <(:); done")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 6)
	if _, err := out.Read(text); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var rest bytes.Buffer
	if _, err := rest.ReadFrom(out); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 5 || rest.String() != "got it\n" {
		t.Errorf("%v, %q", err, rest.String())
	}
}

// What a command leaves in the background goes on, does not hold the command up, and what it writes later has no secret.
func TestShellLeavesBackground(t *testing.T) {
	dir := t.TempDir()
	startedDaemon(t, dir)
	fifo := filepath.Join(dir, "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	out, err := os.Create(filepath.Join(dir, "out"))
	must(t, err)
	defer out.Close()
	cmd := shellCommand(t, dir, "closed", "(read x < fifo; echo late $DEPLOY_TOKEN; echo done > fifo) & echo soon $DEPLOY_TOKEN")
	cmd.Stdout, cmd.Stderr = out, out
	must(t, cmd.Run())
	text, err := os.ReadFile(out.Name())
	if err != nil || string(text) != "soon [SECRET_1]\n" {
		t.Fatalf("%q, %v", text, err)
	}
	must(t, os.WriteFile(fifo, []byte("go\n"), 0))
	if _, err := os.ReadFile(fifo); err != nil { // it has written
		t.Fatal(err)
	}
	for giveUp := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		if string(text) == "soon [SECRET_1]\nlate [SECRET_1]\n" {
			return
		}
		if time.Now().After(giveUp) {
			t.Fatalf("%q", text)
		}
	}
}

// Several arguments are a program that Claude Code starts behind the same variable, such as an MCP server: it gets them as they are.
func TestShellRunsPrograms(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), "agent"), "shell", "printf", "%s|", "a b", "$x;y", "")
	cmd.Dir, cmd.Env = dir, os.Environ()
	if got := end(t, cmd); got.stdout != "a b|$x;y||" || got.status != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// Without tidepool in the project a line runs as it is, without a word.
func TestShellElsewhere(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), "agent"), "shell", "echo $DEPLOY_TOKEN; exit 7")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "DEPLOY_TOKEN="+shellSecret, "TIDEPOOL_FAIL_MODE=closed")
	if got := end(t, cmd); got.stdout != shellSecret+"\n" || got.status != 7 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// Without a daemon that may be started the mode decides.
func TestShellWithoutDaemon(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, protocol.StateDir), 0o700))
	run := func(mode string) ending {
		cmd := shellCommand(t, dir, mode, "touch ran; echo $DEPLOY_TOKEN")
		cmd.Env = append(cmd.Env, "TIDEPOOL_AUTOSTART=0")
		return end(t, cmd)
	}
	if got := run("closed"); got.status != 126 || got.stdout != "" || !strings.Contains(got.stderr, "was not run") {
		t.Errorf("closed: %+v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("closed: the command has run: %v", err)
	}
	if got := run("open"); got.status != 0 || got.stdout != shellSecret+"\n" || strings.Count(got.stderr, "not searched for secrets") != 1 {
		t.Errorf("open: %+v", got)
	}
}

// A daemon that was stopped by SIGSTOP, before a command or in the middle of one, holds nothing up for long.
func TestShellStoppedDaemon(t *testing.T) {
	for _, mode := range []string{"open", "closed"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel() // it waits for what a stopped daemon does not answer
			stopInTheMiddle(t, mode)
		})
	}
}

func stopInTheMiddle(t *testing.T, mode string) {
	dir := t.TempDir()
	pid := startedDaemon(t, dir)
	fifo := filepath.Join(dir, "fifo-"+mode)
	must(t, syscall.Mkfifo(fifo, 0o600))
	cmd := shellCommand(t, dir, mode, "echo first $DEPLOY_TOKEN; read x < "+fifo+"; echo second $DEPLOY_TOKEN; exit 9")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	first := make([]byte, len("first [SECRET_1]\n"))
	if _, err := out.Read(first); err != nil || string(first) != "first [SECRET_1]\n" {
		t.Fatalf("%s: %q, %v", mode, first, err)
	}
	must(t, daemontest.Halt(pid))
	must(t, os.WriteFile(fifo, []byte("go\n"), 0))
	var rest bytes.Buffer
	_, err = rest.ReadFrom(out)
	must(t, err)
	_ = cmd.Wait()
	want := map[string]string{"open": "second " + shellSecret + "\n", "closed": ""}[mode]
	if rest.String() != want || cmd.ProcessState.ExitCode() != 9 || !strings.Contains(stderr.String(), "the rest of this output is") {
		t.Errorf("%s, in the middle: %v, %q, %q", mode, cmd.ProcessState, rest.String(), stderr.String())
	}
	late := make(chan time.Duration, 1)
	go func() { late <- lateness(2 * time.Second) }()
	got := end(t, shellCommand(t, dir, mode, "echo $DEPLOY_TOKEN"))
	if got.took-<-late > 5*time.Second || (got.status == 126) != (mode == "closed") || strings.Contains(got.stdout, shellSecret) != (mode == "open") {
		t.Errorf("%s, from the start: %+v", mode, got)
	}
	must(t, syscall.Kill(pid, syscall.SIGCONT))
}

// Secrets that an agent reports at the start of a session are replaced in what a tool returns, and the value reaches neither the
// daemon's memory by name nor its files.
func TestNativeToolsAreScrubbed(t *testing.T) {
	dir := t.TempDir()
	pid := startedDaemon(t, dir)
	must(t, os.WriteFile(filepath.Join(dir, ".env"), []byte("DB_PASSWORD=h7Kq2vXz9LmPw\n"), 0o600))
	hook := func(event protocol.Event, input string) ending {
		p := project{dir: dir, env: shellEnv(dir, "closed")}
		cmd := p.command(context.Background(), "agent", "hook", event.Kebab())
		cmd.Stdin = strings.NewReader(input)
		return end(t, cmd)
	}
	if got := hook(protocol.SessionStart, `{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`); got.status != 0 || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	got := hook(protocol.PostToolUse, `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{},"tool_response":`+
		`{"stdout":"`+shellSecret+` h7Kq2vXz9LmPw","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}`)
	want := `"updatedToolOutput":{"stdout":"[SECRET_1] [SECRET_2]","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}`
	if got.status != 0 || !strings.Contains(got.stdout, want) {
		t.Errorf("%+v", got)
	}
	got = hook(protocol.PreToolUse, `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write","tool_input":{"content":"PASSWORD=[SECRET_2]"}}`)
	if !strings.Contains(got.stdout, `"permissionDecision":"deny"`) {
		t.Errorf("a token may be written: %+v", got)
	}
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil || bytes.Contains(environ, []byte(shellSecret)) {
		t.Errorf("the daemon's environment: %v", err)
	}
	found, err := exec.Command("grep", "-rl", "-e", shellSecret, "-e", "h7Kq2vXz9LmPw", filepath.Join(dir, protocol.StateDir)).Output()
	if len(found) > 0 {
		t.Errorf("a value is in %s: %v", found, err)
	}
}
