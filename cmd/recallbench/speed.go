package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/figures"
	"tidepool/internal/measure"
)

// asked is how many prompts are asked.
const asked = 500

// steps are what runs in a process of its own.
func steps() map[string]measure.Step {
	return map[string]measure.Step{"fill": fill, "build": build, "load": load, "ask": ask, "fts5": fts5}
}

// A bench holds what the rows of speed share.
type bench struct {
	ctx   context.Context
	root  string // of the checkout
	all   *corpus
	small *corpus // a tenth of it
}

// speed measures recall on so many memories, and on a tenth of them.
func speed(ctx context.Context, root string, memories int) ([]figures.Row, error) {
	dir, err := os.MkdirTemp("", "tidepool-recall-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &bench{
		ctx: ctx, root: root, all: &corpus{Dir: filepath.Join(dir, "all"), Memories: memories, Prompts: asked},
		small: &corpus{Dir: filepath.Join(dir, "small"), Memories: memories / 10, Prompts: asked},
	}
	for _, c := range []*corpus{b.all, b.small} {
		if err := c.save(); err != nil {
			return nil, err
		}
	}
	var all []figures.Row
	for _, part := range []func() ([]figures.Row, error){b.starting, b.asking, b.hooks} {
		rows, err := part()
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// starting measures how the index comes about.
func (b *bench) starting() ([]figures.Row, error) {
	filled, err := measure.Run(b.ctx, "fill", b.all.Dir)
	if err != nil {
		return nil, err
	}
	built, err := measure.Run(b.ctx, "build", b.all.Dir)
	if err != nil {
		return nil, err
	}
	loaded, err := measure.Run(b.ctx, "load", b.all.Dir)
	if err != nil {
		return nil, err
	}
	return []figures.Row{
		{What: "from opening to a complete index, with a snapshot", Hold: "≤ 150 ms of processor time", Measured: fmt.Sprintf("%s; %s by the clock", millis(loaded["cpu"]), millis(loaded["wall"])), Beside: "–", Held: loaded["cpu"] <= 150*time.Millisecond},
		{What: "the same without a snapshot, in the background", Hold: "≤ 4 s", Measured: fmt.Sprintf("%s; %s of processor time", seconds(built["wall"]), seconds(built["cpu"])), Beside: "–", Held: built["wall"] <= 4*time.Second},
		{What: "an import of all, in transactions of 500", Hold: "–", Measured: fmt.Sprintf("%s; %s of processor time", seconds(filled["wall"]), seconds(filled["cpu"])), Beside: fmt.Sprintf("the database: %.0f MB, the snapshot: %.0f MB", mb(filled["database"]), mb(built["snapshot"])), Held: true},
	}, nil
}

// asking measures prompts, beside FTS5 with the same words.
func (b *bench) asking() ([]figures.Row, error) {
	f, err := measure.Run(b.ctx, "ask", b.all.Dir)
	if err != nil {
		return nil, err
	}
	peer, err := measure.Run(b.ctx, "fts5", b.all.Dir)
	if err != nil {
		return nil, err
	}
	for _, step := range []string{"fill", "build"} {
		if _, err := measure.Run(b.ctx, step, b.small.Dir); err != nil {
			return nil, err
		}
	}
	small, err := measure.Run(b.ctx, "ask", b.small.Dir)
	if err != nil {
		return nil, err
	}
	less := float64(peer["all cpu"]) / float64(f["cpu"])
	return []figures.Row{
		{What: fmt.Sprintf("recollect, a prompt of 2 KB, p99 of %d", asked), Hold: "≤ 20 ms", Measured: fmt.Sprintf("%s; p50 %s", millis(f["p99"]), millis(f["p50"])), Beside: fmt.Sprintf("%d prompts were told something", f["told"]), Held: f["p99"] <= 20*time.Millisecond},
		{What: "the same, processor time", Hold: "≤ 3 ms", Measured: millis(f["cpu"]), Beside: fmt.Sprintf("among %d memories: %s", b.small.Memories, millis(small["cpu"])), Held: f["cpu"] <= 3*time.Millisecond},
		{What: "FTS5 with the same words, processor time against that", Hold: "≥ 20×", Measured: fmt.Sprintf("%.1f×", less),
			Beside: fmt.Sprintf("%s with the %d words that recall takes of a prompt; %s with the %d rarest, which it looks up", millis(peer["all cpu"]), promptTerms, millis(peer["rare cpu"]), rareTerms), Held: less >= 20},
		{What: "resident on top, once prompts were asked", Hold: "≤ 60 MB", Measured: fmt.Sprintf("%.1f MB", mb(f["memory"])), Beside: fmt.Sprintf("the index alone says %.1f MB", mb(f["index"])), Held: f["memory"] <= 60e6},
		{What: fmt.Sprintf("the same of %d memories", b.small.Memories), Hold: "≤ 20 MB", Measured: fmt.Sprintf("%.1f MB", mb(small["memory"])), Beside: fmt.Sprintf("the index alone says %.1f MB", mb(small["index"])), Held: small["memory"] <= 20e6},
	}, nil
}

func mb(bytes time.Duration) float64 { return float64(bytes) / 1e6 }

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }
