// Command reach fits the weights of package reach to which tests of Go modules run which of their functions.
//
//	go run ./cmd/train/reach DIRECTORY...
//
// Each test of each module is run alone, with coverage. For each module it prints how well weights fitted to the others
// do, and then the weights fitted to all. Copies of chi, go-yaml, goldmark, hcl, sh, toml and zap gave those in use.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dirs []string) error {
	if len(dirs) < 2 {
		return errors.New("name the directories of two modules or more")
	}
	var modules [][]question
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		covered, err := cover(ctx, dir)
		if err != nil {
			return fmt.Errorf("running the tests of %s: %w", dir, err)
		}
		questions, err := ask(ctx, dir, covered)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d functions\n", filepath.Base(dir), len(questions))
		modules = append(modules, questions)
	}
	for i, questions := range modules {
		others := slices.Concat(slices.Delete(slices.Clone(modules), i, i+1)...)
		fmt.Printf("%s: F1 %.3f\n", filepath.Base(dirs[i]), score(questions, fit(others)))
	}
	fmt.Printf("weights %.2f\n", fit(slices.Concat(modules...)))
	return nil
}
