// Command ranking chooses the weights by which conversations are ranked. It is run in the root of the repository, with checkouts of other
// repositories as arguments, whose histories are sets besides the one of this repository and the dialogues.
//
// It tries values one constant at a time, on the queries for tuning alone, until none makes the mean reciprocal rank better, and prints
// the weights. Then it prints what they and the weights in use give on the queries for publishing, beside the ranking of
// conversation-search. With -table it does only that. Choosing takes a minute of the processor for each set.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"tidepool/internal/conversation"
	"tidepool/internal/fulltext"
	"tidepool/internal/knownitem"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	only := flag.Bool("table", false, "print the figures of the weights in use, and choose none")
	flag.Parse()
	if err := run(ctx, *only, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only bool, repositories []string) error {
	sets := []knownitem.Set{knownitem.Dialogues()}
	for _, dir := range append([]string{"."}, repositories...) {
		set, err := knownitem.History(ctx, dir)
		if err != nil {
			return err
		}
		set.Name += " of " + dir
		sets = append(sets, set)
	}
	weights := []fulltext.Weights{conversation.Weights()}
	if !only {
		chosen, err := choose(ctx, sets...)
		if err != nil {
			return err
		}
		fmt.Printf("chosen: %+v\n", chosen)
		weights = append(weights, chosen)
	}
	return table(sets, weights...)
}
