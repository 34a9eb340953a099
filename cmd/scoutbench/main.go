// Scoutbench measures how good scout's answers are: it asks what changes
// break in modules where a compiler has determined that, and prints the
// scores beside those of grep and of the language server's bare references.
//
// Run it by make bench-scout, which builds what it needs. The Go cases are in
// testdata/go.jsonl: kinds a to g have the truth of a type checker and of an
// analyser over the edited module, kind h that of the tests that failed. Every
// case is asked twice, so that times are warm, and again with the kind of
// change given; before the first, scout may run all tests of the module one by
// one, which is how it knows what they run. Kind h is also asked while nothing
// is known of that. Definition of the scores: score.go. With -write a summary
// of all that goes into docs/figures.md: summary.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"tidepool/internal/checkout"
	"tidepool/internal/figures"
)

func main() { figures.Main(run) }

// A bench holds what the modules share.
type bench struct {
	bin    string // the checkout's bin directory
	temp   string // removed at the end
	scorer string
	misses int  // report so many of the worst answers; 0: none
	told   bool // ask with the kind of change given as well

	measured []measuring // so far
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("scoutbench", flag.ContinueOnError)
	b := &bench{}
	flags.StringVar(&b.scorer, "scorer", "heuristic", "the scorer: heuristic, or ollama at GEMMA_ENDPOINT")
	flags.IntVar(&b.misses, "misses", 0, "list the worst answers, so many")
	flags.BoolVar(&b.told, "told", true, "ask again with the kind of change given")
	truth := flags.Bool("typescript-truth", false, "have tsc make testdata/typescript.jsonl anew, and ask nothing")
	write := flags.Bool("write", false, "put a summary into docs/figures.md, too")
	only := flags.String("only", "", "ask only the cases whose id contains this")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *write && (*only != "" || b.scorer != "heuristic") {
		return errors.New("-write puts the figures of all cases and of the rules into docs/figures.md: leave out -only and -scorer")
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	if b.temp, err = checkout.Temporary("scout"); err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	b.bin = filepath.Join(root, "bin")
	testdata := filepath.Join(root, "cmd", "scoutbench", "testdata")
	if *truth {
		return b.makeTypeScript(ctx, testdata)
	}
	machine := fmt.Sprintf("%s, scorer %s\n\n", figures.Machine(), b.scorer)
	fmt.Print(machine)
	outcomes, err := b.askAll(ctx, testdata, *only)
	if err == nil && *write {
		err = figures.Write(root, "scout", machine+summary(outcomes))
	}
	if missed := missedBounds(outcomes); err == nil && missed > 0 {
		err = fmt.Errorf("%d of the bounds not held", missed)
	}
	return err
}

// An outcome is what came of one suite.
type outcome struct {
	suite   suite
	results []result
	bounds  []bound
}

// askAll asks the cases of all suites whose id contains a text, and prints what came of it.
func (b *bench) askAll(ctx context.Context, testdata, only string) ([]outcome, error) {
	var outcomes []outcome
	for _, s := range suites(testdata) {
		cases, err := s.choose(only)
		if err != nil {
			return nil, err
		}
		if len(cases) == 0 {
			continue
		}
		results, err := b.ask(ctx, s, cases)
		if err != nil {
			return nil, err
		}
		o := outcome{s, results, s.bounds(results)}
		fmt.Print(table(s, results, b.told))
		fmt.Print(worst(results, b.misses))
		fmt.Print(boundTable(o))
		outcomes = append(outcomes, o)
	}
	fmt.Print(b.measurings())
	return outcomes, nil
}
