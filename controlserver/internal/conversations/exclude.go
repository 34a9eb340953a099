package conversations

import (
	"context"
	"fmt"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

type excludeCommand struct {
	Pattern string `arg:"" help:"A directory, or a pattern of directories such as */scratch."`
}

// Run stops the reading of conversations of some directories. Only a person may.
func (c *excludeCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	if err := command.RequirePerson(); err != nil {
		return err
	}
	opened, err := openArchive(ctx, place, std, false)
	if err != nil {
		return err
	}
	defer opened.Close()
	if err := opened.Exclude(ctx, c.Pattern); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "excluded from now on: %s; forget removes what was read before\n", logging.Escape(c.Pattern))
	return err
}
