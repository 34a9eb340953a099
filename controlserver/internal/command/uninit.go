package command

import (
	"context"
	"time"

	"tidepool/internal/daemon"
	"tidepool/internal/setup"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// purgeLimit is how long a daemon may take to end before its state is removed.
const purgeLimit = time.Minute

// Uninit takes out what Init has put in.
type Uninit struct {
	setupFlags
	Purge bool `help:"Also stop the daemon and remove .tidepool with everything in it."`
}

// Run takes out what init has put in. With the hooks the policy goes, so that is for a person to do.
func (c *Uninit) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	if err := RequirePerson(); err != nil && !c.DryRun {
		return err
	}
	options, err := c.options(place)
	if err != nil {
		return err
	}
	options.Purge = c.Purge
	plan, err := setup.Uninit(options)
	if err != nil {
		return err
	}
	t := &task{plan: plan, done: "taken out"}
	if !c.User {
		t.distrust(place)
	}
	if c.Purge && !c.User {
		t.loss = "the daemon is ended, and " + state.Of(place.Project) + " removed with all that is in it"
		t.first = func() error {
			ctx, cancel := context.WithTimeout(ctx, purgeLimit)
			defer cancel()
			_, _, err := daemon.Stop(ctx, place.Socket)
			return err
		}
	}
	return c.carryOut(t, std)
}
