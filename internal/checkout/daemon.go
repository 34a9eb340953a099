package checkout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// stopLimit bounds the end of a daemon. One that takes longer is killed.
const stopLimit = 30 * time.Second

// Quiet are settings with which the daemon measures no tests, which would take the processor from what is timed.
const Quiet = `{"scout":{"scorer":"heuristic","measure_tests":false}}`

// A Daemon is controlserver in a checkout.
type Daemon struct{ *daemontest.Daemon }

// Serve starts a daemon in the project, which it trusts. settings are the JSON of the project's settings.
func (c *Checkout) Serve(ctx context.Context, settings string) (*Daemon, error) {
	state := filepath.Join(c.Dir, protocol.StateDir)
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(state, "config.json"), []byte(settings), 0o600); err != nil {
		return nil, err
	}
	if _, err := (trust.Store{Dir: filepath.Join(c.Beside, "state", "tidepool")}).Grant(c.Dir); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(c.Bin, "controlserver"), "serve", "--project", c.Dir)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopLimit
	running, err := daemontest.Run(cmd, c.Dir)
	if err != nil {
		return nil, err
	}
	return &Daemon{running}, nil
}

// ServeReady is Serve, and waits until the language servers know the project.
func (c *Checkout) ServeReady(ctx context.Context, settings string) (*Daemon, error) {
	d, err := c.Serve(ctx, settings)
	if err != nil {
		return nil, err
	}
	health := exec.CommandContext(ctx, filepath.Join(c.Bin, "agent"), "health", "--ready", "--timeout", "5m")
	health.Dir, health.Env = c.Dir, c.Env
	if out, err := health.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("waiting for the daemon: %w\n%s", err, out), d.Stop())
	}
	return d, nil
}

// Call runs one tool, on a connection of its own. The response may have an error of the tool.
func (d *Daemon) Call(ctx context.Context, tool string, arguments any) (*protocol.MCPToolResponse, error) {
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	call := &protocol.MCPToolCall{ID: "1", ToolName: tool, Arguments: encoded}
	return daemontest.Ask[*protocol.MCPToolResponse](ctx, d.Socket(), call)
}

// measureLimit bounds the measuring of all tests of a project.
const measureLimit = 30 * time.Minute

// AwaitMeasured waits until the tests of each module that was asked about are measured, or cannot be. One must have been asked about.
func (d *Daemon) AwaitMeasured(ctx context.Context) ([]protocol.MeasuredTests, error) {
	ctx, cancel := context.WithTimeout(ctx, measureLimit)
	defer cancel()
	for {
		status, err := daemontest.Ask[*protocol.StatusResponse](ctx, d.Socket(), &protocol.StatusRequest{})
		if err != nil {
			return nil, err
		}
		waits := func(m protocol.MeasuredTests) bool { return m.Waiting > 0 }
		if all := status.MeasuredTests; len(all) > 0 && !slices.ContainsFunc(all, waits) {
			return all, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for the tests to be measured: %w", context.Cause(ctx))
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Stop ends the daemon, whatever it does.
func (d *Daemon) Stop() error {
	defer time.AfterFunc(stopLimit, func() { _ = d.Cmd.Process.Kill() }).Stop() // it may have ended
	return d.Daemon.Stop()
}
