package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// A daemon is controlserver on a module, asked through its socket.
type daemon struct {
	*daemontest.Daemon
	module *module
}

// serve starts a daemon. Unless it measures it estimates which tests run what.
func (b *bench) serve(ctx context.Context, m *module, measures bool) (*daemon, error) {
	state := filepath.Join(m.dir, ".tidepool")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	settings := fmt.Appendf(nil, `{"scout":{"scorer":%q,"measure_tests":%t}}`, b.scorer, measures)
	if err := os.WriteFile(filepath.Join(state, "config.json"), settings, 0o600); err != nil {
		return nil, err
	}
	states := filepath.Join(b.temp, "state")
	if _, err := (trust.Store{Dir: filepath.Join(states, "tidepool")}).Grant(m.dir); err != nil { // else it measures nothing
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "controlserver"), "serve", "--project", m.dir)
	cmd.Env = append(slices.Clone(m.env), "XDG_STATE_HOME="+states, "XDG_DATA_HOME="+filepath.Join(b.temp, "data"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	running, err := daemontest.Run(cmd, m.dir)
	if err != nil {
		return nil, err
	}
	d := &daemon{running, m}
	if err := d.awaitReady(ctx); err != nil {
		return nil, errors.Join(err, d.Stop())
	}
	return d, nil
}

// awaitReady waits until the language server knows the module.
func (d *daemon) awaitReady(ctx context.Context) error {
	health := exec.CommandContext(ctx, filepath.Join(filepath.Dir(d.Cmd.Path), "agent"), "health", "--ready", "--timeout", "2m")
	health.Dir, health.Env = d.module.dir, d.module.env
	if out, err := health.CombinedOutput(); err != nil {
		return fmt.Errorf("waiting for the daemon: %w\n%s", err, out)
	}
	return nil
}

// A question is what is sent to scout.
type question struct {
	Query   string   `json:"query"`
	Symbols []string `json:"symbols"`
	Change  string   `json:"change,omitempty"`
}

// A reply is what of scout's result counts here.
type reply struct {
	Pointers []struct {
		Location string `json:"location"`
	} `json:"pointers"`
	Requests int `json:"requests"`
}

// scout asks the tool.
func (d *daemon) scout(ctx context.Context, q question) (answer, error) {
	begin := time.Now()
	response, err := d.call(ctx, "scout", q)
	if err != nil {
		return answer{}, err
	}
	a := answer{took: time.Since(begin), text: len(response.Text)}
	if response.Error != nil {
		return a, errors.New(response.Error.Message)
	}
	var r reply
	if err := json.Unmarshal(response.Result, &r); err != nil {
		return a, fmt.Errorf("reading the result: %w", err)
	}
	a.requests = r.Requests
	for _, p := range r.Pointers {
		colon := strings.LastIndexByte(p.Location, ':')
		line, err := strconv.Atoi(p.Location[colon+1:])
		if err != nil {
			return a, fmt.Errorf("location %q: %w", p.Location, err)
		}
		a.places = append(a.places, place{p.Location[:colon], line})
	}
	return a, nil
}

// call runs one tool on a connection of its own.
func (d *daemon) call(ctx context.Context, tool string, arguments any) (*protocol.MCPToolResponse, error) {
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	return daemontest.Ask[*protocol.MCPToolResponse](ctx, d.Socket(), &protocol.MCPToolCall{ID: "1", ToolName: tool, Arguments: encoded})
}
