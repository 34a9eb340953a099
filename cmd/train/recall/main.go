// Command recall fits the constants of package evidence. It is run in the root of the repository, with the directory data of
// github.com/danny911kr/REALTALK, which has LoCoMo too, as argument.
//
// It fits the floor by logistic regression on what internal/recall/quality names for that: five dialogues of LoCoMo, half of the prompts
// that want silence, half of this repository's known items. The bar is the lowest at which each kind of these prompts is silent 905 times in
// a thousand. It prints both, and what they and the constants in use give on these, on the five other dialogues, on REALTALK and on the other
// half of the known items, of which none is looked at before. With -rank it first tries other constants of the ranking, one at a time.
// With -embedder it prints what a model's vectors add to the ranking of the five dialogues that are fitted on, and nothing else.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/quality"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rank := flag.Bool("rank", false, "try other constants of the ranking, too")
	only := flag.Bool("table", false, "print the figures of the constants in use, and fit none")
	embedder := flag.String("embedder", "", "print only what this model of Ollama, which makes embeddings, adds to the ranking")
	endpoint := flag.String("endpoint", "http://127.0.0.1:11434", "the Ollama server that has it")
	flag.Parse()
	do := func(d *quality.Data) error { return fit(ctx, d, *rank, *only) }
	if *embedder != "" {
		do = func(d *quality.Data) error { return measure(ctx, d.Tuned, *endpoint, *embedder) }
	}
	if err := run(ctx, flag.Args(), do); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run reads the data, and does something with them.
func run(ctx context.Context, args []string, do func(*quality.Data) error) error {
	if len(args) != 1 {
		return errors.New("the argument is the directory data of a clone of github.com/danny911kr/REALTALK")
	}
	d, err := quality.Read(ctx, args[0])
	if err != nil {
		return err
	}
	return do(d)
}

// fit prints the figures of the constants in use and, unless they are all that is wanted, of better ones.
func fit(ctx context.Context, d *quality.Data, rank, only bool) error {
	used := evidence.Fitted()
	if err := table(ctx, d, "in use", &used); err != nil || only {
		return err
	}
	fitted := used
	if rank {
		if err := improve(ctx, d.Tuned, &fitted); err != nil {
			return err
		}
	}
	if err := fitFloor(ctx, d, &fitted); err != nil {
		return err
	}
	fmt.Printf("fitted: %+v\n", fitted)
	return table(ctx, d, "fitted", &fitted)
}
