package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/bareserver"
)

// measureSync edits a file in both copies of a project and asks: us, who find out, and a server that is given the edit by
// didChange. Both have the file open.
func measureSync(ctx context.Context, b *bench, of subject) (figure, error) {
	pairs, err := b.acrossStarts(ctx, of, func(p *twins) (*pairs, error) { return p.edit(ctx) })
	if err != nil {
		return figure{}, err
	}
	more := pairs.difference()
	return figure{ratio: round(more).String(), detail: pairs.String(), held: more <= 5*time.Millisecond}, nil
}

// edit has both of a pair of twins edit and ask, in turn.
func (p *twins) edit(ctx context.Context) (*pairs, error) {
	name, callers := p.site.asked()
	path, _, _ := p.site.sample.Repeat(name, 1)
	if err := p.ours.opens(ctx, path); err != nil {
		return nil, err
	}
	if err := p.bare.KeepOpen(ctx, filepath.Join(p.site.dir, filepath.FromSlash(path))); err != nil {
		return nil, err
	}
	uses, err := p.bare.References(ctx, p.site.place()) // some servers count what is no call
	if err != nil {
		return nil, err
	}
	// The first edits cost a server more than later ones: each text is new to it.
	return alternate(20, 6, timing(func(round int) error {
		return p.ours.editAndAsk(ctx, 2+round%2, callers)
	}), timing(func(round int) error {
		return p.site.editAndAsk(ctx, p.bare, 2+round%2, len(uses))
	}))
}

// edit writes a file as an editor does: with the first call so often. There are more uses then than before.
func (s *site) edit(times int) (path, text string, more int, err error) {
	name, _ := s.asked()
	path, text, _ = s.sample.Repeat(name, times)
	return path, text, times - 1, os.WriteFile(filepath.Join(s.dir, filepath.FromSlash(path)), []byte(text), 0o644)
}

// editAndAsk edits a file and asks.
func (w *warm) editAndAsk(ctx context.Context, times, callers int) error {
	_, _, more, err := w.edit(times)
	if err != nil {
		return err
	}
	return w.callers(ctx, callers+more)
}

// editAndAsk edits a file, gives the edit to a server, and asks until that answers from it: with exactly so many uses.
func (s *site) editAndAsk(ctx context.Context, bare *bareserver.Server, times, uses int) error {
	path, text, more, err := s.edit(times)
	if err != nil {
		return err
	}
	if err := bare.Change(ctx, path, text); err != nil {
		return err
	}
	if err := bare.Settled(ctx); err != nil {
		return err
	}
	name, _ := s.asked()
	if err := s.finds(ctx, bare, name); err != nil {
		return err
	}
	for giveUp := time.Now().Add(10 * time.Second); ; { // clangd answers from what it had before until it has compiled
		found, err := bare.References(ctx, s.place())
		if err != nil || len(found) == uses+more {
			return err
		}
		if time.Now().After(giveUp) {
			return fmt.Errorf("a bare %s finds %d of %d references after an edit", s.program, len(found), uses+more)
		}
	}
}
