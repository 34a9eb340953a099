package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const sessionSample = "protocol/testdata/hooks/SessionStart.json"

// measureFirstHook takes the whole time of the hook that begins a session where no daemon is: it starts one and brings
// back its answer.
func measureFirstHook(ctx context.Context, b *bench) (figure, error) {
	input, err := os.ReadFile(filepath.Join(b.root, sessionSample))
	if err != nil {
		return figure{}, err
	}
	var times []time.Duration
	for range 20 {
		took, err := b.firstHook(ctx, input)
		if err != nil {
			return figure{}, err
		}
		times = append(times, took)
	}
	return within(50*time.Millisecond, times), nil
}

// firstHook runs one in a new project, and stops what it has started.
func (b *bench) firstHook(ctx context.Context, input []byte) (time.Duration, error) {
	project, err := os.MkdirTemp(b.temp, "project-")
	if err != nil {
		return 0, err
	}
	if err := os.Mkdir(filepath.Join(project, ".tidepool"), 0o700); err != nil {
		return 0, err
	}
	took, err := runOnce(ctx, project, exec.Command(filepath.Join(b.bin, "agent"), "hook", "session-start"), input)
	if err != nil {
		return 0, err
	}
	stop := exec.CommandContext(ctx, filepath.Join(b.bin, "controlserver"), "stop", "--project", project)
	out, err := stop.CombinedOutput()
	if err == nil && string(out) == "not running\n" {
		err = fmt.Errorf("the hook has started no daemon")
	}
	return took, err
}

// measureSessionHook compares the hook that begins a session, and sees to the right daemon, with another one.
func measureSessionHook(ctx context.Context, b *bench) (figure, error) {
	project, stop, err := b.startDaemon(ctx)
	if err != nil {
		return figure{}, err
	}
	defer stop()
	agent := filepath.Join(b.bin, "agent")
	pairs, err := b.runInTurn(ctx, project, 500,
		exec.Command(agent, "hook", "session-start"),
		exec.Command(agent, "hook", "post-tool-batch"))
	if err != nil {
		return figure{}, err
	}
	return pairs.atMost(1.5), nil
}
