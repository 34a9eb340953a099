package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"tidepool/internal/conversation"
	"tidepool/internal/measure"
	"tidepool/internal/memory"
)

// options are those of the corpus's archive, as the daemon of a project has them.
func (c *corpus) options() conversation.Options {
	return conversation.Options{
		Dir: c.state(), Project: c.checkout(), Checkouts: func() []string { return []string{c.checkout()} }, Home: c.Dir,
		Getenv: func(name string) string {
			if name == "CLAUDE_CONFIG_DIR" {
				return filepath.Dir(c.projects())
			}
			return ""
		},
		Keep: 365 * 24 * time.Hour,
	}
}

// build reads all transcripts for the first time and makes the snapshot of their index: the processor time and the time that it
// takes, and the size of the store.
func build(ctx context.Context, c *corpus) (measure.Figures, error) {
	a, err := conversation.New(c.options())
	if err != nil {
		return nil, err
	}
	start, began := time.Now(), measure.CPU()
	if err := a.Keep().CatchUp(ctx); err != nil {
		return nil, err
	}
	f := measure.Figures{"wall": time.Since(start), "cpu": measure.CPU() - began}
	if err := a.Close(); err != nil {
		return nil, err
	}
	o := c.options()
	size, err := fileSize(o.StorePath())
	f["store"] = time.Duration(size)
	return f, err
}

// week returns the time from the start of a first build until the sessions of the last week can be found, and removes what was
// built.
func week(ctx context.Context, c *corpus) (measure.Figures, error) {
	a, err := conversation.New(c.options())
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	ran := make(chan error, 1)
	start, keeper := time.Now(), a.Keep()
	go func() { ran <- keeper.Run(ctx) }()
	f := measure.Figures{}
	for f["week"] == 0 && err == nil {
		time.Sleep(10 * time.Millisecond)
		var found int
		if _, found, _, err = a.List(ctx, conversation.ListQuery{}); found >= c.Week { // the newest are read first
			f["week"] = time.Since(start)
		}
	}
	stop()
	return f, errors.Join(err, <-ran, a.Close(), os.RemoveAll(c.state()))
}

// ask loads the snapshot with the first question and asks a thousand more: times, and the memory that it all takes.
func ask(ctx context.Context, c *corpus) (measure.Figures, error) {
	asked, err := c.queries(1000)
	if err != nil {
		return nil, err
	}
	before := occupied(ctx)
	start := time.Now()
	a, err := conversation.New(c.options())
	if err != nil {
		return nil, err
	}
	defer a.Close()
	unused := occupied(ctx)
	if _, err := a.Search(ctx, conversation.Query{Text: asked[0]}); err != nil {
		return nil, err
	}
	f := measure.Figures{"first": time.Since(start), "unused": time.Duration(unused - before)}
	if err := awaitIndex(ctx, a); err != nil {
		return nil, err
	}
	f["complete"] = time.Since(start)
	times := make([]time.Duration, 0, len(asked))
	used := measure.CPU()
	for _, q := range asked {
		start := time.Now()
		if _, err := a.Search(ctx, conversation.Query{Text: q}); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start))
	}
	f["p50"], f["p99"], f["cpu"] = measure.Percentile(times, 50), measure.Percentile(times, 99), (measure.CPU()-used)/time.Duration(len(asked))
	f["memory"] = time.Duration(occupied(ctx) - before)
	return f, nil
}

// awaitIndex asks until an answer covers everything.
func awaitIndex(ctx context.Context, a *conversation.Archive) error {
	for {
		found, err := a.Search(ctx, conversation.Query{Text: "limit"})
		if err != nil || found.State.State == conversation.Complete {
			return err
		}
		if found.State.State == conversation.Partial {
			return fmt.Errorf("the archive is partial: %s", found.State.Why)
		}
		time.Sleep(time.Millisecond)
	}
}

// occupied returns the bytes that this process has for itself, after a collection: on the heap, and outside of it, where the index and
// SQLite keep most of theirs. The pages of the program's file that a first query touches, 4 MB, are none of them.
func occupied(ctx context.Context) int64 {
	debug.FreeOSMemory()
	return memory.Private(ctx, os.Getpid())
}
