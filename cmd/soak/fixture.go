package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// patience is how long a trial waits for what must come.
const patience = 30 * time.Second

// A fixture is a project with copies of the programs of its own: whose program
// lies there runs for this trial, whoever has started it.
type fixture struct {
	root    string // the checkout
	dir     string // of everything, removed by close
	bin     string
	project string
	env     []string
	events  []event
}

// newFixture needs gopls, in bin or on PATH.
func newFixture(ctx context.Context, root, bin string) (*fixture, error) {
	dir, err := os.MkdirTemp("", "tidepool-soak-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	f := &fixture{root: root, dir: dir, bin: filepath.Join(dir, "bin"), project: filepath.Join(dir, "project")}
	if err := f.fill(ctx, bin); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return f, nil
}

func (f *fixture) fill(ctx context.Context, bin string) (err error) {
	for _, dir := range []string{f.bin, filepath.Join(f.project, protocol.StateDir)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := f.install(bin); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"m.go":   "package m\n\nfunc F() {}\n\nfunc G() { F() }\n",
	} {
		if err := os.WriteFile(filepath.Join(f.project, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if f.env, err = f.environment(ctx); err != nil {
		return err
	}
	f.events, err = readEvents(filepath.Join(f.root, "protocol", "testdata", "hooks"), f.project)
	return err
}

// install copies the programs.
func (f *fixture) install(bin string) error {
	gopls := filepath.Join(bin, "gopls")
	if _, err := os.Stat(gopls); err != nil {
		if gopls, err = exec.LookPath("gopls"); err != nil {
			return fmt.Errorf("gopls is missing: run make bin/gopls: %w", err)
		}
	}
	for _, from := range []string{filepath.Join(bin, "agent"), filepath.Join(bin, "controlserver"), gopls} {
		program, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(f.bin, filepath.Base(from)), program, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// environment returns that of this process without what would lead elsewhere; the
// language server's cache is in the fixture, Go's where it is.
func (f *fixture) environment(ctx context.Context) ([]string, error) {
	cache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOCACHE: %w", err)
	}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "TIDEPOOL_") || strings.HasPrefix(entry, "MANTLE_") || strings.HasPrefix(entry, "CLAUDE_")
	})
	return append(env, "GOWORK=off", "GOCACHE="+strings.TrimSpace(string(cache)),
		"XDG_CACHE_HOME="+filepath.Join(f.dir, "cache"), "XDG_DATA_HOME="+filepath.Join(f.dir, "data"),
		"PATH="+f.bin+string(filepath.ListSeparator)+os.Getenv("PATH")), nil
}

// close stops the daemon and removes everything. The error says what is left
// running.
func (f *fixture) close() error {
	err := f.stop()
	if err != nil {
		f.killAll()
	}
	return errors.Join(err, os.RemoveAll(f.dir))
}

// stop ends the daemon and waits until nothing of the fixture runs.
func (f *fixture) stop() error {
	if out, err := f.program(context.Background(), "controlserver", "stop").CombinedOutput(); err != nil {
		return fmt.Errorf("stopping the daemon: %w: %s", err, bytes.TrimSpace(out))
	}
	return f.eventually("everything has ended", func() (string, bool) {
		left, err := f.processes()
		return fmt.Sprintf("left are %v, %v", left, err), err == nil && len(left) == 0
	})
}

func (f *fixture) killAll() {
	left, _ := f.processes()
	for _, p := range left {
		if process, err := os.FindProcess(p.pid); err == nil {
			_ = process.Kill()
		}
	}
}

// program prepares one of the programs in the project.
func (f *fixture) program(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(f.bin, name), args...)
	cmd.Dir, cmd.Env = f.project, slices.Clone(f.env)
	return cmd
}

func (f *fixture) socket() string { return daemontest.Socket(f.project) }

func (f *fixture) status() (*protocol.StatusResponse, error) {
	return ask[*protocol.StatusResponse](f, &protocol.StatusRequest{})
}

// ask makes one exchange over a connection of its own, as the agent does it.
func ask[R protocol.Response](f *fixture, request protocol.Request) (R, error) {
	conn, err := unixsock.DialBlocking(f.socket(), time.Now().Add(patience))
	if err != nil {
		var none R
		return none, err
	}
	defer conn.Close()
	return daemontest.Exchange[R](conn, request)
}

// start lets a session's first hook start a daemon, and waits until its
// language server is ready.
func (f *fixture) start(ctx context.Context) error {
	err := f.eventually("the daemon is ready", func() (string, bool) {
		if _, err := f.hook(ctx, f.named(protocol.SessionStart), open); err != nil {
			return err.Error(), false
		}
		out, err := f.program(ctx, "agent", "health", "--ready", "--timeout", "20s").CombinedOutput()
		return string(bytes.TrimSpace(out)), err == nil
	})
	return err
}

// eventually asks until the answer is yes. state is what there is instead.
func (f *fixture) eventually(what string, is func() (state string, yes bool)) error {
	for giveUp := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) { // between two looks at other processes
		state, yes := is()
		if yes {
			return nil
		}
		if time.Now().After(giveUp) {
			return fmt.Errorf("waited %v until %s: %s", patience, what, state)
		}
	}
}
