// Largebench measures what tidepool costs in projects of 10 thousand to 6 million lines, beside the same language server on a bare
// connection: time, memory, restarts, and how complete the answers were. It draws how the costs grow.
//
// Run it by make bench-large, which builds what it needs. -sizes names some of the projects. -write puts their tables into
// docs/figures.md, and the plot beside it if all sizes of Go run. Projects are fetched first; from then on nothing asks the network.
// Everything lies below one temporary directory, which is removed at the end. Each phase has a limit, and so has the whole run; a
// figure that a limit has cut short is marked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/checkout"
	"tidepool/internal/figures"
)

// wholeLimit bounds a run of all sizes.
const wholeLimit = 75 * time.Minute

func main() { figures.Main(run) }

// A bench holds what the sizes share.
type bench struct {
	root     string // the checkout
	bin      string // the directory of the programs
	temp     string // of everything, removed at the end
	deadline time.Time
	mixed    time.Duration // of mixed use, in the project that has it
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("largebench", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the tables into docs/figures.md, too, and the plot beside it if all sizes of Go run")
	names := flags.String("sizes", "", "sizes to run, with commas between them: "+strings.Join(sizeNames(), ", "))
	mixed := flags.Duration("mixed", 10*time.Minute, "time of mixed use at the largest size")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(*names)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	temp, err := checkout.Temporary("large")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	b := &bench{root: root, bin: filepath.Join(root, "bin"), temp: temp, deadline: time.Now().Add(wholeLimit), mixed: *mixed}
	results, err := b.measureAll(ctx, chosen)
	if err != nil {
		return err
	}
	return publish(os.Stdout, root, results, *write, drawable(chosen))
}

// measureAll measures sizes one after the other. One that cannot be measured is reported in its place.
func (b *bench) measureAll(ctx context.Context, chosen []size) ([]result, error) {
	var results []result
	for _, s := range chosen {
		r, err := b.measure(ctx, s)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			r.problem = err.Error()
			fmt.Fprintf(os.Stderr, "%s: %v\n", s.name, err)
		}
		results = append(results, r)
	}
	return results, nil
}

// measure lays a project out, and measures first the bare server in it, then the daemon, and more cold starts of both.
func (b *bench) measure(ctx context.Context, s size) (r result, err error) {
	r = result{size: s}
	begin := time.Now()
	p, err := b.lay(ctx, s)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(p.top)) }()
	r.files, r.lines = p.files, p.lines
	fmt.Fprintf(os.Stderr, "%s: %d lines in %d files laid out in %v\n", s.name, p.lines, p.files, time.Since(begin).Round(time.Second))
	if r.bare, err = b.measureBare(ctx, p); err != nil {
		return r, fmt.Errorf("the bare server: %w", err)
	}
	if err := p.reset(ctx); err != nil {
		return r, err
	}
	if r.ours, err = b.measureOurs(ctx, p); err != nil {
		return r, fmt.Errorf("the daemon: %w", err)
	}
	if err := b.startAgain(ctx, p, &r); err != nil {
		return r, err
	}
	fmt.Fprintf(os.Stderr, "%s: measured in %v\n", s.name, time.Since(begin).Round(time.Second))
	return r, nil
}
