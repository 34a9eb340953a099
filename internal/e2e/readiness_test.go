package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A readinessProbe is that of the example for process-compose.
type readinessProbe struct {
	command string
	timeout time.Duration
}

func exampleProbe() (readinessProbe, error) {
	data, err := os.ReadFile(".tidepool.example/process-compose.yaml")
	if err != nil {
		return readinessProbe{}, err
	}
	_, text, _ := strings.Cut(string(data), "readiness_probe:")
	command := regexp.MustCompile(`exec:\n +command: "(.+)"`).FindStringSubmatch(text)
	timeout := regexp.MustCompile(`timeout_seconds: (\d+)`).FindStringSubmatch(text)
	if command == nil || timeout == nil {
		return readinessProbe{}, errors.New("the example has no readiness probe with a command and a timeout")
	}
	seconds, err := strconv.Atoi(timeout[1])
	return readinessProbe{command[1], time.Duration(seconds) * time.Second}, err
}

// probe asks as process-compose does: a shell runs the command, exit status 0
// is ready, any other is not, and a command that takes longer than the timeout
// is killed. That must not happen: it would take the reason with it.
//
//	[!] probe
func probe(ts *testscript.TestScript, neg bool, args []string) {
	p, err := exampleProbe()
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", p.command)
	cmd.Dir, cmd.Env = ts.MkAbs("."), scriptEnv(ts)
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	err = cmd.Run()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		ts.Fatalf("%s takes longer than %v", p.command, p.timeout)
	case errors.As(err, &failed) && failed.ExitCode() == 1:
		if !neg {
			ts.Fatalf("not ready")
		}
	case err != nil:
		ts.Fatalf("%v", err)
	case neg:
		ts.Fatalf("ready")
	}
}

// The command bounds itself, with room for a busy machine to start it.
func TestProbeEndsBeforeItIsKilled(t *testing.T) {
	p, err := exampleProbe()
	if err != nil {
		t.Fatal(err)
	}
	if p.command != "agent health" || p.timeout < 3*time.Second {
		t.Errorf("%s may take 2s, and gets %v", p.command, p.timeout)
	}
}
