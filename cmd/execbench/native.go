package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/figures"
	"tidepool/internal/measure"
	"tidepool/internal/scrub/planted"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// nativeRuns is how many hooks of each mode are measured, in turn.
const nativeRuns = 60

// nativeRows measures the hook after a tool that has returned 100 KB, a process of agent from its start to its exit, by the setting
// scrub.native. The peer is the same hook with scrubbing off.
func nativeRows(ctx context.Context, root string) (rows []figures.Row, err error) {
	temp, err := os.MkdirTemp("", "tidepool-execbench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	modes := []string{"off", "known", "all"}
	var hooks []*nativeHook
	for _, mode := range modes {
		h, err := startNative(ctx, filepath.Join(root, "bin"), filepath.Join(temp, mode), mode)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, h.daemon.Stop()) }()
		hooks = append(hooks, h)
	}
	for i := range warmRuns + nativeRuns {
		for _, h := range hooks {
			took, err := h.run(ctx, protocol.PostToolUse, h.input)
			if err != nil {
				return nil, err
			}
			if i >= warmRuns {
				h.times = append(h.times, took)
			}
		}
	}
	off := measure.Percentile(hooks[0].times, 50)
	for i, h := range hooks[1:] {
		more := measure.Percentile(h.times, 50) - off
		rows = append(rows, figures.Row{
			What: fmt.Sprintf("hook after a tool that returned 100 KB, `scrub.native` %q, on top of `\"off\"`", modes[i+1]), Hold: "≤ 25 ms",
			Measured: milliseconds(more), Beside: "off: " + milliseconds(off), Held: more <= 25*time.Millisecond,
		})
	}
	return rows, nil
}

// A nativeHook is a project with a daemon, and the hook that is measured in it.
type nativeHook struct {
	agent, project string
	mode           string
	env            []string
	daemon         *daemontest.Daemon
	input          []byte
	times          []time.Duration
}

// startNative starts a daemon and a session in it that has secrets.
func startNative(ctx context.Context, bin, project, mode string) (*nativeHook, error) {
	if err := errors.Join(os.Mkdir(project, 0o700), state.Ensure(state.Of(project))); err != nil {
		return nil, err
	}
	h := &nativeHook{agent: filepath.Join(bin, "agent"), project: project, mode: mode}
	h.env = append(os.Environ(), "TIDEPOOL_SCRUB_NATIVE="+mode, "TIDEPOOL_PROJECT_DIR="+project)
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "controlserver"), "serve", "--project", project)
	cmd.Env = h.env
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var err error
	if h.daemon, err = daemontest.Run(cmd, project); err != nil {
		return nil, err
	}
	text := planted.Mixed(mixedSize)
	for i, value := range values() {
		h.env = append(h.env, fmt.Sprintf("BENCH_TOKEN_%d=%s", i, value))
		if i == 0 {
			text += value // so that the response is replaced
		}
	}
	response := map[string]any{"stdout": text, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}
	h.input, err = json.Marshal(map[string]any{
		"session_id": "bench", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": struct{}{}, "tool_response": response,
	})
	if err == nil {
		_, err = h.run(ctx, protocol.SessionStart, []byte(`{"session_id":"bench","hook_event_name":"SessionStart","source":"startup"}`))
	}
	if err != nil {
		return nil, errors.Join(err, h.daemon.Stop())
	}
	return h, nil
}

// run returns how long a hook takes. What it prints must be what the mode says.
func (h *nativeHook) run(ctx context.Context, event protocol.Event, input []byte) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, h.agent, "hook", event.Kebab())
	cmd.Dir, cmd.Env, cmd.Stdin = h.project, h.env, bytes.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil || stderr.Len() > 0 {
		return 0, fmt.Errorf("hook %s: %v: %s", event, err, stderr.Bytes())
	}
	if replaced := bytes.Contains(stdout.Bytes(), []byte("updatedToolOutput")); replaced != (event == protocol.PostToolUse && h.mode != "off") ||
		bytes.Contains(stdout.Bytes(), []byte("withheld")) {
		return 0, fmt.Errorf("hook %s with %s: %.200s", event, h.mode, stdout.Bytes())
	}
	return took, nil
}
