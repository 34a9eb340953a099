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

// A yard is a project with copies of the programs of its own: whose program
// lies there runs for this trial, whoever has started it.
type yard struct {
	root    string // the checkout
	dir     string // of everything, removed by close
	bin     string
	project string
	env     []string
	events  []event
}

// newYard needs gopls, in bin or on PATH.
func newYard(ctx context.Context, root, bin string) (*yard, error) {
	dir, err := os.MkdirTemp("", "tidepool-soak-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	y := &yard{root: root, dir: dir, bin: filepath.Join(dir, "bin"), project: filepath.Join(dir, "project")}
	if err := y.fill(ctx, bin); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return y, nil
}

func (y *yard) fill(ctx context.Context, bin string) (err error) {
	for _, dir := range []string{y.bin, filepath.Join(y.project, protocol.StateDir)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := y.install(bin); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"m.go":   "package m\n\nfunc F() {}\n\nfunc G() { F() }\n",
	} {
		if err := os.WriteFile(filepath.Join(y.project, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if y.env, err = y.environment(ctx); err != nil {
		return err
	}
	y.events, err = readEvents(filepath.Join(y.root, "protocol", "testdata", "hooks"), y.project)
	return err
}

// install copies the programs.
func (y *yard) install(bin string) error {
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
		if err := os.WriteFile(filepath.Join(y.bin, filepath.Base(from)), program, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// environment is that of this process without what would lead elsewhere; the
// language server's cache is in the yard, Go's where it is.
func (y *yard) environment(ctx context.Context) ([]string, error) {
	cache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOCACHE: %w", err)
	}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "TIDEPOOL_") || strings.HasPrefix(entry, "MANTLE_") || strings.HasPrefix(entry, "CLAUDE_")
	})
	return append(env, "GOWORK=off", "GOCACHE="+strings.TrimSpace(string(cache)),
		"XDG_CACHE_HOME="+filepath.Join(y.dir, "cache"),
		"PATH="+y.bin+string(filepath.ListSeparator)+os.Getenv("PATH")), nil
}

// close stops the daemon and removes everything. The error says what is left
// running.
func (y *yard) close() error {
	err := y.stop()
	if err != nil {
		y.killAll()
	}
	return errors.Join(err, os.RemoveAll(y.dir))
}

// stop ends the daemon and waits until nothing of the yard runs.
func (y *yard) stop() error {
	if out, err := y.program(context.Background(), "controlserver", "stop").CombinedOutput(); err != nil {
		return fmt.Errorf("stopping the daemon: %w: %s", err, bytes.TrimSpace(out))
	}
	return y.eventually("everything has ended", func() (string, bool) {
		left, err := y.processes()
		return fmt.Sprintf("left are %v, %v", left, err), err == nil && len(left) == 0
	})
}

func (y *yard) killAll() {
	left, _ := y.processes()
	for _, p := range left {
		if process, err := os.FindProcess(p.pid); err == nil {
			_ = process.Kill()
		}
	}
}

// program prepares one of the programs in the project.
func (y *yard) program(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(y.bin, name), args...)
	cmd.Dir, cmd.Env = y.project, slices.Clone(y.env)
	return cmd
}

func (y *yard) socket() string { return daemontest.Socket(y.project) }

func (y *yard) status() (*protocol.StatusResponse, error) {
	return ask[*protocol.StatusResponse](y, &protocol.StatusRequest{})
}

// ask makes one exchange over a connection of its own, as the agent does it.
func ask[R protocol.Response](y *yard, request protocol.Request) (R, error) {
	conn, err := unixsock.DialBlocking(y.socket(), time.Now().Add(patience))
	if err != nil {
		var none R
		return none, err
	}
	defer conn.Close()
	return daemontest.Exchange[R](conn, request)
}

// start lets a session's first hook start a daemon, and waits until its
// language server is ready.
func (y *yard) start(ctx context.Context) error {
	err := y.eventually("the daemon is ready", func() (string, bool) {
		if _, err := y.hook(ctx, y.named(protocol.SessionStart), open); err != nil {
			return err.Error(), false
		}
		out, err := y.program(ctx, "agent", "health", "--ready", "--timeout", "20s").CombinedOutput()
		return string(bytes.TrimSpace(out)), err == nil
	})
	return err
}

// eventually asks until the answer is yes. state is what there is instead.
func (y *yard) eventually(what string, is func() (state string, yes bool)) error {
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
