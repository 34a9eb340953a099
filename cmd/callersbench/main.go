// Callersbench measures how exact find_callers is: it asks about functions of public projects, drawn by a seed, and compares each
// answer with what a compiler of the language says.
//
// Run it by make bench-callers, which builds what it needs. Every function is asked for twice: by its name alone, and behind the
// path of its file. Calls, values and calls through interfaces are counted apart. -list prints each answer that differs from the
// truth. -write puts the table into docs/figures.md. Projects are fetched into a temporary directory, which is removed at the end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/checkout"
	"tidepool/internal/figures"
)

func main() { figures.Main(run) }

// A bench holds what the projects share.
type bench struct {
	bin   string // the directory of the programs
	temp  string // of everything, removed at the end
	count int    // functions that are drawn of each project
	list  bool   // print what differs from the truth
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("callersbench", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	only := flags.String("only", "", "ask only projects whose language or source contains this")
	b := &bench{}
	flags.IntVar(&b.count, "count", 200, "functions to draw of each project")
	flags.BoolVar(&b.list, "list", false, "print each answer that differs from the truth")
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
	b.bin = filepath.Join(root, "bin")
	if b.temp, err = checkout.Temporary("callers"); err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	table := figures.NewTable(os.Stdout, "")
	for _, p := range projects() {
		if !strings.Contains(p.language+" "+p.source, *only) {
			continue
		}
		result, err := b.measure(ctx, p)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.source, err)
		}
		if b.list {
			fmt.Fprint(os.Stderr, result.told())
		}
		table.Add(result.rows()...)
	}
	if *write {
		if err := table.Write(root, "callers"); err != nil {
			return err
		}
	}
	return table.Err()
}

// measure lays a project out, has its truth told, and asks about the functions that are drawn.
func (b *bench) measure(ctx context.Context, p project) (*score, error) {
	laid := &subject{checkout.New(b.temp, p.source, b.bin), p}
	if err := os.MkdirAll(laid.Dir, 0o700); err != nil {
		return nil, err
	}
	if err := p.fetch(ctx, laid); err != nil {
		return nil, fmt.Errorf("fetching it: %w", err)
	}
	functions, err := p.truth(ctx, laid)
	if err != nil {
		return nil, fmt.Errorf("asking the compiler: %w", err)
	}
	drawn := draw(functions, b.count)
	if len(drawn) == 0 {
		return nil, errors.New("it declares no functions")
	}
	return b.ask(ctx, laid, drawn)
}
