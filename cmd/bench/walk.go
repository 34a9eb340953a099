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

// walkOf returns the measure of the first look at a tree of so many files, ten in a directory, after a command that may have changed
// anything in it, one file of which has changed. The language is that of lsptest, whose server is told of the change and takes no
// time of its own.
func walkOf(files int, most time.Duration) func(context.Context, *bench) (figure, error) {
	return func(ctx context.Context, b *bench) (figure, error) {
		dir, err := layWalked(b, files)
		if err != nil {
			return figure{}, err
		}
		defer os.RemoveAll(dir)
		times, err := walks(ctx, dir)
		if err != nil {
			return figure{}, err
		}
		return within(most, times), nil
	}
}

// layWalked lays the tree out.
func layWalked(b *bench, files int) (string, error) {
	dir, err := os.MkdirTemp(b.temp, "tree-")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "toy.mod"), nil, 0o644); err != nil {
		return "", err
	}
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("g%02d", i/1000), fmt.Sprintf("p%04d", i/10), fmt.Sprintf("f%05d.toy", i))
		if i%10 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// walks takes the times of 20 looks.
func walks(ctx context.Context, dir string) (times []time.Duration, err error) {
	toy := lsp.Language{
		ID: "toy", Name: "Toy", Command: lsptest.Command(), RootMarkers: []string{"toy.mod"}, Extensions: []string{".toy"},
		LoadTitle: "Setting up workspace", LoadEnd: "Finished loading packages.", CheckTitle: "diagnosing ",
	}
	project, err := lsp.Open(lsp.Options{Root: dir, Languages: []lsp.Language{toy}, ReadyBudget: time.Minute})
	if err != nil {
		return nil, err
	}
	defer project.Close(context.WithoutCancel(ctx))
	if err := project.WaitReady(ctx); err != nil {
		return nil, err
	}
	for i := range 20 {
		changed := filepath.Join(dir, "g07", "p0700", "f07000.toy")
		if err := os.WriteFile(changed, fmt.Appendf(nil, "def Changed%d\n", i), 0o644); err != nil {
			return nil, err
		}
		took, err := timed(func() error { return lookAround(ctx, project, dir) })
		if err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	return times, nil
}

// lookAround is what a question does after the hook of such a command.
func lookAround(ctx context.Context, project *lsp.Project, dir string) error {
	project.FilesChanged(dir)
	_, err := project.View(ctx, lsp.ViewOptions{Budget: -1})
	return err
}
