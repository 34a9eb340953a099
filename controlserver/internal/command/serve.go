package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/daemon"
	"tidepool/internal/golang/analysis/worker"
	"tidepool/internal/golang/wasmtest"
	"tidepool/internal/loopback"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// Serve makes this process the daemon of a project.
type Serve struct {
	Scorer       string `help:"Who rates what scout finds: ollama or heuristic." placeholder:"NAME" enum:",ollama,heuristic" default:""`
	Record       bool   `help:"Keep the scorer's judgements as training examples in .tidepool/training."`
	LogLevel     string `help:"Lowest level that is logged: debug, info, warn or error." placeholder:"LEVEL" enum:",debug,info,warn,error" default:""`
	IdleTimeout  string `help:"Exit after this time without use. Default: never." placeholder:"DURATION"`
	MemoryBudget int    `help:"Megabytes that the daemon and all that it starts may occupy together. Default: half of what is available." placeholder:"MB"`
	HTTP         string `name:"http" help:"Also open a port of the loopback interface for HTTP and MCP: 127.0.0.1:0 for any free port." placeholder:"ADDRESS"`
	Detached     bool   `help:"Serve as a daemon that agent starts: exit after server.idle_timeout without use, or for another build." hidden:""`
}

// Run serves with the settings that the flags give.
func (c *Serve) Run(signals serve.Signals, place protocol.Place, build Build, std Stdio) error {
	flags := map[string]string{"scout.scorer": c.Scorer, "log.level": c.LogLevel, "server.idle_timeout": c.IdleTimeout, "server.http": c.HTTP}
	if c.MemoryBudget != 0 {
		flags["memory.budget"] = strconv.Itoa(c.MemoryBudget)
	}
	if c.Record {
		flags["scout.record"] = "true"
	}
	return serve.Run(signals, serve.Options{
		Place: place, Flags: flags, Detached: c.Detached, Version: build.Version, Commit: build.Commit, Out: std.Out, Err: std.Err,
	})
}

// RunTests runs tests in a sandbox, for a daemon.
type RunTests struct{}

// Run is the process that a daemon starts to run tests in: see [wasmtest.Serve].
func (RunTests) Run(ctx context.Context, std Stdio) error {
	return wasmtest.Serve(ctx, std.In, std.Out)
}

// AnalysePackages type-checks Go packages, for a daemon.
type AnalysePackages struct{}

// Run is the process that a daemon asks about types: see [worker.Serve].
func (AnalysePackages) Run(std Stdio) error { return worker.Serve(std.In, std.Out) }

// URL prints where the loopback port of the daemon is.
type URL struct {
	MCP     bool `name:"mcp" help:"Print the entry of .mcp.json by which Claude Code uses the port." xor:"form"`
	Headers bool `help:"Print the headers of a request as JSON, for headersHelper in .mcp.json." xor:"form"`
}

// Run prints the URL with its token, or what a client of MCP needs.
func (c *URL) Run(place protocol.Place, std Stdio) error {
	owner, running, err := daemon.Find(daemon.LockPath(place.Socket))
	if err != nil {
		return err
	}
	if !running {
		return notRunning(place)
	}
	record, err := loopback.Load(state.Of(place.Project))
	if err != nil {
		return err
	}
	if record == nil || record.PID != owner.PID {
		return &commandError{
			fmt.Sprintf("no port is open: the daemon (pid %d) listens on its socket only", owner.PID),
			"stop it, then run `controlserver serve --http 127.0.0.1:0`, or set server.http in .tidepool/config.json; if that is set, agent logs says why",
		}
	}
	headers := map[string]string{"Authorization": record.Header()}
	switch {
	case c.MCP:
		return json.NewEncoder(std.Out).Encode(struct {
			Type    string            `json:"type"`
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		}{"http", record.URL + "/mcp", headers})
	case c.Headers:
		return json.NewEncoder(std.Out).Encode(headers)
	}
	_, err = fmt.Fprintln(std.Out, record.Address())
	return err
}
