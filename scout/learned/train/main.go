// Command train fits the weights of the learned scorer, and says how it orders
// what breaks in modules that it was not trained on, beside the heuristic scorer.
//
// It is run by make train-scorer, in the root of the repository, and writes
// scout/learned/weights.txt. It fetches the modules of modules.txt through the
// module proxy, makes changes of their declarations in drafts of gopls, and takes
// for broken what gopls then refuses. Then it asks the same again without drafts:
// the places that a walk comes to are the examples.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"tidepool/scout"
	"tidepool/scout/learned"
)

//go:embed modules.txt
var modulesText string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "error:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("train", flag.ContinueOnError)
	each := flags.Int("each", 10, "changes of each kind that are tried in a module")
	gopls := flags.String("gopls", "bin/gopls", "the language server")
	weights := flags.String("weights", "scout/learned/weights.txt", "where the weights are written")
	measure := flags.Bool("measure", false, "train nothing; measure the weights that there are")
	if err := flags.Parse(args); err != nil {
		return err
	}
	server, err := filepath.Abs(*gopls)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "tidepool-train-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	lab := &laboratory{gopls: server, temp: temp, each: *each}
	var scorer learned.Scorer
	if !*measure {
		if scorer.Model, err = lab.train(ctx); err != nil {
			return err
		}
		if err := write(scorer.Model, *weights); err != nil {
			return err
		}
	}
	return lab.measure(ctx, scorer)
}

func write(m *learned.Model, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = m.WriteTo(file)
	return cmp.Or(err, file.Close())
}

// modules are those of one part of modules.txt.
func modules(part string) []string {
	var list []string
	for line := range strings.Lines(modulesText) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), part+" "); ok {
			list = append(list, name)
		}
	}
	return list
}

// train collects what the walks of the training modules come to. The examples of
// one walk count together as much as those of any other.
func (l *laboratory) train(ctx context.Context) (*learned.Model, error) {
	var examples []learned.Example
	for _, module := range modules("train") {
		trials, err := l.trials(ctx, module, nil)
		if err != nil {
			return nil, err
		}
		before := len(examples)
		for _, t := range trials {
			for _, e := range t.edges {
				examples = append(examples, learned.Example{
					Kind: t.kind, Edge: e, Breaks: t.breaks(e), Weight: 10 / float64(10+len(t.edges)),
				})
			}
		}
		fmt.Printf("%s: %d changes, %d places\n", module, len(trials), len(examples)-before)
	}
	return learned.Train(examples), ctx.Err()
}

// measure compares the order in which both scorers list the places that break.
func (l *laboratory) measure(ctx context.Context, scorer learned.Scorer) error {
	scorers := []scout.Scorer{scout.Heuristic{}, scorer}
	total := newTable()
	for _, module := range modules("test") {
		trials, err := l.trials(ctx, module, scorers)
		if err != nil {
			return err
		}
		for _, t := range trials {
			total.add(t)
		}
		fmt.Printf("%s: %d changes\n", module, len(trials))
	}
	fmt.Print(total)
	return ctx.Err()
}
