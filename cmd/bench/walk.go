package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
)

// walked is how many files the tree has whose walk is measured, ten in a directory.
const walked = 20_000

// measureWalk takes the time of the first look at a tree after a command that may have changed anything in it, one file
// of which has changed. The language is that of lsptest, whose server is told of the change and takes no time of its own.
func measureWalk(ctx context.Context, b *bench) (figure, error) {
	dir, err := os.MkdirTemp(b.temp, "tree-")
	if err != nil {
		return figure{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, "toy.mod"), nil, 0o644); err != nil {
		return figure{}, err
	}
	for i := range walked {
		name := filepath.Join(dir, fmt.Sprintf("g%02d", i/1000), fmt.Sprintf("p%04d", i/10), fmt.Sprintf("f%05d.toy", i))
		if i%10 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return figure{}, err
			}
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			return figure{}, err
		}
	}
	toy := lsp.Language{
		ID: "toy", Name: "Toy", Command: lsptest.Command(), RootMarkers: []string{"toy.mod"}, Extensions: []string{".toy"},
		LoadTitle: "Setting up workspace", LoadEnd: "Finished loading packages.", CheckTitle: "diagnosing ",
	}
	project, err := lsp.Open(lsp.Options{Root: dir, Languages: []lsp.Language{toy}, ReadyBudget: time.Minute})
	if err != nil {
		return figure{}, err
	}
	defer project.Close(context.WithoutCancel(ctx))
	if err := project.WaitReady(ctx); err != nil {
		return figure{}, err
	}
	var times []time.Duration
	for i := range 20 {
		changed := filepath.Join(dir, "g07", "p0700", "f07000.toy")
		if err := os.WriteFile(changed, fmt.Appendf(nil, "def Changed%d\n", i), 0o644); err != nil {
			return figure{}, err
		}
		took, err := timed(func() error { return lookAround(ctx, project, dir) })
		if err != nil {
			return figure{}, err
		}
		times = append(times, took)
	}
	return within(60*time.Millisecond, times), nil
}

// lookAround is what a question does after the hook of such a command.
func lookAround(ctx context.Context, project *lsp.Project, dir string) error {
	project.FilesChanged(dir)
	_, err := project.View(ctx, lsp.ViewOptions{Budget: -1})
	return err
}
