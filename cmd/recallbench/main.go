// Recallbench measures recall: how fast and how small it is, and how often it tells the right memory and is silent otherwise. Each
// figure stands beside its bound and its peer.
//
// Run it by make bench-recall. The first half is about generated memories, the same ones for the same number; what is measured runs
// in processes of its own, which this program starts with the name of a step as argument. The second half is about public dialogues
// and runs with -data, the directory that has them. -only runs one of the two, -write puts the tables into docs/figures.md.
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

// designSize is how many memories the bounds of the first half are about.
const designSize = 100_000

func main() { figures.Main(run) }

// options are the flags.
type options struct {
	write    bool
	memories int
	data     string
	only     string
}

func run(ctx context.Context, args []string) error {
	if len(args) == 2 && steps()[args[0]] != nil {
		return measure.Serve(ctx, steps()[args[0]], args[1], os.Stdout)
	}
	var o options
	flags := flag.NewFlagSet("recallbench", flag.ContinueOnError)
	flags.BoolVar(&o.write, "write", false, "put the tables into docs/figures.md, too")
	flags.IntVar(&o.memories, "memories", designSize, "how many memories to generate; the bounds are about 100,000")
	flags.StringVar(&o.data, "data", "", "the directory of the public dialogues")
	flags.StringVar(&o.only, "only", "", "run one half: speed or quality")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.write && o.memories != designSize {
		return errors.New("-write is for the table of 100,000 memories: leave out -memories")
	}
	halves, err := o.halves()
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	return publish(ctx, root, halves, o.write)
}

// A half is one of the two tables.
type half struct {
	name string // of its section in docs/figures.md
	head string // what the table is about, on its first line
	rows func(ctx context.Context, root string) ([]figures.Row, error)
}

// halves returns what the flags ask for.
func (o options) halves() ([]half, error) {
	var all []half
	switch o.only {
	case "", "speed":
		all = append(all, half{"recall-speed", fmt.Sprintf("%d memories", o.memories), func(ctx context.Context, root string) ([]figures.Row, error) {
			return speed(ctx, root, o.memories)
		}})
	case "quality":
		if o.data == "" {
			return nil, errors.New("-only quality needs -data, the directory data of a clone of github.com/danny911kr/REALTALK")
		}
	default:
		return nil, fmt.Errorf("-only is speed or quality, not %q", o.only)
	}
	if o.data != "" && o.only != "speed" {
		all = append(all, half{"recall-quality", "LoCoMo and REALTALK", func(ctx context.Context, _ string) ([]figures.Row, error) {
			return qualityOf(ctx, o.data)
		}})
	}
	return all, nil
}

// publish measures the halves one after the other, prints their tables, and with write puts them into docs/figures.md.
func publish(ctx context.Context, root string, halves []half, write bool) error {
	var missed error
	for _, h := range halves {
		rows, err := h.rows(ctx, root)
		if err != nil {
			return err
		}
		table := figures.NewTable(os.Stdout, h.head)
		table.Add(rows...)
		fmt.Println()
		if write {
			if err := table.Write(root, h.name); err != nil {
				return err
			}
		}
		missed = errors.Join(missed, table.Err())
	}
	return missed
}
