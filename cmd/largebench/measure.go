package main

import (
	"context"
	"errors"
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
	err = b.live(ctx, p, &r, func(ctx context.Context) (*side, error) {
		server, err := startBare(ctx, p)
		if err != nil {
			return nil, err
		}
		return server.side(), nil
	}, nil)
	return r, err
}

// measureOurs measures the daemon, with what only it can do.
func (b *bench) measureOurs(ctx context.Context, p *project) (r record, err error) {
	var d *daemon
	err = b.live(ctx, p, &r, func(context.Context) (*side, error) { // the daemon outlives the phase that starts it
		var err error
		if d, err = serve(ctx, p, &r.tally); err != nil {
			return nil, err
		}
		return d.side(), nil
	}, func(ctx context.Context) error { return b.own(ctx, d, &r) })
	return r, err
}

// live has a side start, do what both do, do more, end, and start once more.
func (b *bench) live(ctx context.Context, p *project, r *record, start launch, more func(context.Context) error) (err error) {
	of, w, err := b.begin(ctx, p, r, "cold start", p.limits.load, start, &r.cold)
	if of != nil {
		if err == nil && r.cold > 0 {
			if err = b.same(ctx, p, r, of, w); err == nil && more != nil {
				err = more(ctx)
			}
		}
		r.own, r.peak = w.peaks()
		w.stop()
		err = errors.Join(err, of.stop())
	}
	if err != nil || r.cold == 0 {
		return err
	}
	of, w, err = b.begin(ctx, p, r, "second start", p.limits.load/2, start, &r.second)
	if of == nil {
		return err
	}
	own, _ := w.peaks()
	r.own = max(r.own, own)
	w.stop()
	return errors.Join(err, of.stop())
}

// begin starts a side and waits for its first complete answer, which took gets the time to. The side is nil if it did not start.
func (b *bench) begin(ctx context.Context, p *project, r *record, name string, limit time.Duration, start launch, took *time.Duration) (
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
		*took = time.Since(begin)
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
