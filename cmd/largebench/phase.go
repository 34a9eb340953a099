package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tidepool/lsp"
)

// errLimit is the cause of a phase that its limit has ended.
var errLimit = errors.New("the limit of the phase")

// A record is what was measured of one side. A time or a size that was not reached is 0.
type record struct {
	cold          []time.Duration // from the start to the first complete answer, with empty caches
	second        time.Duration   // the same with filled ones
	loaded, used  usage           // once loaded, and after questions and edits
	peak          int64           // bytes of everything, the most at any sample
	own           int64           // bytes of the process alone, the most at any sample
	callers       []time.Duration
	found         []finding       // what each of these answers had
	leaf, hub     []time.Duration // answers after an edit
	scout         []time.Duration
	tally         tally
	scoutPartial  int // answers of scout that were not complete
	scoutFailed   int
	mixed         time.Duration // of mixed use
	mixedCalls    int
	restarts      int // of language servers, in all the time
	restartsNotes []string
	hits          []string // what limits have cut short
}

// within runs a phase that ends by its limit or by the whole bench's, and takes note if it was cut short.
func (b *bench) within(ctx context.Context, r *record, name string, limit time.Duration, phase func(context.Context) error) error {
	left := time.Until(b.deadline)
	if left <= 0 {
		r.hits = append(r.hits, fmt.Sprintf("%s not measured: the whole run has %v", name, wholeLimit))
		return nil
	}
	if left < limit {
		limit = left
	}
	bounded, cancel := context.WithTimeoutCause(ctx, limit, errLimit)
	defer cancel()
	err := phase(bounded)
	if ctx.Err() == nil && bounded.Err() != nil {
		r.hits = append(r.hits, fmt.Sprintf("%s cut short after %v", name, limit.Round(time.Second)))
		return nil
	}
	return err
}

// askAll asks for callers of functions, and records the answers.
func (r *record) askAll(ctx context.Context, of *side, symbols []symbol) error {
	for _, s := range symbols {
		a, err := of.ask(ctx, s)
		if err != nil {
			return err
		}
		r.callers, r.found = append(r.callers, a.took), append(r.found, finding{s.asked(), a.uses + a.more, a.first, a.state == lsp.Complete})
	}
	return nil
}

// A finding is what an answer about callers had.
type finding struct {
	name     string
	uses     int
	first    string // see answer
	complete bool
}

// pairs returns where the answers of both sides about the same function are: a limit may have cut either short in the middle.
func (r result) pairs() [][2]int {
	var pairs [][2]int
	for i, ours := range r.ours.found {
		if j := slices.IndexFunc(r.bare.found, func(bare finding) bool { return bare.name == ours.name }); j >= 0 {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// lost returns the functions without any use in a complete answer of the daemon of which the bare server knows uses, and where.
func (r result) lost() []string {
	var lost []string
	for _, pair := range r.pairs() {
		ours, bare := r.ours.found[pair[0]], r.bare.found[pair[1]]
		if ours.complete && ours.uses == 0 && bare.uses > 0 {
			lost = append(lost, fmt.Sprintf("%s (%d, the first in %s)", bare.name, bare.uses, bare.first))
		}
	}
	return lost
}

// same has a side do what both do, once it has loaded: questions and edits, memory, more questions.
func (b *bench) same(ctx context.Context, p *project, r *record, of *side, w *watch) error {
	r.loaded = w.rested(ctx, p.limits)
	functions := p.sample[function]
	first := min(p.counts.first, len(functions))
	err := b.within(ctx, r, "questions about callers", p.limits.callers, func(ctx context.Context) error {
		return r.askAll(ctx, of, functions[:first])
	})
	if err != nil {
		return err
	}
	err = b.within(ctx, r, "edits", p.limits.edits, func(ctx context.Context) (err error) {
		if r.leaf, err = p.playEdits(ctx, of, p.leaf, p.counts.leaf); err == nil {
			r.hub, err = p.playEdits(ctx, of, p.hub, p.counts.hub)
		}
		return err
	})
	if err != nil {
		return err
	}
	err = b.within(ctx, r, "waiting for a complete answer after the edits", p.limits.load, func(ctx context.Context) error {
		return firstComplete(ctx, of, functions[0])
	})
	if err != nil {
		return err
	}
	r.used = w.rested(ctx, p.limits)
	return b.within(ctx, r, "more questions about callers", p.limits.callers, func(ctx context.Context) error {
		return r.askAll(ctx, of, functions[first:])
	})
}
