package session

import (
	"path/filepath"
	"slices"
	"time"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/disk"
)

// titlesKept bounds how many titles of tasks are counted.
const titlesKept = 1000

// RunProbe runs the language's Probe once at the start and again when it is due, until the session ends.
func (s *Session) RunProbe() {
	for {
		due, changed := s.Progress.probeDue()
		if due == 0 {
			select {
			case <-changed:
				continue
			case <-s.ctx.Done():
				return
			}
		}
		covered, err := s.Language.Probe(s.ctx, s)
		if s.ctx.Err() != nil {
			return
		}
		if err == nil {
			s.Host.Cover(covered)
		}
		s.Progress.probed(due, err)
	}
}

// IsStructural reports whether changes on the disk make another probe necessary.
func (s *Session) IsStructural(changes []disk.Change) bool {
	if s.Language.Probe == nil {
		return false
	}
	if s.Language.Structural != nil {
		return s.Language.Structural(changes)
	}
	return slices.ContainsFunc(changes, func(c disk.Change) bool {
		return c.Kind != disk.Changed || disk.Named(s.Language.Manifests, filepath.Base(c.Path))
	})
}

// ProbeAgain says that the server must be asked again what it knows.
func (p *Progress) ProbeAgain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	p.doubt(nil)
	p.update()
}

// probeDue returns what probed wants to know of a probe that begins now, 0 if none is due, and a channel that is
// closed when that may have changed.
func (p *Progress) probeDue() (due int, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.answered < p.asked {
		due = p.asked
	}
	return due, p.changed
}

// probed takes note of the end of a probe.
func (p *Progress) probed(due int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answered, p.failure = due, ""
	if err != nil {
		p.failure = wording.OneLine(err.Error())
	}
	if p.answered == p.asked {
		p.unsure, p.doubted, p.settled, p.since = false, nil, nil, time.Now()
	}
	p.update()
}
