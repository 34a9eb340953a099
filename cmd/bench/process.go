package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// hookSample is a recorded event of about 1 KB.
const hookSample = "protocol/testdata/hooks/PostToolBatch.json"

// startDaemon serves an empty project in a new directory.
func (b *bench) startDaemon(ctx context.Context) (project string, stop func() error, err error) {
	project, err = os.MkdirTemp(b.temp, "project-")
	if err != nil {
		return "", nil, err
	}
	stop, err = b.startDaemonIn(ctx, project, os.Environ())
	return project, stop, err
}

// startDaemonIn serves a project in an environment.
func (b *bench) startDaemonIn(ctx context.Context, project string, env []string) (stop func() error, err error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "controlserver"), "serve", "--project", project)
	cmd.Env = env
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	d, err := daemontest.Run(cmd, project)
	if err != nil {
		return nil, err
	}
	return d.Stop, nil
}

func measureHookProcess(ctx context.Context, b *bench) (figure, error) {
	bare := filepath.Join(b.temp, "roundtrip")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildmode=exe", "-ldflags", "-s -w", "-o", bare, "./cmd/bench/roundtrip")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return figure{}, fmt.Errorf("building the peer: %w\n%s", err, out)
	}
	agent := filepath.Join(b.temp, "agent")
	if err := errors.Join(settle(filepath.Join(b.bin, "agent"), agent), settle(bare, bare)); err != nil {
		return figure{}, err
	}
	project, stop, err := b.startDaemon(ctx)
	if err != nil {
		return figure{}, err
	}
	defer stop()
	pairs, err := b.runInTurn(ctx, project, 1000,
		exec.Command(agent, "hook", "post-tool-batch"),
		exec.Command(bare, daemontest.Socket(project)))
	if err != nil {
		return figure{}, err
	}
	return pairs.atMost(1.10), nil
}

// settle writes a program anew: one that comes straight from the linker starts
// up to 8 % slower than a copy of it, so both sides are copies.
func settle(from, to string) error {
	program, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.WriteFile(to, program, 0o700)
}

func measureShellHook(ctx context.Context, b *bench) (figure, error) {
	for _, name := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(name); err != nil {
			return figure{}, fmt.Errorf("%w: %s is not on PATH (apt-get install bash curl jq)", errNotHere, name)
		}
	}
	project, stop, err := b.startDaemon(ctx)
	if err != nil {
		return figure{}, err
	}
	defer stop()
	web, stopWeb, err := b.startPeer("http")
	if err != nil {
		return figure{}, err
	}
	defer stopWeb()
	pairs, err := b.runInTurn(ctx, project, 50,
		exec.Command(filepath.Join(b.bin, "agent"), "hook", "post-tool-batch"),
		exec.Command("bash", filepath.Join(b.root, "cmd", "bench", "hook.sh"), web.socket))
	if err != nil {
		return figure{}, err
	}
	faster := 1 / pairs.ratio()
	return figure{ratio: fmt.Sprintf("%.0f× faster", faster), detail: pairs.String(), held: faster >= 20}, nil
}

// runInTurn runs both commands in turn, n times each, with the sample on stdin.
func (b *bench) runInTurn(ctx context.Context, project string, n int, ours, theirs *exec.Cmd) (*pairs, error) {
	input, err := os.ReadFile(filepath.Join(b.root, hookSample))
	if err != nil {
		return nil, err
	}
	run := func(cmd *exec.Cmd) side {
		return func(int) (time.Duration, error) { return runOnce(ctx, project, cmd, input) }
	}
	return alternate(n, 0, run(ours), run(theirs))
}

func runOnce(ctx context.Context, project string, like *exec.Cmd, input []byte) (time.Duration, error) {
	stdin, stdinWriter, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer stdin.Close()
	if _, err := stdinWriter.Write(input); err != nil { // fits the pipe
		return 0, err
	}
	stdinWriter.Close()
	cmd := exec.CommandContext(ctx, like.Path, like.Args[1:]...)
	cmd.Dir = project
	cmd.Stdin = stdin
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%v: %w", like.Args, err)
	}
	return time.Since(start), nil
}

func measureStart(ctx context.Context, b *bench) (figure, error) {
	var times []time.Duration
	for range 20 {
		start := time.Now()
		project, stop, err := b.startDaemon(ctx)
		if err != nil {
			return figure{}, err
		}
		if _, err := daemontest.Ask[*protocol.Pong](ctx, daemontest.Socket(project), &protocol.Ping{}); err != nil {
			return figure{}, err
		}
		times = append(times, time.Since(start))
		if err := stop(); err != nil {
			return figure{}, err
		}
	}
	return within(50*time.Millisecond, times), nil
}

func round(d time.Duration) time.Duration {
	switch {
	case d < time.Millisecond:
		return d.Round(100 * time.Nanosecond)
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(100 * time.Microsecond)
}
