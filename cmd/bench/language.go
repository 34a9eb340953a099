package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"tidepool/internal/bareserver"
)

// languageRows returns the rows that each language has.
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
	pairs, err := b.acrossStarts(ctx, of, func(p *twins) (*pairs, error) {
		return alternate(150, 250, timing(func(int) error {
			_, err := p.ours.ask(ctx)
			return err
		}), timing(func(int) error {
			_, err := p.bare.References(ctx, p.site.place())
			return err
		}))
	})
	if err != nil {
		return figure{}, err
	}
	return pairs.atMost(1.2), nil
}

// measureCold starts both from nothing, each time in a project of its own with empty caches of its own. What Go itself
// caches of the standard library both find: the first round, which may have to make it, does not count.
func measureCold(ctx context.Context, b *bench, of subject) (figure, error) {
	var cpu []time.Duration
	cold := func(start func(context.Context, *site) (time.Duration, error)) side {
		return func(int) (time.Duration, error) {
			s, err := b.newSite(of)
			if err != nil {
				return 0, err
			}
			return start(ctx, s)
		}
	}
	pairs, err := alternate(9, 1, cold(func(ctx context.Context, s *site) (time.Duration, error) {
		before := ownCPU()
		took, err := coldAnswer(ctx, s)
		cpu = append(cpu, ownCPU()-before)
		return took, err
	}), cold(coldServer))
	if err != nil {
		return figure{}, err
	}
	f := pairs.atMost(1.1)
	f.detail += fmt.Sprintf("; %s of CPU are ours", round(median(cpu)))
	return f, nil
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
	defer bare.Stop()
	_, callers := s.asked()
	err = s.proves(ctx, bare, callers)
	return time.Since(start), err
}

// proves asks a server what find_callers cannot do without, where a name is declared and where it is used, and
// expects at least so many uses.
func (s *site) proves(ctx context.Context, bare *bareserver.Server, want int) error {
	name, _ := s.asked()
	if err := s.finds(ctx, bare, name); err != nil {
		return err
	}
	found, err := bare.References(ctx, s.place())
	if err == nil && len(found) < want {
		err = fmt.Errorf("a bare %s finds %d of %d references", s.program, len(found), want)
	}
	return err
}

// finds has a server look for a name as lsp does.
func (s *site) finds(ctx context.Context, bare *bareserver.Server, name string) error {
	n, err := bare.Symbols(ctx, name)
	if err == nil && n == 0 {
		err = fmt.Errorf("a bare %s knows no %s", s.program, name)
	}
	return err
}

// bare starts the server alone, and waits until it is ready.
func (s *site) bare(ctx context.Context) (*bareserver.Server, error) {
	bare, err := bareserver.Start(ctx, s.language, s.dir, s.env)
	if err != nil {
		return nil, err
	}
	sources := []string{s.place().Path}
	for _, path := range s.sources {
		sources = append(sources, filepath.Join(s.dir, path))
	}
	if err := bare.Ready(ctx, sources...); err != nil {
		bare.Stop()
		return nil, err
	}
	return bare, nil
}
