package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// languageRows are the rows that each language has.
func languageRows() []row {
	var warm, cold, sync []row
	for _, of := range subjects() {
		warm = append(warm, row{
			fmt.Sprintf("warm `find_callers`, against the bare references request to the same %s", of.program), "≤ 1.2×",
			func(ctx context.Context, b *bench) (figure, error) { return measureWarm(ctx, b, of) },
		})
		cold = append(cold, row{
			fmt.Sprintf("first complete answer after a cold start, against %s's own time to ready", of.program), "≤ 1.1×",
			func(ctx context.Context, b *bench) (figure, error) { return measureCold(ctx, b, of) },
		})
		sync = append(sync, row{
			fmt.Sprintf("an answer after an edited file, on top of %s's own time", of.program), "≤ 5 ms",
			func(ctx context.Context, b *bench) (figure, error) { return measureSync(ctx, b, of) },
		})
	}
	return append(append(warm, cold...), sync...)
}

// measureWarm asks us for the whole answer, and a bare server of the same project in turn for the references alone.
func measureWarm(ctx context.Context, b *bench, of subject) (figure, error) {
	p, err := b.newTwins(ctx, of)
	if err != nil {
		return figure{}, err
	}
	defer p.close(ctx)
	const n = 100
	ours, theirs, err := duel(n, n, func() error {
		_, err := p.ours.ask(ctx)
		return err
	}, func() error {
		_, err := p.bare.references(ctx, p.site.place())
		return err
	})
	if err != nil {
		return figure{}, err
	}
	return ratioFigure(ours, theirs, n, 1.2), nil
}

func ratioFigure(ours, theirs time.Duration, n int, most float64) figure {
	ratio := float64(ours) / float64(theirs)
	return figure{
		ratio:  fmt.Sprintf("%.2f×", ratio),
		detail: fmt.Sprintf("%s against %s, medians of %d", round(ours), round(theirs), n),
		held:   ratio <= most,
	}
}

// measureCold starts both from nothing, each time in a project of its own, and each first in turn: who comes second finds
// more in the machine's caches.
func measureCold(ctx context.Context, b *bench, of subject) (figure, error) {
	const n = 5
	var all [2][]time.Duration
	starts := [2]func(context.Context, *site) (time.Duration, error){coldAnswer, coldServer}
	for round := range n {
		for turn := range starts {
			side := (round + turn) % len(starts)
			s, err := b.newSite(of)
			if err != nil {
				return figure{}, err
			}
			took, err := starts[side](ctx, s)
			if err != nil {
				return figure{}, err
			}
			all[side] = append(all[side], took)
		}
	}
	return ratioFigure(median(all[0]), median(all[1]), n, 1.1), nil
}

// coldAnswer takes the time from nothing to the first complete answer.
func coldAnswer(ctx context.Context, s *site) (time.Duration, error) {
	start := time.Now()
	w, err := s.serve()
	if err != nil {
		return 0, err
	}
	defer w.close(ctx)
	_, callers := s.asked()
	err = w.callers(ctx, callers)
	return time.Since(start), err
}

// coldServer takes the time from nothing until a server says that it is ready and, asked for the same, proves it.
func coldServer(ctx context.Context, s *site) (time.Duration, error) {
	start := time.Now()
	bare, err := s.bare(ctx)
	if err != nil {
		return 0, err
	}
	defer bare.stop()
	_, callers := s.asked()
	err = s.proves(ctx, bare, callers)
	return time.Since(start), err
}

// proves asks a server what find_callers cannot do without, where a name is declared and where it is used, and
// expects at least so many uses.
func (s *site) proves(ctx context.Context, bare *bareServer, want int) error {
	name, _ := s.asked()
	if err := bare.symbols(ctx, name); err != nil {
		return err
	}
	found, err := bare.references(ctx, s.place())
	if err == nil && found < want {
		err = fmt.Errorf("a bare %s finds %d of %d references", s.program, found, want)
	}
	return err
}

// bare starts the server alone, and waits until it is ready.
func (s *site) bare(ctx context.Context) (*bareServer, error) {
	bare, err := startBare(ctx, s.language, s.dir, s.env)
	if err != nil {
		return nil, err
	}
	if err := s.ready(ctx, bare, s); err != nil {
		bare.stop()
		return nil, err
	}
	return bare, nil
}

// measureSync edits a file on the disk and asks us, and gives the same edit to a server by didChange and asks it.
func measureSync(ctx context.Context, b *bench, of subject) (figure, error) {
	p, err := b.newTwins(ctx, of)
	if err != nil {
		return figure{}, err
	}
	defer p.close(ctx)
	name, callers := p.site.asked()
	path, _, _ := p.site.sample.Repeat(name, 1)
	if err := p.ours.opens(ctx, path); err != nil { // as it is open in the bare one
		return figure{}, err
	}
	uses, err := p.bare.references(ctx, p.site.place()) // some servers count what is no call
	if err != nil {
		return figure{}, err
	}
	const n = 30
	var all [2][]time.Duration
	for i := range n {
		path, text, _ := p.site.sample.Repeat(name, 2+i%2)
		want := callers + 1 + i%2
		for side, edit := range []func() error{
			func() error { return p.ours.editAndAsk(ctx, path, text, want) },
			func() error { return p.site.editAndAsk(ctx, p.bare, path, text, want-callers+uses, i+1) },
		} {
			took, err := timed(edit)
			if err != nil {
				return figure{}, err
			}
			all[side] = append(all[side], took)
		}
	}
	ours, theirs := median(all[0]), median(all[1])
	return figure{
		ratio:  round(ours - theirs).String(),
		detail: fmt.Sprintf("%s against %s, medians of %d", round(ours), round(theirs), n),
		held:   ours-theirs <= 5*time.Millisecond,
	}, nil
}

// editAndAsk writes a file as an editor does, and asks.
func (w *warm) editAndAsk(ctx context.Context, path, text string, want int) error {
	if err := os.WriteFile(filepath.Join(w.dir, filepath.FromSlash(path)), []byte(text), 0o644); err != nil {
		return err
	}
	return w.callers(ctx, want)
}

// editAndAsk gives a server its edit of that number, and asks until it answers from it: with exactly so many uses.
func (s *site) editAndAsk(ctx context.Context, bare *bareServer, path, text string, want, edit int) error {
	if err := bare.write(ctx, path, text); err != nil {
		return err
	}
	if s.settled != nil {
		if err := s.settled(ctx, bare, edit); err != nil {
			return err
		}
	}
	name, _ := s.asked()
	if err := bare.symbols(ctx, name); err != nil {
		return err
	}
	for giveUp := time.Now().Add(10 * time.Second); ; { // clangd answers from what it had before until it has compiled
		found, err := bare.references(ctx, s.place())
		if err != nil || found == want {
			return err
		}
		if time.Now().After(giveUp) {
			return fmt.Errorf("a bare %s finds %d of %d references after an edit", s.program, found, want)
		}
	}
}
