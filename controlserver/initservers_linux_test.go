package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/internal/install/installtest"
)

// A machine of a person who has npm and git, and no language server. Its registry has pyright as the hint names it.
type machine struct {
	project, home string
	vars          []string
}

func newMachine(t *testing.T, pyright string) machine {
	t.Helper()
	m := machine{project: daemontest.Project(t), home: daemontest.Project(t)}
	if err := os.WriteFile(filepath.Join(m.project, "a.py"), []byte("def f(): pass\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := daemontest.Project(t)
	for _, name := range []string{"npm", "node", "git"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	url := installtest.Registry(t, installtest.Package{Name: "pyright", Version: pyright, Program: "pyright-langserver"})
	m.vars = []string{"HOME=" + m.home, "PATH=" + bin, "OLLAMA_HOST=127.0.0.1:1", "NPM_CONFIG_REGISTRY=" + url, "NPM_CONFIG_UPDATE_NOTIFIER=false"}
	return m
}

func (m machine) has(t *testing.T) bool {
	t.Helper()
	_, err := os.Stat(m.server())
	return err == nil
}

func (m machine) server() string { return filepath.Join(m.home, ".local", "bin", "pyright-langserver") }

// init says which languages the project has, and installs the missing servers if a person agrees.
func TestInitInstallsServers(t *testing.T) {
	agentBeside(t)
	const (
		question = "Shall these commands be run?"
		command  = "npm install -g --prefix ~/.local pyright@1.1.414"
	)
	m := newMachine(t, "1.1.414")
	r := runProgram(t, m.project, m.vars, "init", "--yes")
	r.want(t, 0, "language: Python, 1 file: no language server for Python: pyright-langserver is not on PATH; run: "+command+"\n", "")
	runProgram(t, m.project, m.vars, "init", "--dry-run", "--install-servers").want(t, 0, "missing servers can be installed by:\n  "+command+"\n", "")
	for _, reply := range []string{"n", "y"} {
		if m.has(t) {
			t.Fatalf("installed before %s", reply)
		}
		questions, out := converse(t, m.project, m.vars, func([]string) string { return reply }, "init")
		if !slices.Equal(questions, []string{question}) || !strings.Contains(out, "missing servers can be installed by:\n  "+command+"\n") {
			t.Errorf("%s: asked %q\n%s", reply, questions, out)
		}
		if installed := "installed " + m.server() + "\n"; strings.Contains(out, installed) != (reply == "y") {
			t.Errorf("%s: printed\n%s", reply, out)
		}
	}
	questions, out := converse(t, m.project, m.vars, func([]string) string { return "n" }, "init")
	if len(questions) > 0 || !strings.Contains(out, "language: Python, 1 file: "+m.server()+"\n") {
		t.Errorf("asked %q\n%s", questions, out)
	}
}

func TestInitInstallsServersUnasked(t *testing.T) {
	agentBeside(t)
	m := newMachine(t, "1.1.414")
	runProgram(t, m.project, m.vars, "init", "--yes", "--install-servers").want(t, 0, "installed "+m.server()+"\n", "")
	m = newMachine(t, "9.9.9")
	r := runProgram(t, m.project, m.vars, "init", "--yes", "--install-servers")
	r.want(t, 1, "made "+m.project+"/.mcp.json\n", "error: the language server for Python is not installed: npm install -g --prefix ")
	if !strings.Contains(r.err, "pyright@1.1.414") || !strings.Contains(r.err, "hint: run it yourself") {
		t.Errorf("it failed by\n%s", r.err)
	}
}

// Claude Code may set a project up, and installs nothing.
func TestInitInstallsForPersonsOnly(t *testing.T) {
	agentBeside(t)
	m := newMachine(t, "1.1.414")
	cmd := program(t, m.project, append(m.vars, "PATH="+os.Getenv("PATH")), "init", "--yes", "--install-servers")
	ending(t, under(fakeClaude(t), `"$0" "$@"`, cmd)).want(t, 1, "", "only a person may do this")
	if left := files(t, m.project); left != "a.py" {
		t.Errorf("made %s", left)
	}
}

// A server that cannot be installed is told with the reason, and nobody is asked.
func TestInitCannotInstall(t *testing.T) {
	agentBeside(t)
	m := newMachine(t, "1.1.414")
	m.vars = append(m.vars, "PATH="+daemontest.Project(t))
	questions, out := converse(t, m.project, m.vars, func([]string) string { return "y" }, "init")
	want := "(npm is not on PATH (directories of the project do not count); install Node 20 or newer)\n"
	if slices.Contains(questions, "Shall these commands be run?") || !strings.Contains(out, want) {
		t.Errorf("asked %q and printed no %s\n%s", questions, want, out)
	}
	if err := os.WriteFile(filepath.Join(m.project, ".tidepool", "config.json"), []byte(`{"languages": {"python": {"command": ["pylsp"]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	runProgram(t, m.project, m.vars, "init", "--yes", "--install-servers").want(t, 0,
		"language: Python, 1 file: no language server for Python: pylsp is not on PATH; install pylsp, or name its program by languages.python in the configuration\n", "")
}
