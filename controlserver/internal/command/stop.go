package command

import (
	"context"
	"fmt"
	"time"

	"tidepool/internal/daemon"
	"tidepool/protocol"
)

// Stop ends the daemon.
type Stop struct {
	Wait time.Duration `help:"How long calls in flight may take to finish." default:"1m"`
}

// Run ends the daemon and says what it did. That none is running is what was wanted, too.
func (c *Stop) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	ctx, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	owner, running, err := daemon.Stop(ctx, place.Socket)
	switch {
	case err != nil:
		return err
	case running:
		_, err = fmt.Fprintf(std.Out, "stopped (pid %d)\n", owner.PID)
	default:
		_, err = fmt.Fprintln(std.Out, "not running")
	}
	return err
}
