package conversations

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"tidepool/controlserver/internal/archive"
	"tidepool/controlserver/internal/command"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

type exportCommand struct {
	Session string `arg:"" help:"The session's id, or the beginning of it."`
	Out     string `short:"o" help:"The file to write. Default: standard output." placeholder:"FILE" type:"path"`
	Force   bool   `help:"Replace the file if it is there."`
}

// Run writes a conversation as Markdown, with secrets replaced.
func (c *exportCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	opened, err := openArchive(ctx, place, std, false)
	if err != nil {
		return err
	}
	defer opened.Close()
	if c.Out == "" {
		out := bufio.NewWriter(std.Out)
		return errors.Join(archive.Export(ctx, opened, c.Session, out), out.Flush())
	}
	if err := archive.ExportFile(ctx, opened, c.Session, c.Out, c.Force); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Err, "written to %s\n", logging.Escape(c.Out))
	return err
}
