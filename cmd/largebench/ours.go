package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/trust"
	"tidepool/lsp"
	"tidepool/protocol"
)

// stopLimit bounds the end of a daemon. One that takes longer is killed.
const stopLimit = 30 * time.Second

// A daemon is controlserver in a project.
type daemon struct {
	*daemontest.Daemon
	project *project
	tally   *tally
}

// serve starts a daemon in a project that is trusted. It measures no tests, which would take the processor from what is timed.
func serve(ctx context.Context, p *project, t *tally) (*daemon, error) {
	state := filepath.Join(p.dir, protocol.StateDir)
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	settings := []byte(`{"scout":{"scorer":"heuristic","measure_tests":false}}`)
	if err := os.WriteFile(filepath.Join(state, "config.json"), settings, 0o600); err != nil {
		return nil, err
	}
	env := p.env("ours")
	if _, err := (trust.Store{Dir: filepath.Join(p.top, "ours", "state", "tidepool")}).Grant(p.dir); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, "controlserver"), "serve", "--project", p.dir)
	cmd.Env, cmd.Dir = env, p.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopLimit
	running, err := daemontest.Run(cmd, p.dir)
	if err != nil {
		return nil, err
	}
	return &daemon{running, p, t}, nil
}

// side returns the daemon as one of the two that are measured.
func (d *daemon) side() *side {
	write := func(_ context.Context, path, text string) error {
		return os.WriteFile(filepath.Join(d.project.dir, filepath.FromSlash(path)), []byte(text), 0o600)
	}
	ready := func(context.Context) error { return nil } // its answers say how complete they are
	return &side{pid: d.PID(), ready: ready, ask: d.callers, change: write, revert: write, stop: d.end}
}

// end stops the daemon, whatever it does.
func (d *daemon) end() error {
	defer time.AfterFunc(stopLimit, func() { _ = d.Cmd.Process.Kill() }).Stop() // it may have ended
	return d.Stop()
}

// callers asks find_callers, as a model does.
func (d *daemon) callers(ctx context.Context, s symbol) (answer, error) {
	response, took, err := d.call(ctx, "find_callers", map[string]any{"name": s.asked()})
	if err != nil {
		return answer{}, err
	}
	a := answer{took: took, said: firstLine(response.Text)}
	var found struct {
		DefinitionFile *string          `json:"definition_file"`
		Total          int              `json:"total"`
		Filtered       int              `json:"filtered_count"`
		Unresolved     int              `json:"unresolved_total"`
		Completeness   lsp.Completeness `json:"completeness"`
	}
	if response.Error == nil {
		if err := json.Unmarshal(response.Result, &found); err != nil {
			return answer{}, fmt.Errorf("find_callers %s: %w", s.asked(), err)
		}
		a.wrong = found.DefinitionFile == nil && strings.Contains(a.said, "not found")
	}
	a.uses, a.more, a.state = found.Total, found.Filtered+found.Unresolved, found.Completeness.State
	d.tally.add(a)
	return a, nil
}

// call runs one tool on a connection of its own.
func (d *daemon) call(ctx context.Context, tool string, arguments any) (*protocol.MCPToolResponse, time.Duration, error) {
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return nil, 0, err
	}
	begin := time.Now()
	call := &protocol.MCPToolCall{ID: "1", ToolName: tool, Arguments: encoded}
	response, err := daemontest.Ask[*protocol.MCPToolResponse](ctx, d.Socket(), call)
	return response, time.Since(begin), err
}

// restarts returns how often language servers were started again so far, with the daemon's reasons.
func (d *daemon) restarts(ctx context.Context) (int, []string, error) {
	status, err := daemontest.Ask[*protocol.StatusResponse](ctx, d.Socket(), &protocol.StatusRequest{})
	if err != nil {
		return 0, nil, err
	}
	count, notes := 0, []string{}
	for _, server := range status.LanguageServers {
		count += server.Restarts
		if server.Note != "" {
			notes = append(notes, server.Note)
		}
	}
	return count, notes, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
