package command

import (
	"context"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/golang/wasmtest"
	"tidepool/protocol"
)

// Serve makes this process the daemon of a project.
type Serve struct {
	Scorer      string `help:"Who rates what scout finds: ollama or heuristic." placeholder:"NAME" enum:",ollama,heuristic" default:""`
	Record      bool   `help:"Keep the scorer's judgements as training examples in .tidepool/training."`
	LogLevel    string `help:"Lowest level that is logged: debug, info, warn or error." placeholder:"LEVEL" enum:",debug,info,warn,error" default:""`
	IdleTimeout string `help:"Exit after this time without use. Default: never." placeholder:"DURATION"`
	Detached    bool   `help:"Serve as a daemon that agent starts: exit after server.idle_timeout without use, or for another build." hidden:""`
}

// Run serves with the settings that the flags give.
func (c *Serve) Run(signals serve.Signals, place protocol.Place, build Build, std Stdio) error {
	flags := map[string]string{"scout.scorer": c.Scorer, "log.level": c.LogLevel, "server.idle_timeout": c.IdleTimeout}
	if c.Record {
		flags["scout.record"] = "true"
	}
	return serve.Run(signals, serve.Options{
		Place: place, Flags: flags, Detached: c.Detached, Version: string(build), Out: std.Out, Err: std.Err,
	})
}

// RunTests runs tests in a sandbox, for a daemon.
type RunTests struct{}

// Run is the process that a daemon starts to run tests in: see [wasmtest.Serve].
func (RunTests) Run(ctx context.Context, std Stdio) error {
	return wasmtest.Serve(ctx, std.In, std.Out)
}
