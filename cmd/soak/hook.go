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
	"strings"
	"time"

	"tidepool/protocol"
)

// An event is a recorded hook event as if it had come in this project.
type event struct {
	name  protocol.Event
	input []byte
}

// readEvents reads the recorded events, which are of another project.
func readEvents(dir, project string) ([]event, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no recorded events in %s, %v", dir, err)
	}
	var events []event
	for _, path := range paths {
		input, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		input = bytes.ReplaceAll(bytes.TrimSpace(input), []byte("/home/dev/demo"), []byte(project))
		events = append(events, event{protocol.Event(name), input})
	}
	return events, nil
}

// of returns the event's input as if a session of that number had sent it.
func (e event) of(session int) []byte {
	before, rest, _ := bytes.Cut(e.input, []byte(`"session_id":"`))
	_, after, _ := bytes.Cut(rest, []byte(`"`))
	return fmt.Appendf(nil, `%s"session_id":"soak-%d"%s`, before, session, after)
}

// named returns the first event of that name.
func (f *fixture) named(name protocol.Event) event {
	for _, e := range f.events {
		if e.name == name {
			return e
		}
	}
	return event{name: name}
}

// The fail modes of a hook.
const (
	open   = "open"
	closed = "closed"
)

// A verdict is how a hook ended.
type verdict struct {
	took     time.Duration
	answered bool // by a daemon
	stdout   string
	stderr   string // why no daemon has answered
}

// slack is what a busy machine takes to start and to end a hook, beyond the time
// that it has; hung is when it is given up.
const (
	slack = 2 * time.Second
	hung  = time.Minute
)

// hook runs agent hook as a client does, and judges its end.
func (f *fixture) hook(ctx context.Context, e event, mode string) (verdict, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, hung, errors.New("it hangs"))
	defer cancel()
	cmd := f.program(ctx, "agent", "hook", string(e.name))
	cmd.Env = append(cmd.Env, "TIDEPOOL_FAIL_MODE="+mode)
	cmd.Stdin = bytes.NewReader(e.input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run() // which waits until nobody has its stdout any more
	v := verdict{took: time.Since(start), answered: !strings.Contains(stderr.String(), "tidepool: "), stdout: stdout.String(), stderr: stderr.String()}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		err = nil
	}
	if err == nil {
		err = v.judge(e, mode, cmd.ProcessState.ExitCode(), stdout.Bytes())
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return v, fmt.Errorf("hook %s, mode %s, after %v: %w: stdout %q, stderr %q", e.name, mode, v.took, err, stdout.String(), stderr.String())
	}
	return v, nil
}

// judge returns what is wrong with the end of a hook: by its mode, one that got no
// answer lets pass in silence, or refuses by status or on stdout.
func (v verdict) judge(e event, mode string, status int, stdout []byte) error {
	limit := protocol.TimeOf(e.name).Limit
	silent := status == 0 && len(stdout) == 0
	stops := bytes.Contains(e.input, []byte(`"stop_hook_active":true`)) // which has to end
	switch {
	case v.took > limit+slack:
		return fmt.Errorf("it has %v", limit)
	case status != 0 && (status != 2 || len(stdout) > 0):
		return fmt.Errorf("it exits with %d", status)
	case v.answered && status == 2, !v.answered && mode == open && !silent:
		return errors.New("it refuses")
	case !v.answered && mode == closed && silent && !stops:
		return errors.New("it lets pass")
	case len(stdout) > 0 && (bytes.Count(stdout, []byte("\n")) != 1 || !json.Valid(stdout)):
		return errors.New("it does not print one line of JSON")
	}
	return nil
}
