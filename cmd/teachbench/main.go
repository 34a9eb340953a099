// Teachbench measures how well teach-graph chooses what a topic consists of.
//
// Run it by make bench-teach, which builds what it needs. A topic is some tests of a public module that stand in one file and
// whose names begin with the same word. Every second of them is hidden from teach-graph: their names and comments are the words, what they
// name most tellingly of the module is where the explanation begins, and the truth is the functions that they run and most other tests of
// the module do not; tests are run one by one in the sandbox of package wasmtest. Beside teach-graph stand its choice while no test is
// measured, the functions whose names and comments share most words with the topic, those that the beginning names, the nearest first,
// and all that it leads to. -list prints each topic for tuning with what was missed. -write puts the table into docs/figures.md.
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
	"tidepool/internal/golang/wasmtest"
)

func main() {
	figures.Main(func(ctx context.Context, args []string) error {
		if len(args) == 1 && args[0] == wasmtest.Subcommand {
			return wasmtest.Serve(ctx, os.Stdin, os.Stdout)
		}
		return run(ctx, args)
	})
}

// A bench holds what the modules share.
type bench struct {
	bin  string // the directory of the programs
	temp string // of everything, removed at the end
	list bool   // print each topic for tuning
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("teachbench", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	only := flags.String("only", "", "ask only about modules whose path contains this")
	tuning := flags.Bool("tuning", false, "ask only about modules for tuning: the others stay apart")
	b := &bench{}
	flags.BoolVar(&b.list, "list", false, "print each topic for tuning, and which functions are missing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *write && (*only != "" || *tuning) {
		return errors.New("-write is for the whole table: leave out -only and -tuning")
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	b.bin = filepath.Join(root, "bin")
	if b.temp, err = checkout.Temporary("teach"); err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	var results []result
	for _, s := range subjects() {
		if !strings.Contains(s.module, *only) || *tuning && !s.tuned {
			continue
		}
		of, err := b.measure(ctx, s)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.module, err)
		}
		results = append(results, of...)
	}
	table := figures.NewTable(os.Stdout, "")
	table.Add(rows(results)...)
	if *write {
		if err := table.Write(root, "teach"); err != nil {
			return err
		}
	}
	return table.Err()
}

// measure makes topics of a module's tests, and asks about them.
func (b *bench) measure(ctx context.Context, s subject) ([]result, error) {
	m, err := b.fetch(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("fetching it: %w", err)
	}
	code, err := m.read(ctx)
	if err != nil {
		return nil, err
	}
	ran, err := code.runTests(ctx)
	if err != nil {
		return nil, fmt.Errorf("running its tests: %w", err)
	}
	fmt.Fprintf(os.Stderr, "%s: %d tests run alone\n", m.module, len(ran))
	topics := draw(code.topics(ran), topicsOfModule)
	if len(topics) < leastTopics {
		return nil, fmt.Errorf("its %d tests that run in the sandbox make %d topics", len(ran), len(topics))
	}
	if err := m.hide(topics); err != nil {
		return nil, fmt.Errorf("hiding tests: %w", err)
	}
	return b.ask(ctx, m, code, topics)
}
