package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/figures"
	"tidepool/internal/measure"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

const (
	hookRounds  = 11
	hookEvents  = 100 // of a daemon in a round
	typicalSize = 200 // bytes of a prompt that somebody types
	sessionSize = 10  // prompts
)

// hooks measures what recall adds to the hook of a prompt: the same prompts to a daemon with it and to one without, in turn. The
// memory of both is compared before the first of them.
func (b *bench) hooks() (rows []figures.Row, err error) {
	with, err := b.startDaemon("with", true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, with.stop()) }()
	without, err := b.startDaemon("without", false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, without.stop()) }()
	unused, err := difference(with, without)
	if err != nil {
		return nil, err
	}
	if err := with.awaitIndex(); err != nil {
		return nil, err
	}
	long := prompts(hookEvents, b.small.Memories)
	typical := make([]string, len(long))
	for i, text := range long {
		typical[i] = wording.ClipBytes(text, typicalSize)
	}
	more, plain, err := added(with, without, typical)
	if err != nil {
		return nil, err
	}
	most, _, err := added(with, without, long)
	if err != nil {
		return nil, err
	}
	return []figures.Row{
		{What: fmt.Sprintf("a hook's added time, UserPromptSubmit of %d bytes among %d memories", typicalSize, b.small.Memories), Hold: "≤ 1 ms", Measured: millis(more),
			Beside: fmt.Sprintf("the hook without recall: %s; recall adds %s to a prompt of 2 KB", millis(plain), millis(most)), Held: more <= time.Millisecond},
		{What: "resident on top of a daemon, before the first prompt", Hold: "0 (below 1 MB)", Measured: fmt.Sprintf("%.1f MB", float64(unused)/1e6), Beside: "–", Held: unused < 1e6},
	}, nil
}

// added returns the median of what a prompt takes longer with recall, and of what it takes without.
func added(with, without *hooked, asked []string) (more, plain time.Duration, err error) {
	var mores, plains []time.Duration
	for range hookRounds {
		long, err := with.median(asked)
		if err != nil {
			return 0, 0, err
		}
		short, err := without.median(asked)
		if err != nil {
			return 0, 0, err
		}
		mores, plains = append(mores, long-short), append(plains, short)
	}
	return measure.Percentile(mores, 50), measure.Percentile(plains, 50), nil
}

// A hooked daemon is sent prompts.
type hooked struct {
	project string
	conn    net.Conn
	stop    func() error
	prompts int // that were sent
}

// startDaemon starts a daemon in the project of the smaller corpus, or without its memories.
func (b *bench) startDaemon(name string, enabled bool) (*hooked, error) {
	home := filepath.Join(b.small.Dir, name)
	project := b.small.project()
	if !enabled {
		project = filepath.Join(home, "project")
	}
	if err := os.MkdirAll(project, 0o700); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(b.ctx, filepath.Join(b.root, "bin", "controlserver"), "serve", "--project", project)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_DATA_HOME="+filepath.Join(b.small.Dir, "data"),
		"CLAUDE_CONFIG_DIR="+filepath.Join(home, ".claude"), "TIDEPOOL_CONVERSATIONS_ENABLED=false", fmt.Sprintf("TIDEPOOL_RECALL_ENABLED=%t", enabled))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	d, err := daemontest.Run(cmd, project)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("unix", daemontest.Socket(project))
	if err != nil {
		return nil, errors.Join(err, d.Stop())
	}
	return &hooked{project: project, conn: conn, stop: d.Stop}, nil
}

// prompt sends one, and returns how long the answer takes and what it is.
func (h *hooked) prompt(session, text string) (time.Duration, *protocol.HookResponse, error) {
	event, err := json.Marshal(map[string]any{
		"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": h.project, "prompt": text, "permission_mode": "default",
	})
	if err != nil {
		return 0, nil, err
	}
	start := time.Now()
	answer, err := daemontest.Exchange[*protocol.HookResponse](h.conn, &protocol.HookEvent{Input: event, Runtime: "claude"})
	return time.Since(start), answer, err
}

// awaitIndex sends prompts until the memories are open and all of them can be found.
func (h *hooked) awaitIndex() error {
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if _, _, err := h.prompt("waiting", "Is the index of the memories complete by now?"); err != nil {
			return err
		}
		status, err := daemontest.Exchange[*protocol.StatusResponse](h.conn, &protocol.StatusRequest{})
		switch {
		case err != nil:
			return err
		case status.Recall != nil && status.Recall.State == "ready":
			return nil
		case time.Since(start) > time.Minute:
			return fmt.Errorf("the memories were not ready for a minute: %+v", status.Recall)
		}
	}
}

// median returns the median time of a prompt. Sessions have ten of them.
func (h *hooked) median(asked []string) (time.Duration, error) {
	var times []time.Duration
	for _, text := range asked {
		took, _, err := h.prompt(fmt.Sprintf("session-%d", h.prompts/sessionSize), text)
		h.prompts++
		if err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	return measure.Percentile(times, 50), nil
}

// difference returns by how many bytes the first daemon is larger, as both say.
func difference(one, other *hooked) (int64, error) {
	var sizes [2]int64
	for i, h := range []*hooked{one, other} {
		status, err := daemontest.Exchange[*protocol.StatusResponse](h.conn, &protocol.StatusRequest{})
		if err != nil {
			return 0, err
		}
		sizes[i] = status.MemoryBytes
	}
	return sizes[0] - sizes[1], nil
}
