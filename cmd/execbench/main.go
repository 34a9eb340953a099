// Execbench measures what a model runs unasked: how well it is confined, what it costs, and what is shown of it. Each figure stands
// beside its bound and its peer.
//
// Run it by make bench-exec. -only runs one group of rows, -write puts the table into docs/figures.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"tidepool/internal/figures"
	"tidepool/internal/measure"
)

func main() {
	serve()
	figures.Main(run)
}

// A group is rows that are measured together, in a file of their own.
type group struct {
	name string
	rows func(ctx context.Context, root string) ([]figures.Row, error)
}

// groups lists them in the order of the table.
func groups() []group {
	sandbox, _ := confined()
	return append(sandbox, group{"preview", previewRows}, group{"secrets", secretRows}, group{"native", nativeRows})
}

// steps returns what runs in processes of its own, which this program starts with the name of a step and a directory as arguments.
func steps() map[string]measure.Step {
	_, all := confined()
	all["scrub"] = scrubStep
	return all
}

func run(ctx context.Context, args []string) error {
	if len(args) == 2 && steps()[args[0]] != nil {
		return measure.Serve(ctx, steps()[args[0]], args[1], os.Stdout)
	}
	flags := flag.NewFlagSet("execbench", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	only := flags.String("only", "", "run one group of rows")
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
	rows, err := measured(ctx, root, *only)
	if err != nil {
		return err
	}
	table := figures.NewTable(os.Stdout, "")
	table.Add(rows...)
	if *write {
		if err := table.Write(root, "exec"); err != nil {
			return err
		}
	}
	return table.Err()
}

// measured returns the rows of all groups, or of one.
func measured(ctx context.Context, root, only string) ([]figures.Row, error) {
	var all []figures.Row
	for _, g := range groups() {
		if only != "" && only != g.name {
			continue
		}
		rows, err := g.rows(ctx, root)
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
