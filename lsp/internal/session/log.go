package session

import (
	"context"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/wording"
)

// Bounds of what is kept of a server's log.
const (
	logKept      = 500
	logLineLimit = 1000 // of one line
)

// serverLog are the lines of a server's log and its standard error, for those who wait for one of them. The zero value
// is ready. Safe for concurrent use.
type serverLog struct {
	mu      sync.Mutex
	lines   []string // the last ones, up to twice logKept
	dropped int      // lines before those
	partial string   // of standard error: what follows the last end of a line
	changed chan struct{}
}

func (s *serverLog) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(text) {
		s.append(strings.TrimRight(line, "\r\n"))
	}
	s.announce()
}

// Write takes in standard error.
func (s *serverLog) Write(p []byte) (int, error) {
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
	s.partial = s.partial[:min(len(s.partial), logLineLimit)]
	s.announce()
	return len(p), nil
}

func (s *serverLog) append(line string) {
	s.lines = append(s.lines, line[:min(len(line), logLineLimit)])
	if len(s.lines) >= 2*logKept {
		s.lines = slices.Delete(s.lines, 0, logKept)
		s.dropped += logKept
	}
}

func (s *serverLog) announce() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// After returns the kept lines from number n on, the number of the next one, and a channel that is closed when
// there is more.
func (s *serverLog) After(n int) (lines []string, next int, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return slices.Clone(s.lines[max(0, n-s.dropped):]), s.dropped + len(s.lines), s.changed
}

// AwaitLog waits for a line of the server's log or standard error. It calls match for each one once, in their order, from
// the first that is kept on.
func (s *Session) AwaitLog(ctx context.Context, match func(line string) bool) error {
	for n := 0; ; {
		lines, next, more := s.Log.After(n)
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

// messagesKept bounds what is remembered of a server's warnings.
const messagesKept = 8

// messages are the last warnings and errors that a server wanted a person to see.
type messages struct {
	mu   sync.Mutex
	last []string
}

func (m *messages) add(message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = append(m.last, wording.OneLine(message))
	m.last = slices.Delete(m.last, 0, max(0, len(m.last)-messagesKept))
}

// latest returns the last one, "" if there is none.
func (m *messages) latest() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.last) == 0 {
		return ""
	}
	return m.last[len(m.last)-1]
}

// LastMessage returns the last warning or error that the server wanted a person to see, "" if there was none.
func (s *Session) LastMessage() string { return s.messages.latest() }
