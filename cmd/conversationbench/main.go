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
	"os"
	"path/filepath"

	"tidepool/internal/figures"
	"tidepool/internal/measure"
)

// designSize is how many turns the bounds are about.
const designSize = 200_000

func main() { figures.Main(run) }

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
	table, err := measured(ctx, root, *turns)
	if err == nil && *write {
		err = table.Write(root, "conversations")
	}
	if err != nil {
		return err
	}
	return table.Err()
}

// measured generates the transcripts, measures everything about them and prints the table.
func measured(ctx context.Context, root string, turns int) (*figures.Table, error) {
	dir, err := os.MkdirTemp("", "tidepool-conversations-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	all, err := generate(filepath.Join(dir, "all"), turns)
	if err != nil {
		return nil, err
	}
	small, err := generate(filepath.Join(dir, "small"), turns/20)
	if err != nil {
		return nil, err
	}
	table := figures.NewTable(os.Stdout, fmt.Sprintf("%d turns of %d sessions, %.0f MB of transcripts", all.Turns, all.Sessions, mb(all.Bytes)))
	b := &bench{ctx: ctx, root: root, all: all, small: small}
	for _, part := range []func() ([]figures.Row, error){b.building, b.asking, b.following, b.hooks, b.quality} {
		rows, err := part()
		if err != nil {
			return nil, err
		}
		table.Add(rows...)
	}
	return table, nil
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
