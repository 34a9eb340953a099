package command

import (
	"context"

	"tidepool/internal/golang/wasmtest"
)

// RunTests runs tests in a sandbox, for a daemon.
type RunTests struct{}

// Run is the process that a daemon starts to run tests in: see [wasmtest.Serve].
func (RunTests) Run(ctx context.Context, std Stdio) error {
	return wasmtest.Serve(ctx, std.In, std.Out)
}
