package upgrade

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/daemon"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

// handOver has the new agent replace the project's daemon, if one runs, and says what became of it. The daemon finishes the calls it has.
func handOver(ctx context.Context, agent string, place protocol.Place, std command.Stdio) error {
	lock := daemon.LockPath(place.Socket)
	before, running, err := daemon.Find(lock)
	if err != nil {
		return err
	}
	if running {
		renew := exec.CommandContext(ctx, agent, "renew")
		renew.Env = append(os.Environ(), "TIDEPOOL_PROJECT_DIR="+place.Project)
		_ = renew.Run() // an older agent cannot; what became of the daemon is seen below
		after, running, err := daemon.Find(lock)
		if err != nil {
			return err
		}
		switch {
		case running && after.PID != before.PID:
			fmt.Fprintf(std.Out, "the daemon of %s has handed over (pid %d to %d)\n", logging.Escape(place.Project), before.PID, after.PID)
		case running:
			fmt.Fprintf(std.Out, "the daemon of %s goes on with the old program (pid %d): controlserver stop ends it\n", logging.Escape(place.Project), before.PID)
		}
	}
	_, err = fmt.Fprintln(std.Out, "daemons of other projects hand over when a session starts there")
	return err
}
