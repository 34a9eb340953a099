package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/trust"
	"tidepool/protocol"
)

// stopLimit bounds the end of a daemon. One that takes longer is killed.
const stopLimit = 30 * time.Second

// serve starts a daemon in a module that is trusted, and waits until its language server knows the module.
func (b *bench) serve(ctx context.Context, m *module) (*daemontest.Daemon, error) {
	state := filepath.Join(m.dir, protocol.StateDir)
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	settings := []byte(`{"scout":{"scorer":"heuristic","measure_tests":false}}`)
	if err := os.WriteFile(filepath.Join(state, "config.json"), settings, 0o600); err != nil {
		return nil, err
	}
	if _, err := (trust.Store{Dir: filepath.Join(b.temp, "state", "tidepool")}).Grant(m.dir); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "controlserver"), "serve", "--project", m.dir)
	cmd.Env, cmd.Dir = m.env, m.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopLimit
	d, err := daemontest.Run(cmd, m.dir)
	if err != nil {
		return nil, err
	}
	health := exec.CommandContext(ctx, filepath.Join(b.bin, "agent"), "health", "--ready", "--timeout", "5m")
	health.Dir, health.Env = m.dir, m.env
	if out, err := health.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("waiting for the daemon: %w\n%s", err, out), d.Stop())
	}
	return d, nil
}

// explained asks teach-graph with its default budget, and returns where the things that it explains are declared.
func explained(ctx context.Context, d *daemontest.Daemon, m *module, t topic) ([]place, error) {
	arguments, err := json.Marshal(map[string]any{"topic": t.text, "seeds": t.seedNames(), "wait_seconds": 120})
	if err != nil {
		return nil, err
	}
	call := &protocol.MCPToolCall{ID: "1", ToolName: "teach-graph", Arguments: arguments}
	response, err := daemontest.Ask[*protocol.MCPToolResponse](ctx, d.Socket(), call)
	if err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, fmt.Errorf("teach-graph about %q: %s", t.text, response.Error.Message)
	}
	type unit struct {
		Symbol struct {
			Location struct {
				URI   string `json:"locUri"`
				Range struct {
					Start struct {
						Line int `json:"posLine"`
					} `json:"rangeStart"`
				} `json:"locRange"`
			} `json:"lsLocation"`
		} `json:"tuSymbol"`
	}
	var document struct {
		Core    []unit `json:"tdCore"`
		Prereqs []unit `json:"tdPrereqs"`
		Support []unit `json:"tdSupport"`
	}
	if err := json.Unmarshal(response.Result, &document); err != nil {
		return nil, err
	}
	var all []place
	for _, units := range [][]unit{document.Core, document.Prereqs, document.Support} {
		for _, u := range units {
			at, err := url.Parse(u.Symbol.Location.URI)
			if err != nil {
				return nil, err
			}
			if path, ok := m.relative(at.Path); ok {
				all = append(all, place{path, u.Symbol.Location.Range.Start.Line + 1})
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("teach-graph explains nothing of %q: %s", t.text, response.Text)
	}
	return all, nil
}
