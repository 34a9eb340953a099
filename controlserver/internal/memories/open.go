package memories

import (
	"context"
	"errors"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/recall"
	"tidepool/protocol"
)

// closeWait is how long the end of a command may take: it writes the snapshot of an index that was built anew.
const closeWait = 10 * time.Second

// optionsOf returns how the memories are opened for a project.
func optionsOf(ctx context.Context, place protocol.Place, std command.Stdio) (recall.Options, error) {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return recall.Options{}, err
	}
	command.Warn(std, settings)
	return serve.RecallOptions(ctx, place, settings.Recall)
}

// openRows opens the memories to read and write them, but not to search them.
func openRows(ctx context.Context, place protocol.Place, std command.Stdio) (*recall.Store, error) {
	options, err := optionsOf(ctx, place, std)
	if err != nil {
		return nil, err
	}
	return recall.OpenDatabase(ctx, options)
}

// openIndexed opens the memories to search them.
func openIndexed(ctx context.Context, place protocol.Place, std command.Stdio) (*recall.Store, error) {
	options, err := optionsOf(ctx, place, std)
	if err != nil {
		return nil, err
	}
	return recall.Open(ctx, options)
}

// closed closes the memories after a command, and returns its error, or else that of closing.
func closed(ctx context.Context, store *recall.Store, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	return errors.Join(err, store.Close(ctx))
}
