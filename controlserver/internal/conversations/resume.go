package conversations

import (
	"context"

	"tidepool/controlserver/internal/archive"
	"tidepool/controlserver/internal/command"
	"tidepool/protocol"
)

type resumeCommand struct {
	Session string `arg:"" help:"The session's id, or the beginning of it."`
}

// Run becomes Claude Code in the conversation's own directory.
func (c *resumeCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	opened, err := openArchive(ctx, place, std, false)
	if err != nil {
		return err
	}
	summary, _, err := opened.Conversation(ctx, c.Session, 0, 1)
	if closed := opened.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return archive.Resume(summary)
}
