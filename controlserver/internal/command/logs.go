package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

// Logs prints the log of the daemon.
type Logs struct {
	Follow bool `short:"f" help:"Follow the log until Ctrl-C."`
	Lines  int  `short:"n" help:"How many of the last lines to print first." default:"50"`
	JSON   bool `help:"Print each record as a line of JSON."`
}

// Run prints the last records of the daemon's log, and those to come.
func (c *Logs) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	path := serve.LogPath(place)
	lines, end, err := logging.Tail(path, max(0, c.Lines))
	if errors.Is(err, fs.ErrNotExist) && !c.Follow {
		return &commandError{"there is no log: no daemon has served " + place.Project, "start one with: controlserver serve"}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	show := func(line []byte) error { return c.show(std.Out, line) }
	for _, line := range lines {
		if err := show(line); err != nil {
			return err
		}
	}
	if !c.Follow {
		return nil
	}
	return logging.Follow(ctx, path, end, show)
}

// show prints one line of the log. One that is no record may be what a crash left.
func (c *Logs) show(out io.Writer, line []byte) error {
	text := logging.Escape(string(line))
	if c.JSON {
		text = string(logging.SafeJSON(line))
	} else if record, err := logging.ParseRecord(line); err == nil {
		text = record.String()
	}
	_, err := fmt.Fprintln(out, text)
	return err
}
