package install_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/install"
	"tidepool/internal/install/installtest"
)

// A place is a home with a project that brings along what must not decide anything.
type place struct {
	install.Installer
	home, ran string // ran is there if a program of the project has run
}

func newPlace(t *testing.T, env ...string) place {
	t.Helper()
	dir := t.TempDir()
	p := place{home: filepath.Join(dir, "home"), ran: filepath.Join(dir, "ran")}
	p.Project = filepath.Join(dir, "project")
	bin := filepath.Join(p.Project, "node_modules", ".bin")
	for _, program := range []string{"npm", "go", "node", "apt-get", "sudo"} {
		write(t, filepath.Join(bin, program), "#!/bin/sh\ntouch "+p.ran+"\n")
	}
	write(t, filepath.Join(p.Project, ".npmrc"), "registry=http://127.0.0.1:1\n")
	links := filepath.Join(p.home, "links") // a person's own directory, with a link into the project
	if err := os.MkdirAll(links, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"npm", "go"} {
		if err := os.Symlink(filepath.Join(bin, program), filepath.Join(links, program)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(p.Project)
	p.Env = append([]string{"HOME=" + p.home, "PATH=" + strings.Join([]string{"node_modules/.bin", bin, links, os.Getenv("PATH")}, ":")}, env...)
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// check runs a line, and whether it has left a program below the home.
func (p place) check(t *testing.T, line install.Line, program string) {
	t.Helper()
	if err := p.Run(t.Context(), line); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	if _, err := os.Stat(filepath.Join(p.home, program)); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(p.ran); err == nil {
		t.Error("a program of the project has run")
	}
}

func TestNPM(t *testing.T) {
	url := installtest.Registry(t, installtest.Package{Name: "server", Version: "1.2.3", Program: "server-langserver"})
	p := newPlace(t, "NPM_CONFIG_REGISTRY="+url, "NPM_CONFIG_UPDATE_NOTIFIER=false")
	p.check(t, "npm install -g --prefix ~/.local server@1.2.3", ".local/bin/server-langserver")
	err := p.Run(t.Context(), "npm install -g --prefix ~/.local server@9.9.9")
	if err == nil || !strings.Contains(err.Error(), "server@9.9.9") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a version that does not exist: %v", err)
	}
}

// A server that this Node cannot run is not installed, and the person reads which Node it needs.
func TestNPMOnAnOldNode(t *testing.T) {
	url := installtest.Registry(t, installtest.Package{Name: "server", Version: "1.2.3", Program: "server-langserver", Node: ">=999"})
	p := newPlace(t, "NPM_CONFIG_REGISTRY="+url, "NPM_CONFIG_UPDATE_NOTIFIER=false")
	err := p.Run(t.Context(), "npm install -g --prefix ~/.local server@1.2.3")
	if err == nil || !strings.Contains(err.Error(), `"node":">=999"`) {
		t.Errorf("it is installed: %v", err)
	}
}

// npm hands settings of the project's .npmrc to scripts; started from one, it does not obey them.
func TestNPMFromAScript(t *testing.T) {
	url := installtest.Registry(t, installtest.Package{Name: "server", Version: "1.2.3", Program: "server-langserver"})
	p := newPlace(t, "npm_lifecycle_event=setup", "npm_config_registry=http://127.0.0.1:1")
	write(t, filepath.Join(p.home, ".npmrc"), "registry="+url+"\nupdate-notifier=false\n")
	p.check(t, "npm install -g --prefix ~/.local server@1.2.3", ".local/bin/server-langserver")
}

func TestGo(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, "GOPROXY=file://"+installtest.Module(t, "example.com/server"), "GOSUMDB=off", "GOFLAGS=-modcacherw", "GOCACHE="+strings.TrimSpace(string(cache)))
	write(t, filepath.Join(p.home, ".config", "go", "telemetry", "mode"), "off\n") // else a process of its may write there afterwards
	write(t, filepath.Join(p.Project, "go.mod"), "module m\n\ngo 9.99\n")
	p.check(t, "go install example.com/server@v1.0.0", "go/bin/server")
}

func TestCheck(t *testing.T) {
	p := newPlace(t)
	none := install.Installer{Project: p.Project, Env: []string{"PATH=" + filepath.Join(p.Project, "node_modules", ".bin")}}
	for line, want := range map[install.Line]string{
		"npm install -g x@1":                    "npm is not on PATH",
		"sudo apt-get update && go install x@1": "sudo asks for a password or is not there",
		"rustup component add x":                "npm and apt-get alone",
		"sudo npm install -g x@1":               "npm and apt-get alone",
		"go install x@1 && rm -rf ~/x":          "go is not on PATH",
		"":                                      "npm and apt-get alone",
	} {
		if err := none.Check(t.Context(), line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
		if err := none.Run(t.Context(), line); err == nil {
			t.Errorf("%q ran", line)
		}
	}
	if err := p.Check(t.Context(), "go install x@1 && rm -rf ~/x"); err == nil {
		t.Error("rm would run")
	}
	if _, err := os.Lstat(p.ran); err == nil {
		t.Error("a program of the project has run")
	}
}

// A person who gives up ends what hangs, with all that it has started.
func TestRunEnds(t *testing.T) {
	p := newPlace(t)
	bin := filepath.Join(p.home, "bin")
	started := filepath.Join(p.home, "started")
	if err := exec.Command("mkfifo", started).Run(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(bin, "npm"), "#!/bin/sh\nsh -c 'echo up; exec sleep 1000' >"+started+" &\nwait\n")
	p.Env = append(p.Env, "PATH="+bin+":/usr/bin:/bin")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx, "npm install") }()
	child, err := os.Open(started)
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	if _, err := io.ReadFull(child, make([]byte, len("up\n"))); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != context.Canceled {
		t.Errorf("it ended by %v", err)
	}
	if _, err := io.ReadAll(child); err != nil { // until the child has ended, which holds the other end
		t.Error(err)
	}
}
