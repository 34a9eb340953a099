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
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"tidepool/internal/measure"
	"tidepool/internal/section"
)

// designSize is how many memories the bounds of the first half are about.
const designSize = 100_000

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

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
	rows func(ctx context.Context, root string) ([]row, error)
}

// A row is one line of a table.
type row struct {
	what, hold string
	measured   string
	peer       string
	held       bool
}

// halves returns what the flags ask for.
func (o options) halves() ([]half, error) {
	var all []half
	switch o.only {
	case "", "speed":
		all = append(all, half{"recall-speed", fmt.Sprintf("%d memories", o.memories), func(ctx context.Context, root string) ([]row, error) {
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
		all = append(all, half{"recall-quality", "LoCoMo and REALTALK", func(ctx context.Context, _ string) ([]row, error) {
			return qualityOf(ctx, o.data)
		}})
	}
	return all, nil
}

// publish measures the halves one after the other, prints their tables, and with write puts them into docs/figures.md.
func publish(ctx context.Context, root string, halves []half, write bool) error {
	missed := 0
	for _, h := range halves {
		rows, err := h.rows(ctx, root)
		if err != nil {
			return err
		}
		var table strings.Builder
		missed += printTable(io.MultiWriter(os.Stdout, &table), h.head, rows)
		if write {
			if err := section.Write(filepath.Join(root, "docs", "figures.md"), map[string]string{h.name: table.String()}); err != nil {
				return err
			}
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d of the bounds not held", missed)
	}
	return nil
}

// printTable writes a table and counts the bounds that were missed.
func printTable(out io.Writer, head string, rows []row) (missed int) {
	fmt.Fprintf(out, "%s, %s/%s, %d CPUs; %s\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), head)
	fmt.Fprintln(out, "| what | hold | measured | beside it |\n|---|---|---|---|")
	for _, r := range rows {
		if !r.held {
			missed++
			r.measured += "; **missed**"
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", r.what, r.hold, r.measured, r.peer)
	}
	fmt.Fprintln(out)
	return missed
}
