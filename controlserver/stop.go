package main

import (
	"context"
	"fmt"
	"time"

	"tidepool/internal/daemon"
	"tidepool/protocol"
)

type stopCommand struct {
	Wait time.Duration `help:"How long calls in flight may take to finish." default:"1m"`
}

// Run ends the daemon and says what it did. That none is running is what was wanted, too.
func (c *stopCommand) Run(life lifetime, place protocol.Place, std stdio) error {
	ctx, cancel := context.WithTimeout(life.quit, c.Wait)
	defer cancel()
	owner, running, err := daemon.Stop(ctx, place.Socket)
	switch {
	case err != nil:
		return err
	case running:
		_, err = fmt.Fprintf(std.out, "stopped (pid %d)\n", owner.PID)
	default:
		_, err = fmt.Fprintln(std.out, "not running")
	}
	return err
}
