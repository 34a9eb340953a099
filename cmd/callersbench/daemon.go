package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	checkout *checkout
}

// serve starts a daemon in a project that is trusted, and waits until its language servers know the project.
func (c *checkout) serve(ctx context.Context) (*daemon, error) {
	state := filepath.Join(c.dir, protocol.StateDir)
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	settings := []byte(`{"scout":{"scorer":"heuristic","measure_tests":false}}`)
	if err := os.WriteFile(filepath.Join(state, "config.json"), settings, 0o600); err != nil {
		return nil, err
	}
	if _, err := (trust.Store{Dir: filepath.Join(filepath.Dir(c.dir), "state", "tidepool")}).Grant(c.dir); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, "controlserver"), "serve", "--project", c.dir)
	cmd.Env, cmd.Dir = c.env(), c.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopLimit
	running, err := daemontest.Run(cmd, c.dir)
	if err != nil {
		return nil, err
	}
	d := &daemon{running, c}
	health := exec.CommandContext(ctx, filepath.Join(c.bin, "agent"), "health", "--ready", "--timeout", "5m")
	health.Dir, health.Env = c.dir, c.env()
	if out, err := health.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("waiting for the daemon: %w\n%s", err, out), d.end())
	}
	return d, nil
}

// end stops the daemon, whatever it does.
func (d *daemon) end() error {
	defer time.AfterFunc(stopLimit, func() { _ = d.Cmd.Process.Kill() }).Stop() // it may have ended
	return d.Stop()
}

// An answer is what of find_callers' result counts here.
type answer struct {
	File  *string `json:"definition_file"`
	Line  int     `json:"definition_line"`
	Sites []struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
		Kind   string `json:"kind"`
	} `json:"call_sites"`
	Unresolved int `json:"unresolved_total"`
	Candidates []struct {
		Name string `json:"name"`
		File string `json:"file"`
		Line int    `json:"line"`
	} `json:"candidates"`
	Completeness lsp.Completeness `json:"completeness"`

	text string
}

// callers asks find_callers.
func (d *daemon) callers(ctx context.Context, name string) (answer, error) {
	encoded, err := json.Marshal(map[string]any{"name": name, "max_results": 1000, "wait_seconds": 120})
	if err != nil {
		return answer{}, err
	}
	call := &protocol.MCPToolCall{ID: "1", ToolName: "find_callers", Arguments: encoded}
	response, err := daemontest.Ask[*protocol.MCPToolResponse](ctx, d.Socket(), call)
	if err != nil {
		return answer{}, err
	}
	if response.Error != nil {
		return answer{text: response.Error.Message}, nil
	}
	a := answer{text: response.Text}
	if err := json.Unmarshal(response.Result, &a); err != nil {
		return answer{}, fmt.Errorf("reading the answer about %s: %w", name, err)
	}
	return a, nil
}

// byName asks for a function by its name alone.
func (d *daemon) byName(ctx context.Context, f function) (answer, error) {
	return d.meaning(ctx, f.Name, f)
}

// byFile asks for a function behind the path of its file.
func (d *daemon) byFile(ctx context.Context, f function) (answer, error) {
	return d.meaning(ctx, f.At.Path+":"+f.Name, f)
}

// meaning asks for a name. Of the candidates of an ambiguous one it asks for the one that stands where the function does.
func (d *daemon) meaning(ctx context.Context, name string, f function) (answer, error) {
	a, err := d.callers(ctx, name)
	if err != nil || a.File != nil {
		return a, err
	}
	for _, c := range a.Candidates {
		if path, ok := d.checkout.below(c.File); ok && path == f.At.Path && c.Line == f.At.Line {
			return d.callers(ctx, c.Name)
		}
	}
	return a, nil
}
