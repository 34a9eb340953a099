package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// The test binary is the agent when this variable is set, so that tests have
// a process with inherited descriptors, signals and an exit status.
const asAgent = "TEST_RUN_AS_AGENT"

func TestMain(m *testing.M) {
	if os.Getenv(asAgent) != "" {
		main()
	}
	os.Exit(m.Run())
}

func agent(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = []string{asAgent + "=1", "GORACE=atexit_sleep_ms=0"}
	return cmd
}

func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		args           []string
		status         int
		stdout, stderr string
	}{
		{nil, 2, "", "Usage: agent"},
		{[]string{"help"}, 0, "Usage: agent", ""},
		{[]string{"--help"}, 0, "Usage: agent", ""},
		{[]string{"--version"}, 0, "agent ", ""},
		{[]string{"hok"}, 2, "", "unknown command \"hok\"\nhint: did you mean `agent hook`?"},
		{[]string{"quesitons"}, 2, "", "did you mean `agent questions`?"},
		{[]string{"zebra"}, 2, "", "hint: run `agent help`"},
		{[]string{"mcp", "x"}, 2, "", "takes no arguments"},
		{[]string{"lsp"}, 2, "", "takes one language"},
		{[]string{"lsp", "--stdio"}, 2, "", "takes one language"},
		{[]string{"lsp", "go"}, 1, "", "error: no language server for go: tidepool does not serve " + dir + ": run `agent init`"},
		{[]string{"health", "--redy"}, 2, "", "does not understand --redy"},
		{[]string{"health", "--timeout=soon"}, 2, "", `a duration such as 5s, not "soon"`},
		{[]string{"health", "--timeout", "-1s"}, 2, "", "a duration"},
		{[]string{"health", "--timeout"}, 2, "", "does not understand --timeout"},
		{[]string{"health", "--ready", "--timeout", "1s"}, 1, "", "error: no daemon answers"},
		{[]string{"hook", "pre-tool-use"}, 0, "", ""},
		{[]string{"hook", "PreToolUse", "--runtime", "gemini"}, 0, "", ""},
		{[]string{"hook", "--runtime=claude", "not-invented-yet"}, 0, "", ""},
		// Exit status 2 would have Claude Code refuse what it asks about.
		{[]string{"hook"}, 1, "", "needs an event"},
		{[]string{"hook", "stop", "stop"}, 1, "", "takes one event"},
		{[]string{"hook", "stop", "--runtime", "emacs"}, 1, "", "--runtime is claude, codex, cursor or gemini"},
		{[]string{"hook", "stop", "--runtime"}, 1, "", "does not understand --runtime"},
		{[]string{"hook", "stop", "--fast"}, 1, "", "does not understand --fast"},
	} {
		cmd := agent(t, dir, test.args...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if status := cmd.ProcessState.ExitCode(); status != test.status {
			t.Errorf("%q: status %d, %v", test.args, status, err)
		}
		if !matches(stdout.String(), test.stdout) || !matches(stderr.String(), test.stderr) {
			t.Errorf("%q: stdout %q, stderr %q", test.args, stdout.String(), stderr.String())
		}
	}
}

// matches: nothing is wanted and there is nothing, or what is wanted is there.
func matches(got, want string) bool {
	return want == "" && got == "" || want != "" && strings.Contains(got, want)
}

// stdins are what a hook may inherit: Claude Code gives it a socket.
func stdins(t *testing.T) map[string]func() (parent io.WriteCloser, child *os.File) {
	return map[string]func() (io.WriteCloser, *os.File){
		"pipe": func() (io.WriteCloser, *os.File) {
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			return write, read
		},
		"socket": func() (io.WriteCloser, *os.File) {
			pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err != nil {
				t.Fatal(err)
			}
			syscall.CloseOnExec(pair[0]) // the child must not hold its own input open
			syscall.CloseOnExec(pair[1])
			return os.NewFile(uintptr(pair[0]), "parent"), os.NewFile(uintptr(pair[1]), "child")
		},
	}
}

func TestHookProcess(t *testing.T) {
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		c.Reply(&protocol.HookResponse{Output: []byte(`{"systemMessage":"hi"}`), ExitCode: 3})
	})
	for name, open := range stdins(t) {
		t.Run(name, func(t *testing.T) {
			parent, child := open()
			cmd := agent(t, dir, "hook", "pre-tool-use")
			cmd.Stdin = child
			var stdout bytes.Buffer
			cmd.Stdout = &stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			child.Close()
			for _, part := range []string{`{"hook_event_name":`, `"PreToolUse","tool_name":"Bash"}`, "\n"} {
				if _, err := io.WriteString(parent, part); err != nil {
					t.Fatal(err)
				}
			}
			parent.Close()
			var failed *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &failed) || failed.ExitCode() != 3 {
				t.Errorf("got %v", err)
			}
			if stdout.String() != `{"systemMessage":"hi"}`+"\n" {
				t.Errorf("stdout %q", stdout.String())
			}
		})
	}
}

// A client that never ends the input must not hold the hook for ever.
func TestHookProcessWithoutEndOfInput(t *testing.T) {
	dir := peertest.Project(t)
	for name, open := range stdins(t) {
		t.Run(name, func(t *testing.T) {
			parent, child := open()
			defer parent.Close()
			cmd := agent(t, dir, "hook", "pre-tool-use")
			cmd.Env = append(cmd.Env, "TIDEPOOL_HOOK_TIMEOUT=100ms")
			cmd.Stdin = child
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			start := time.Now()
			if err := cmd.Run(); err != nil {
				t.Error(err)
			}
			child.Close()
			if took := time.Since(start); took > 4*time.Second || !strings.Contains(stderr.String(), "did not end in time") {
				t.Errorf("after %v: %s", took, stderr.String())
			}
		})
	}
}

func TestMCPProcessEnds(t *testing.T) {
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n"
	for name, end := range map[string]func(*exec.Cmd, io.Closer){
		"end of input": func(_ *exec.Cmd, stdin io.Closer) { stdin.Close() },
		"SIGTERM":      func(cmd *exec.Cmd, _ io.Closer) { _ = cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":       func(cmd *exec.Cmd, _ io.Closer) { _ = cmd.Process.Signal(syscall.SIGINT) },
	} {
		t.Run(name, func(t *testing.T) {
			cmd := agent(t, peertest.Project(t), "mcp")
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(stdin, initialize); err != nil {
				t.Fatal(err)
			}
			if line, err := protocol.NewReader(stdout).ReadLine(); err != nil || !bytes.Contains(line, []byte(`"protocolVersion":"2025-06-18"`)) {
				t.Fatalf("got %s, %v", line, err)
			}
			start := time.Now()
			end(cmd, stdin)
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > 5*time.Second { // one that waited for an answer would take twice that
				t.Errorf("took %v", took)
			}
		})
	}
}
