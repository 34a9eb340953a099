package main

import (
	"context"
	"path/filepath"

	"tidepool/internal/bareserver"
	"tidepool/lsp"
)

// twins are a project that is served by us, and a copy of it that the same program serves alone. Both are ready, and at
// rest.
type twins struct {
	ours *warm
	site *site // of bare
	bare *bareserver.Server
}

// newTwins starts both. Close it when done.
func (b *bench) newTwins(ctx context.Context, of subject) (p *twins, err error) {
	s, err := b.newSite(of)
	if err != nil {
		return nil, err
	}
	p = new(twins)
	defer func() {
		if err != nil {
			p.close(ctx)
		}
	}()
	if p.ours, err = s.serve(); err != nil {
		return nil, err
	}
	_, callers := s.asked()
	if err := p.ours.callers(ctx, callers); err != nil {
		return nil, err
	}
	if p.site, err = b.newSite(of); err != nil {
		return nil, err
	}
	if p.bare, err = p.site.bare(ctx); err != nil {
		return nil, err
	}
	if err := p.bare.KeepOpen(ctx, p.site.place().Path); err != nil { // as it is with us: gopls is faster then
		return nil, err
	}
	if err := p.site.proves(ctx, p.bare, callers); err != nil {
		return nil, err
	}
	if err := p.ours.callers(ctx, callers); err != nil { // which has gopls open the file
		return nil, err
	}
	return p, rests(ctx, p.ours.project.Status()[0].PID, p.bare.PID())
}

// starts is how often both are started for a figure: the same server, started twice, is some percent slower or faster for
// the same.
const starts = 4

// acrossStarts gathers the pairs of several twins, one after the other.
func (b *bench) acrossStarts(ctx context.Context, of subject, play func(*twins) (*pairs, error)) (*pairs, error) {
	all := new(pairs)
	for range starts {
		some, err := b.withTwins(ctx, of, play)
		if err != nil {
			return nil, err
		}
		all.ours, all.theirs = append(all.ours, some.ours...), append(all.theirs, some.theirs...)
	}
	return all, nil
}

func (b *bench) withTwins(ctx context.Context, of subject, play func(*twins) (*pairs, error)) (*pairs, error) {
	p, err := b.newTwins(ctx, of)
	if err != nil {
		return nil, err
	}
	defer p.close(ctx)
	return play(p)
}

func (p *twins) close(ctx context.Context) {
	if p.ours != nil {
		p.ours.close(ctx)
	}
	if p.bare != nil {
		p.bare.Stop()
	}
}

// opens has our server hold a file open, which it does from the second question about it on.
func (w *warm) opens(ctx context.Context, path string) error {
	view, err := w.project.View(ctx, lsp.ViewOptions{})
	for range 2 {
		if err == nil {
			_, err = view.DocumentSymbols(ctx, filepath.FromSlash(path))
		}
	}
	return err
}
