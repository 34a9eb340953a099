package lsp

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// Bounds of what is kept of a server's log.
const (
	sayingsKept  = 500
	sayingsBytes = 1000 // of one line
)

// sayings are the lines of a server's log and its standard error, for those who wait for one of them. The zero value
// is ready. Safe for concurrent use.
type sayings struct {
	mu      sync.Mutex
	lines   []string // the last ones, up to twice sayingsKept
	dropped int      // lines before those
	partial string   // of standard error: what follows the last end of a line
	changed chan struct{}
}

func (s *sayings) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(text) {
		s.append(strings.TrimRight(line, "\r\n"))
	}
	s.announce()
}

// Write takes in standard error.
func (s *sayings) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partial += string(p)
	for {
		line, rest, found := strings.Cut(s.partial, "\n")
		if !found {
			break
		}
		s.append(strings.TrimRight(line, "\r"))
		s.partial = rest
	}
	s.partial = s.partial[:min(len(s.partial), sayingsBytes)]
	s.announce()
	return len(p), nil
}

func (s *sayings) append(line string) {
	s.lines = append(s.lines, line[:min(len(line), sayingsBytes)])
	if len(s.lines) >= 2*sayingsKept {
		s.lines = slices.Delete(s.lines, 0, sayingsKept)
		s.dropped += sayingsKept
	}
}

func (s *sayings) announce() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// after returns the kept lines from number n on, the number of the next one, and a channel that is closed when
// there is more.
func (s *sayings) after(n int) (lines []string, next int, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return slices.Clone(s.lines[max(0, n-s.dropped):]), s.dropped + len(s.lines), s.changed
}

// said waits for a line of the server's log or standard error. It calls match for each one once, in their order, from
// the first that is kept on.
func (s *session) said(ctx context.Context, match func(line string) bool) error {
	for n := 0; ; {
		lines, next, more := s.sayings.after(n)
		if slices.ContainsFunc(lines, match) {
			return nil
		}
		n = next
		select {
		case <-more:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
