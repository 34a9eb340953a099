package figures

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
)

// A Group is rows that are measured together.
type Group struct {
	Name string
	Rows func(ctx context.Context, checkout string) ([]Row, error)
}

// Publish measures groups of rows in the checkout that is the working directory, and prints their table. Of the program's arguments, -only
// names one group, and -write puts the table into a section of docs/figures.md. A bound that is not held is an error.
func Publish(ctx context.Context, args []string, section string, groups []Group) error {
	flags := flag.NewFlagSet(section, flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	only := flags.String("only", "", "run one group of rows")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *write && *only != "" {
		return errors.New("-write is for the whole table: leave out -only")
	}
	checkout, err := os.Getwd()
	if err != nil {
		return err
	}
	rows, err := measured(ctx, checkout, *only, groups)
	if err != nil {
		return err
	}
	table := NewTable(os.Stdout, "")
	table.Add(rows...)
	if *write {
		if err := table.Write(checkout, section); err != nil {
			return err
		}
	}
	return table.Err()
}

// measured returns the rows of all groups, or of the one that only names.
func measured(ctx context.Context, checkout, only string, groups []Group) ([]Row, error) {
	var all []Row
	for _, g := range groups {
		if only != "" && only != g.Name {
			continue
		}
		rows, err := g.Rows(ctx, checkout)
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", g.Name, err)
		}
		all = append(all, rows...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no group of rows %q", only)
	}
	return all, nil
}
