package conversations

import (
	"context"
	"fmt"
	"os"

	"tidepool/controlserver/internal/archive"
	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

// archiveOptions returns how the archive of the project is opened. A person who waits for it is told how far it is.
func archiveOptions(place protocol.Place, std command.Stdio) (archive.Options, error) {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return archive.Options{}, err
	}
	command.Warn(std, settings)
	options := archive.Options{Project: place.Project, Settings: settings.Conversations, Getenv: os.Getenv}
	if logging.IsTerminal(std.Err) {
		options.Slow = func(share float64) { fmt.Fprintf(std.Err, "reading transcripts: %d%%\n", int(share*100)) }
	}
	return options, nil
}

// openArchive opens the archive of the project, or with all those of all projects, which only a person may.
func openArchive(ctx context.Context, place protocol.Place, std command.Stdio, all bool) (*archive.Opened, error) {
	if all {
		if err := command.RequirePerson(); err != nil {
			return nil, err
		}
	}
	options, err := archiveOptions(place, std)
	switch {
	case err != nil:
		return nil, err
	case all:
		return archive.OpenAll(ctx, options)
	}
	return archive.Open(ctx, options)
}
