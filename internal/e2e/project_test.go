package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/protocol"
)

// A project is a directory in which programs are run as its user runs them.
type project struct {
	dir    string
	env    []string // of the programs; nil: that of the test
	before []string // of each command line
	uid    int      // who runs the programs; 0: who runs the test
}

// command prepares a program, with the recorded event on its stdin that its last argument names, if so.
func (p project) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	line := slices.Concat(p.before, []string{filepath.Join(os.Getenv("TIDEPOOL_TEST_BIN"), name)}, args)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	if p.uid != os.Geteuid() && p.uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(p.uid), Gid: uint32(p.uid)}}
	}
	cmd.Dir, cmd.Env = p.dir, p.env
	event := protocol.ParseEvent(args[len(args)-1])
	if input, err := os.ReadFile(filepath.Join("protocol", "testdata", "hooks", string(event)+".json")); err == nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	return cmd
}

// An ending is how a program ended.
type ending struct {
	took           time.Duration
	status         int
	stdout, stderr string
}

// end runs a program to its end.
func end(t *testing.T, cmd *exec.Cmd) ending {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Error(err)
		return ending{}
	}
	return ending{time.Since(start), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// A place is a project that is to be treated badly.
type place struct {
	project
	state string
}

// newPlace makes a project in dir, and stops its daemon at the end.
func newPlace(t *testing.T, dir string) place {
	t.Helper()
	p := place{project: project{dir: dir}, state: filepath.Join(dir, protocol.StateDir)}
	must(t, os.Mkdir(p.state, 0o700))
	info, err := os.Stat(dir)
	must(t, err)
	must(t, os.Chown(p.state, int(info.Sys().(*syscall.Stat_t).Uid), -1))
	t.Cleanup(func() { p.run(t, "", "controlserver", "stop") })
	return p
}

// foreigner is a user who is not root: another one if root runs the test.
func foreigner() int {
	if uid := os.Geteuid(); uid != 0 {
		return uid
	}
	return 65534 // nobody, everywhere
}

// foreignDir makes a directory that belongs to foreigner.
func foreignDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tidepool-foreign-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	must(t, os.Chown(dir, foreigner(), -1))
	return dir
}

func (p place) agent(t *testing.T, mode string, args ...string) ending {
	t.Helper()
	return p.run(t, mode, "agent", args...)
}

// run runs a program in a fail mode.
func (p place) run(t *testing.T, mode, name string, args ...string) ending {
	t.Helper()
	p.env = append(os.Environ(), "TIDEPOOL_FAIL_MODE="+mode)
	return end(t, p.command(context.Background(), name, args...))
}

// status is zero without a daemon.
func (p place) status(t *testing.T) (s protocol.StatusResponse) {
	t.Helper()
	if got := p.agent(t, "", "status", "--json"); got.status == 0 {
		must(t, json.Unmarshal([]byte(got.stdout), &s))
	}
	return s
}

// passes checks a hook that lets pass, and says why nobody looked, if so.
func (e ending) passes(t *testing.T, why string) {
	t.Helper()
	if e.status != 0 || e.stdout != "" || !strings.Contains(e.stderr, why) || why == "" && e.stderr != "" {
		t.Errorf("want a hook that passes, %q: %+v", why, e)
	}
}

func (e ending) refuses(t *testing.T) {
	t.Helper()
	if e.status != 0 || !strings.Contains(e.stdout, `"permissionDecision":"deny"`) {
		t.Errorf("want a hook that refuses: %+v", e)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
