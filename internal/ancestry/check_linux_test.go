package ancestry

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// leaf is a shell command: a process that says its id and then lives until its input ends.
const leaf = `echo $$; exec cat >/dev/null`

// orphan runs a shell command without a parent, in a session of its own, once the shell around it has ended. A child in
// the background has no input; this one's is kept.
func orphan(command string) string {
	return `exec 3<&0; setsid sh -c '` + command + `' <&3 & exit 0`
}

// A tree is a command and the processes below it.
type tree struct {
	path string   // the executable
	args []string // with the name it is called by
	env  []string
	tty  bool // it has a terminal of its own
}

func shell(path, command string) tree {
	return tree{path: path, args: []string{filepath.Base(path), "-c", command}}
}

func (r tree) with(env ...string) tree { r.env = env; return r }

// grow starts the processes, which end with the test, and returns the id that the last of them says.
func (r tree) grow(t *testing.T) (pid int) {
	t.Helper()
	cmd := &exec.Cmd{Path: r.path, Args: r.args, Env: append([]string{"PATH=" + os.Getenv("PATH")}, r.env...)}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if r.tty {
		cmd.ExtraFiles = []*os.File{terminal(t)}
		cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 3
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	t.Cleanup(func() {
		in.Close()
		_, _ = io.Copy(io.Discard, out) // until the last of them has ended
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %v", r.args, err)
	}
	pid, err = strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.args[len(r.args)-1], "exit 0") {
		_, _ = cmd.Process.Wait() // the one that started it is gone
	}
	return pid
}

// terminal is the program's side of a new terminal.
func terminal(t *testing.T) *os.File {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	side, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { side.Close() })
	return side
}

// copyShell makes an executable that is a shell by another name.
func copyShell(t *testing.T, elements ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{t.TempDir()}, elements...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// script writes a shell script.
func script(t *testing.T, text string, elements ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{t.TempDir()}, elements...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// below is leaf as a grandchild, so that the shell around it stays.
const below = `sh -c 'echo $$; exec cat >/dev/null'; true`

func TestCheck(t *testing.T) {
	const sh = "/bin/sh"
	claudeCode := copyShell(t, "claude")
	running := strconv.Itoa(shell(claudeCode, below).grow(t))
	parent, err := look(mustAtoi(t, running))
	if err != nil {
		t.Fatal(err)
	}
	session := "CLAUDE_PID=" + strconv.Itoa(parent.parent)
	link := filepath.Join(t.TempDir(), "claude")
	if err := os.Symlink(sh, link); err != nil {
		t.Fatal(err)
	}
	cli := script(t, below, "node_modules", "@anthropic-ai", "claude-code", "cli.js")
	inTerminal := func(r tree) tree { r.tty = true; return r }
	for name, test := range map[string]struct {
		tree tree
		want string // of the error; "": a person's
	}{
		"a shell":                          {shell(sh, leaf), ""},
		"a shell in a terminal":            {inTerminal(shell(sh, leaf)), ""},
		"a shell below an editor":          {shell(copyShell(t, "code"), below), ""},
		"an editor with a file of claude":  {tree{path: copyShell(t, "vim"), args: []string{"vim", script(t, below, "claude")}}, ""},
		"an orphan":                        {shell(sh, orphan(leaf)), ""},
		"claude by its executable":         {shell(claudeCode, below), "was started by Claude Code"},
		"claude by its own name":           {tree{path: sh, args: []string{"claude", "-c", below}}, "was started by Claude Code"},
		"claude by a link":                 {tree{path: link, args: []string{"sh", "-c", below}}, "was started by Claude Code"},
		"claude's native install":          {shell(copyShell(t, "claude", "versions", "2.1.328"), below), "was started by Claude Code"},
		"claude by npm":                    {tree{path: copyShell(t, "node"), args: []string{"node", cli}}, "was started by Claude Code"},
		"a session below claude":           {shell(claudeCode, `setsid -w sh -c '`+leaf+`'; true`), "was started by Claude Code"},
		"a terminal below claude":          {inTerminal(shell(claudeCode, below)), "was started by Claude Code"},
		"a cleaned process below claude":   {shell(claudeCode, `env -i PATH="$PATH" sh -c '`+leaf+`'; true`), "was started by Claude Code"},
		"an orphan of claude":              {shell(claudeCode, orphan(leaf)).with("CLAUDECODE=1"), "has CLAUDECODE in its environment and no terminal"},
		"a cleaned child of an orphan":     {shell(sh, orphan(`env -u CLAUDECODE sh -c "echo \$\$; exec cat >/dev/null"; true`)).with("CLAUDECODE=1"), "no terminal"},
		"an orphan of a session that runs": {shell(sh, orphan(leaf)).with("CLAUDECODE=1", session), "has the environment of Claude Code (process " + strconv.Itoa(parent.parent)},
		// A multiplexer that was started in a session, and its panes.
		"a terminal of a session that runs":    {inTerminal(shell(sh, leaf)).with("CLAUDECODE=1", session), "which runs"},
		"a terminal of a session that is over": {inTerminal(shell(sh, leaf)).with("CLAUDECODE=1", "CLAUDE_PID=4194305"), ""},
		// The limit: nothing is left to tell it by.
		"an orphan that was cleaned before": {shell(sh, orphan(leaf)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := Check(test.tree.grow(t), nil)
			var refused *ModelError
			if test.want == "" && err != nil || test.want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) || refused.Hint() == "") {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func mustAtoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCheckOfWhatIsNotThere(t *testing.T) {
	cmd := exec.Command("/bin/true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{0, -1, cmd.Process.Pid} {
		var unseen *UnseenError
		if err := Check(pid, nil); !errors.As(err, &unseen) {
			t.Errorf("%d: %v", pid, err)
		}
	}
}

// TestSessions has a Claude Code that no name gives away, a hook of it that says so, and one that names a stranger.
func TestSessions(t *testing.T) {
	odd := script(t, `sh -c 'export CLAUDECODE=1 CLAUDE_PID=$PPID; exec sh -c "echo \$\$; exec cat >/dev/null"'; true`, "wrapper")
	grown := func() int { return tree{path: copyShell(t, "my-agent"), args: []string{"my-agent", odd}}.grow(t) }
	inTerminal := shell("/bin/sh", leaf)
	inTerminal.tty = true
	var known Sessions
	hook, other := grown(), grown()
	parent, err := look(hook)
	if err != nil {
		t.Fatal(err)
	}
	stranger := inTerminal.with("CLAUDECODE=1", "CLAUDE_PID="+strconv.Itoa(parent.parent)).grow(t)
	known.Hook(stranger) // names a process that is none of its parents
	if err := Check(stranger, &known); err != nil {
		t.Errorf("a stranger was believed: %v", err)
	}
	known.Hook(hook)
	for pid, want := range map[int]string{hook: "was started by", stranger: "which runs", other: "no terminal"} {
		if err := Check(pid, &known); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want %q", pid, err, want)
		}
	}
	var byClient Sessions
	server := shell(copyShell(t, "ide-agent"), below).grow(t)
	if err := Check(server, &byClient); err != nil {
		t.Error(err)
	}
	byClient.Client(server)
	if err := Check(server, &byClient); err == nil {
		t.Error("a child of a client passes")
	}
}
