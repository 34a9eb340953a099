package lsp

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/text"
)

// titlesKept bounds how many titles of tasks are counted.
const titlesKept = 1000

// probe runs the language's Probe once at the start and again when it is due, until the session ends.
func (s *session) probe() {
	for {
		due, changed := s.progress.probeDue()
		if due == 0 {
			select {
			case <-changed:
				continue
			case <-s.ctx.Done():
				return
			}
		}
		covered, err := s.language.Probe(s.ctx, s)
		if s.ctx.Err() != nil {
			return
		}
		if err == nil {
			s.host.Cover(covered)
		}
		s.progress.probed(due, err)
	}
}

// structural says whether changes on the disk make another probe necessary.
func (s *session) structural(changes []disk.Change) bool {
	if s.language.Probe == nil {
		return false
	}
	if s.language.Structural != nil {
		return s.language.Structural(changes)
	}
	return slices.ContainsFunc(changes, func(c disk.Change) bool {
		return c.Kind != disk.Changed || disk.Named(s.language.Manifests, filepath.Base(c.Path))
	})
}

// probeAgain says that the server must be asked again what it knows.
func (p *progress) probeAgain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	p.doubt()
	p.update()
}

// probeDue returns what probed wants to know of a probe that begins now, 0 if none is due, and a channel that is
// closed when that may have changed.
func (p *progress) probeDue() (due int, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.answered < p.asked {
		due = p.asked
	}
	return due, p.changed
}

// probed takes note of the end of a probe.
func (p *progress) probed(due int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answered, p.failure = due, ""
	if err != nil {
		p.failure = text.OneLine(err.Error())
	}
	if p.answered == p.asked {
		p.unsure, p.settled, p.since = false, nil, time.Now()
	}
	p.update()
}

func (p *progress) probedState() State {
	switch {
	case p.answered < p.asked || p.strayed:
		return Indexing
	case p.failure != "":
		return Partial
	}
	return Complete
}

// wait returns when enough says so of the tasks that run, by token, and of how many have ended, by title; or with
// the reason why ctx has ended. enough must not keep the maps.
func (p *progress) wait(ctx context.Context, enough func(running map[string]task, ended map[string]int) bool) error {
	for {
		p.mu.Lock()
		running, ended, changed := maps.Clone(p.running), maps.Clone(p.ended), p.changed
		p.mu.Unlock()
		if enough(running, ended) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
