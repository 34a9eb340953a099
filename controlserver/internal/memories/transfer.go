package memories

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/page"
	"tidepool/internal/logging"
	"tidepool/internal/recall"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

type exportCommand struct {
	Whole bool   `name:"whole-project" help:"Only the memories of the project. Without it those of all projects, which only a person may."`
	Out   string `short:"o" help:"The file to write, which must not be there. Default: standard output." placeholder:"FILE" type:"path"`
}

// Run writes memories as JSON, one a line.
func (c *exportCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	if !c.Whole {
		if err := command.RequirePerson(); err != nil {
			return err
		}
	}
	store, err := openRows(ctx, place, std)
	if err != nil {
		return err
	}
	return closed(ctx, store, c.export(ctx, store, std))
}

func (c *exportCommand) export(ctx context.Context, store *opened, std command.Stdio) error {
	project := ""
	if c.Whole {
		project = store.Project().Key
	}
	if c.Out == "" {
		return store.Export(ctx, std.Out, project)
	}
	out, err := os.OpenFile(c.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(store.Export(ctx, out, project), out.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Err, "written to %s\n", logging.Escape(c.Out))
	return err
}

type importCommand struct {
	File string `arg:"" optional:"" help:"What export has written. Default: standard input." placeholder:"FILE" type:"existingfile"`
}

// Run reads memories. Only a person may: an import says of a memory who has said it.
func (c *importCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	if err := command.RequirePerson(); err != nil {
		return err
	}
	var in io.Reader = std.In
	if c.File != "" {
		file, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	store, err := openRows(ctx, place, std)
	if err != nil {
		return err
	}
	done, err := store.Import(ctx, in)
	err = closed(ctx, store, err)
	p := page.New(std.Out)
	printImported(p, done)
	return errors.Join(p.Err(), err)
}

// printImported writes what became of the memories. After an error that is those of the lines before.
func printImported(p *page.Page, done recall.Imported) {
	p.Row(page.Good, "imported", wording.Count(done.New, "memory"))
	for _, row := range []struct {
		n    int
		what string
	}{
		{done.Known, "were there already"},
		{done.Forgotten, "were forgotten here, and are left out"},
		{done.Scrubbed, "had secrets, which were taken out"},
	} {
		if row.n > 0 {
			p.Row(page.Plain, "", fmt.Sprintf("%d %s", row.n, row.what))
		}
	}
}

type backupCommand struct {
	File string `arg:"" help:"The file to write, which must not be there." type:"path"`
}

// Run writes a copy of the database. Only a person may: it has the memories of all projects.
func (c *backupCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	if err := command.RequirePerson(); err != nil {
		return err
	}
	store, err := openRows(ctx, place, std)
	if err != nil {
		return err
	}
	if err := closed(ctx, store, store.Backup(ctx, c.File)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Err, "written to %s; what is forgotten from now on stays in it\n", logging.Escape(c.File))
	return err
}
