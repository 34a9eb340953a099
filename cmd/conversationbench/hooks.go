package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/figures"
	"tidepool/internal/measure"
	"tidepool/protocol"
)

const (
	hookRounds = 11
	hookEvents = 500 // of a daemon in a round
)

// hooks measures what the archive adds to a hook: the same event to a daemon with it and to one without, in turn.
func (b *bench) hooks() ([]figures.Row, error) {
	with, err := b.startDaemon("with", true)
	if err != nil {
		return nil, err
	}
	defer with.stop()
	without, err := b.startDaemon("without", false)
	if err != nil {
		return nil, err
	}
	defer without.stop()
	var added, plain []time.Duration
	for range hookRounds {
		long, err := with.median()
		if err != nil {
			return nil, err
		}
		short, err := without.median()
		if err != nil {
			return nil, err
		}
		added, plain = append(added, long-short), append(plain, short)
	}
	more := measure.Percentile(added, 50)
	return []figures.Row{{What: "a hook's added time, PostToolUse of a session whose transcript grows", Hold: "≤ 0.1 ms",
		Measured: fmt.Sprintf("%.3f ms", float64(more)/1e6), Beside: fmt.Sprintf("the hook without an archive: %.3f ms", float64(measure.Percentile(plain, 50))/1e6), Held: more <= 100*time.Microsecond}}, nil
}

// A hooked daemon is sent the same event again and again.
type hooked struct {
	conn       net.Conn
	transcript *os.File
	event      json.RawMessage
	stop       func() error
}

// startDaemon starts a daemon of its own, in a new project, and connects to it.
func (b *bench) startDaemon(name string, enabled bool) (*hooked, error) {
	home := filepath.Join(b.small.Dir, name)
	project, slug := filepath.Join(home, "project"), filepath.Join(home, ".claude", "projects", "-project")
	for _, dir := range []string{project, slug} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(slug, "0badcafe-0000-4000-8000-000000000000.jsonl")
	transcript, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	text, _ := liveTurn(0, "null", project, "needle")
	if _, err := io.WriteString(transcript, text); err != nil {
		return nil, err
	}
	event, err := json.Marshal(map[string]any{
		"hook_event_name": "PostToolUse", "session_id": "0badcafe-0000-4000-8000-000000000000", "transcript_path": path, "cwd": project,
		"tool_name": "Read", "tool_input": map[string]string{"file_path": filepath.Join(project, "a.go")}, "tool_response": map[string]string{},
	})
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(b.ctx, filepath.Join(b.root, "bin", "controlserver"), "serve", "--project", project)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_DATA_HOME="+filepath.Join(home, "data"), "CLAUDE_CONFIG_DIR="+filepath.Join(home, ".claude"),
		fmt.Sprintf("TIDEPOOL_CONVERSATIONS_ENABLED=%t", enabled))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	d, err := daemontest.Run(cmd, project)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("unix", daemontest.Socket(project))
	if err != nil {
		return nil, err
	}
	return &hooked{conn: conn, transcript: transcript, event: event, stop: d.Stop}, nil
}

// median returns the median time of an event. Before each the transcript has grown by a line.
func (h *hooked) median() (time.Duration, error) {
	var times []time.Duration
	for range hookEvents {
		if _, err := io.WriteString(h.transcript, `{"type":"mode","mode":"normal"}`+"\n"); err != nil {
			return 0, err
		}
		start := time.Now()
		if _, err := daemontest.Exchange[*protocol.HookResponse](h.conn, &protocol.HookEvent{Input: h.event, Runtime: "claude"}); err != nil {
			return 0, err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}
