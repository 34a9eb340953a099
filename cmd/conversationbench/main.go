// Conversationbench measures how fast and how small the archive of conversations is, and prints each figure beside its bound
// and its peer.
//
// Run it by make bench-conversations. It generates the transcripts of one project, the same ones for the same number of turns.
// With -turns it makes fewer of them, with -write it puts the table into docs/figures.md. What is measured runs in processes of
// its own, which this program starts with the name of a step as argument.
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

// designSize is how many turns the bounds are about.
const designSize = 200_000

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("conversationbench", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	turns := flags.Int("turns", designSize, "how many turns to generate; the bounds are about 200,000")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 2 {
		return step(ctx, flags.Arg(0), flags.Arg(1))
	}
	if *write && *turns != designSize {
		return errors.New("-write is for the table of 200,000 turns: leave out -turns")
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	var table strings.Builder
	missed, err := printTable(ctx, root, *turns, io.MultiWriter(os.Stdout, &table))
	if err == nil && *write {
		err = section.Write(filepath.Join(root, "docs", "figures.md"), map[string]string{"conversations": table.String()})
	}
	if err == nil && missed > 0 {
		err = fmt.Errorf("%d of the bounds not held", missed)
	}
	return err
}

// A row is one line of the table.
type row struct {
	what, hold string
	measured   string
	peer       string
	held       bool
}

// printTable generates the transcripts, measures everything about them, prints the table and counts the bounds that were missed.
func printTable(ctx context.Context, root string, turns int, out io.Writer) (missed int, err error) {
	dir, err := os.MkdirTemp("", "tidepool-conversations-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	all, err := generate(filepath.Join(dir, "all"), turns)
	if err != nil {
		return 0, err
	}
	small, err := generate(filepath.Join(dir, "small"), turns/20)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "%s, %s/%s, %d CPUs; %d turns of %d sessions, %.0f MB of transcripts\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), all.Turns, all.Sessions, mb(all.Bytes))
	fmt.Fprintln(out, "| what | hold | measured | beside it |\n|---|---|---|---|")
	b := &bench{ctx: ctx, root: root, all: all, small: small}
	for _, part := range []func() ([]row, error){b.building, b.asking, b.following, b.hooks, b.quality} {
		rows, err := part()
		if err != nil {
			return missed, err
		}
		for _, r := range rows {
			if !r.held {
				missed++
				r.measured += "; **missed**"
			}
			fmt.Fprintf(out, "| %s | %s | %s | %s |\n", r.what, r.hold, r.measured, r.peer)
		}
	}
	return missed, nil
}

// A bench holds what the rows share.
type bench struct {
	ctx   context.Context
	root  string // of the checkout
	all   *corpus
	small *corpus         // a twentieth of it
	fts5  measure.Figures // of the peer
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }
