package memories

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/logging"
	"tidepool/internal/recall"
	"tidepool/internal/recall/team"
	"tidepool/internal/scrub"
	"tidepool/protocol"
)

// closeWait is how long the end of a command may take: it writes the snapshot of an index that was built anew.
const closeWait = 10 * time.Second

// An opened is the memories of one command. closed closes them.
type opened struct {
	*recall.Store
	team    *team.Team // what the team shares; nil: nothing is
	missing string     // why that is missing although a setting names it; "": it is not
}

// openRows opens the memories to read and write them, but not to search them.
func openRows(ctx context.Context, place protocol.Place, std command.Stdio) (*opened, error) {
	return open(ctx, place, std, recall.OpenDatabase)
}

// openIndexed opens the memories to search them.
func openIndexed(ctx context.Context, place protocol.Place, std command.Stdio) (*opened, error) {
	return open(ctx, place, std, recall.Open)
}

func open(ctx context.Context, place protocol.Place, std command.Stdio, how func(context.Context, recall.Options) (*recall.Store, error)) (*opened, error) {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return nil, err
	}
	command.Warn(std, settings)
	options, err := serve.RecallOptions(ctx, place, settings.Recall)
	if err != nil {
		return nil, err
	}
	if options.Scrub, err = scrub.New(scrub.Options{}); err != nil {
		return nil, err
	}
	o := new(opened)
	if address := settings.Recall.Team; address != "" {
		if o.team, err = team.Open(team.Options{Address: address, Scrub: options.Scrub}); err != nil {
			o.missing = "the team's memories are missing: " + err.Error()
			fmt.Fprintf(std.Err, "warning: %s\n", logging.Escape(o.missing))
		}
		options.Team = o.team
	}
	if o.Store, err = how(ctx, options); err != nil {
		o.closeTeam()
		return nil, err
	}
	return o, nil
}

func (o *opened) closeTeam() {
	if o.team != nil {
		o.team.Close()
	}
}

// closed closes the memories after a command, and returns its error, or else that of closing.
func closed(ctx context.Context, o *opened, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	defer o.closeTeam()
	return errors.Join(err, o.Store.Close(ctx))
}

// buildWait is how long a search waits for an index that has no snapshot.
const buildWait = 30 * time.Second

// awaitIndex waits until all memories can be found, or it is clear that they cannot. The answer says what it lacks then.
func (o *opened) awaitIndex(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, buildWait)
	defer cancel()
	_ = o.Ready(ctx)
}
