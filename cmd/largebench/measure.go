package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/lsp"
)

// A result is what was measured of a size.
type result struct {
	size
	files, lines int
	ours, bare   record
	problem      string // why it was not measured to the end; "": it was
}

// A launch starts a side. It waits for no answer.
type launch func(ctx context.Context) (*side, error)

// measureBare measures the server alone.
func (b *bench) measureBare(ctx context.Context, p *project) (r record, err error) {
	err = b.live(ctx, p, &r, p.launchBare(), nil)
	return r, err
}

// launchBare returns how the server is started alone.
func (p *project) launchBare() launch {
	return func(ctx context.Context) (*side, error) {
		server, err := startBare(ctx, p)
		if err != nil {
			return nil, err
		}
		return server.side(), nil
	}
}

// measureOurs measures the daemon, with what only it can do.
func (b *bench) measureOurs(ctx context.Context, p *project) (r record, err error) {
	var d *daemon
	err = b.live(ctx, p, &r, p.launchOurs(ctx, &r, &d), func(ctx context.Context) error { return b.own(ctx, d, &r) })
	return r, err
}

// launchOurs returns how the daemon is started, and where to find it then. It outlives the phase that starts it, until ctx ends.
func (p *project) launchOurs(ctx context.Context, r *record, started **daemon) launch {
	return func(context.Context) (*side, error) {
		d, err := serve(ctx, p, &r.tally)
		if err != nil {
			return nil, err
		}
		*started = d
		return d.side(), nil
	}
}

// coldStarts is how many cold starts of a side are measured. A virtual machine is slower by half or more for minutes: of the starts but the
// first, one of each side follows the other.
const coldStarts = 3

// startAgain measures the cold starts after those that live has measured.
func (b *bench) startAgain(ctx context.Context, p *project, r *result) error {
	var d *daemon
	sides := []struct {
		name  string
		r     *record
		start launch
	}{{"bare", &r.bare, p.launchBare()}, {"ours", &r.ours, p.launchOurs(ctx, &r.ours, &d)}}
	for range coldStarts - 1 {
		for _, s := range sides {
			if err := errors.Join(p.reset(ctx), os.RemoveAll(filepath.Join(p.top, s.name))); err != nil {
				return err
			}
			if err := b.startOnce(ctx, p, s.r, "cold start", p.limits.load, s.start, s.r.tookCold); err != nil {
				return fmt.Errorf("another cold start, %s: %w", s.name, err)
			}
		}
	}
	return nil
}

// startOnce starts a side, waits for its first complete answer, and ends it.
func (b *bench) startOnce(ctx context.Context, p *project, r *record, name string, limit time.Duration, start launch, took func(time.Duration)) error {
	of, w, err := b.begin(ctx, p, r, name, limit, start, took)
	if of == nil {
		return err
	}
	own, _ := w.peaks()
	r.own = max(r.own, own)
	w.stop()
	return errors.Join(err, of.stop())
}

func (r *record) tookCold(t time.Duration) { r.cold = append(r.cold, t) }

// live has a side start, do what both do, do more, end, and start once more.
func (b *bench) live(ctx context.Context, p *project, r *record, start launch, more func(context.Context) error) (err error) {
	of, w, err := b.begin(ctx, p, r, "cold start", p.limits.load, start, r.tookCold)
	if of != nil {
		if err == nil && len(r.cold) > 0 {
			if err = b.same(ctx, p, r, of, w); err == nil && more != nil {
				err = more(ctx)
			}
		}
		r.own, r.peak = w.peaks()
		w.stop()
		err = errors.Join(err, of.stop())
	}
	if err != nil || len(r.cold) == 0 {
		return err
	}
	return b.startOnce(ctx, p, r, "second start", p.limits.load/2, start, func(t time.Duration) { r.second = t })
}

// begin starts a side and waits for its first complete answer, which took is told the time to. The side is nil if it did not start.
func (b *bench) begin(ctx context.Context, p *project, r *record, name string, limit time.Duration, start launch, took func(time.Duration)) (
	of *side, w *watch, err error,
) {
	err = b.within(ctx, r, name, limit, func(ctx context.Context) (err error) {
		begin := time.Now()
		if of, err = start(ctx); err != nil {
			return err
		}
		w = watchTree(of.pid)
		if err := of.ready(ctx); err != nil {
			return err
		}
		if err := firstComplete(ctx, of, p.sample[function][0]); err != nil {
			return err
		}
		took(time.Since(begin))
		return nil
	})
	return of, w, err
}

// firstComplete asks until the answer is no longer of a server that loads.
func firstComplete(ctx context.Context, of *side, s symbol) error {
	for {
		a, err := of.ask(ctx, s)
		if err != nil {
			return err
		}
		if !a.wrong && (a.state == lsp.Complete || a.state == lsp.Partial) { // code that is left out makes each answer partial
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// own has the daemon do what a bare server cannot: scout, and a time of mixed use in which it has to stay up.
func (b *bench) own(ctx context.Context, d *daemon, r *record) error {
	err := b.within(ctx, r, "questions to scout", d.project.limits.scout, func(ctx context.Context) error {
		return d.askScout(ctx, r, d.project.questions())
	})
	if err != nil {
		return err
	}
	if d.project.mixed {
		err := b.within(ctx, r, "mixed use", b.mixed+mixedGrace, func(ctx context.Context) error { return b.mix(ctx, d, r) })
		if err != nil {
			return err
		}
	}
	r.restarts, r.restartsNotes, err = d.restarts(ctx)
	return err
}
