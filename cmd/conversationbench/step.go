package main

import (
	"context"
	"fmt"
	"os"

	"tidepool/internal/measure"
)

// steps are what runs in a process of its own.
func steps() map[string]func(context.Context, *corpus) (measure.Figures, error) {
	return map[string]func(context.Context, *corpus) (measure.Figures, error){
		"week": week, "build": build, "ask": ask, "follow": follow, "fts5": fts5,
	}
}

// step runs one on the corpus of a directory and prints what it has measured.
func step(ctx context.Context, name, dir string) error {
	run := steps()[name]
	if run == nil {
		return fmt.Errorf("there is no step %q", name)
	}
	return measure.Serve(ctx, func(ctx context.Context, dir string) (measure.Figures, error) {
		c, err := openCorpus(dir)
		if err != nil {
			return nil, err
		}
		return run(ctx, c)
	}, dir, os.Stdout)
}

// step runs a step on a corpus and returns its figures.
func (b *bench) step(name string, of *corpus) (measure.Figures, error) {
	return measure.Run(b.ctx, name, of.Dir)
}
