package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"tidepool/internal/measure"
	"tidepool/internal/memory"
	"tidepool/internal/recall"
)

// project is the directory whose memories they are.
func (c *corpus) project() string { return filepath.Join(c.Dir, "project") }

// options are those of the corpus's memories, as the daemon of the project has them.
func (c *corpus) options(ctx context.Context) (recall.Options, error) {
	if err := os.MkdirAll(c.project(), 0o700); err != nil {
		return recall.Options{}, err
	}
	project, err := recall.ProjectOf(ctx, c.project())
	return recall.Options{Dir: filepath.Join(c.Dir, "data", "tidepool"), Project: project}, err
}

// fill imports all memories: the time that it takes, and the size of the database.
func fill(ctx context.Context, dir string) (measure.Figures, error) {
	c, err := openCorpus(dir)
	if err != nil {
		return nil, err
	}
	o, err := c.options(ctx)
	if err != nil {
		return nil, err
	}
	store, err := recall.OpenDatabase(ctx, o)
	if err != nil {
		return nil, err
	}
	start, began := time.Now(), measure.CPU()
	done, err := store.Import(ctx, c.exported(store))
	f := measure.Figures{"wall": time.Since(start), "cpu": measure.CPU() - began, "database": time.Duration(store.Status(ctx).Counts.Bytes)}
	if err == nil && done.New < c.Memories*99/100 { // some few turns say the same
		err = fmt.Errorf("only %d of %d memories were imported", done.New, c.Memories)
	}
	return f, errors.Join(err, store.Close(ctx))
}

// exported returns all memories as an export writes them.
func (c *corpus) exported(store *recall.Store) io.Reader {
	in, out := io.Pipe()
	go func() {
		enc := json.NewEncoder(out)
		err := enc.Encode(map[string]any{"format": "tidepool memories", "version": 1})
		project := map[string]string{"key": store.Project().Key, "name": store.Project().Name, "path": store.Project().Path}
		for n, d := range enumerate(drafts(c.Memories)) {
			if err != nil {
				break
			}
			err = enc.Encode(map[string]any{
				"id": fmt.Sprintf("mem_%012x", n), "project": project, "scope": "project", "kind": d.Kind, "trust": d.Trust, "gist": d.Gist, "content": d.Content,
				"session": d.Session, "turn": d.Turn, "source": d.Source, "alpha": 1, "beta": 1, "created": d.At, "updated": d.At,
			})
		}
		out.CloseWithError(err)
	}()
	return in
}

// opened opens the memories and waits until all of them can be found.
func opened(ctx context.Context, c *corpus) (*recall.Store, error) {
	o, err := c.options(ctx)
	if err != nil {
		return nil, err
	}
	store, err := recall.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	for {
		found, err := store.Recall(ctx, recall.Query{Text: "limit"})
		if err == nil && !found.Complete && store.Status(ctx).Index == recall.IndexFailed {
			err = errors.New(found.Why)
		}
		if err != nil {
			return nil, errors.Join(err, store.Close(ctx))
		}
		if found.Complete {
			return store, nil
		}
	}
}

// build makes the index from the memories, and its snapshot.
func build(ctx context.Context, dir string) (measure.Figures, error) {
	f, err := load(ctx, dir)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(dir, "data", "tidepool", "memory.index"))
	if err != nil {
		return nil, err
	}
	f["snapshot"] = time.Duration(info.Size())
	return f, nil
}

// load opens the memories until all of them can be found.
func load(ctx context.Context, dir string) (measure.Figures, error) {
	c, err := openCorpus(dir)
	if err != nil {
		return nil, err
	}
	start, began := time.Now(), measure.CPU()
	store, err := opened(ctx, c)
	if err != nil {
		return nil, err
	}
	return measure.Figures{"wall": time.Since(start), "cpu": measure.CPU() - began}, store.Close(ctx)
}

// ask asks prompts, each in a session of its own: times, and the memory that it all takes.
func ask(ctx context.Context, dir string) (measure.Figures, error) {
	c, err := openCorpus(dir)
	if err != nil {
		return nil, err
	}
	all := prompts(c.Prompts, c.Memories)
	before := resident(ctx)
	store, err := opened(ctx, c)
	if err != nil {
		return nil, err
	}
	f := measure.Figures{}
	var times []time.Duration
	began := measure.CPU()
	for n, text := range all {
		start := time.Now()
		told, err := store.Recollect(ctx, recall.Prompt{Session: fmt.Sprintf("session-%d-%d", os.Getpid(), n), Text: text})
		if err != nil {
			return nil, errors.Join(err, store.Close(ctx))
		}
		times = append(times, time.Since(start))
		if told.State == recall.StateTold {
			f["told"]++
		}
	}
	f["cpu"] = (measure.CPU() - began) / time.Duration(len(all))
	f["p50"], f["p99"] = measure.Percentile(times, 50), measure.Percentile(times, 99)
	f["memory"] = time.Duration(resident(ctx) - before)
	f["index"] = time.Duration(store.Status(ctx).IndexBytes)
	return f, store.Close(ctx)
}

// resident returns the bytes that this process occupies, after a collection.
func resident(ctx context.Context) int64 {
	debug.FreeOSMemory()
	return memory.Resident(ctx, os.Getpid())
}
