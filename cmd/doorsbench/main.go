// Doorsbench measures what each way to the tools costs: the same call by line, by JSON over HTTP, by gRPC, and by MCP over HTTP. It also
// measures whether lines cost more in a daemon that was asked by all of them, and how long a daemon takes to start.
//
// Run it by make bench-doors. -only runs one group of rows, -write puts the table into docs/figures.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"tidepool/internal/figures"
)

func main() { figures.Main(run) }

// A bench holds what the groups share.
type bench struct {
	bin  string // the checkout's bin directory
	temp string // removed at the end
}

// A group is rows that are measured together, in a file of their own.
type group struct {
	name string
	rows func(ctx context.Context) ([]figures.Row, error)
}

// groups lists them in the order of the table.
func (b *bench) groups() []group {
	return []group{{"doors", b.doorRows}, {"lines", b.lineRows}, {"start", b.startRows}}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("doorsbench", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	only := flags.String("only", "", "run one group of rows: doors, lines or start")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *write && *only != "" {
		return errors.New("-write is for the whole table: leave out -only")
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "tidepool-doorsbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	rows, err := (&bench{bin: filepath.Join(root, "bin"), temp: temp}).measured(ctx, *only)
	if err != nil {
		return err
	}
	table := figures.NewTable(os.Stdout, "")
	table.Add(rows...)
	if *write {
		if err := table.Write(root, "doors"); err != nil {
			return err
		}
	}
	return table.Err()
}

// measured returns the rows of all groups, or of one.
func (b *bench) measured(ctx context.Context, only string) ([]figures.Row, error) {
	var all []figures.Row
	for _, g := range b.groups() {
		if only != "" && only != g.name {
			continue
		}
		rows, err := g.rows(ctx)
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", g.name, err)
		}
		all = append(all, rows...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no group of rows %q", only)
	}
	return all, nil
}
