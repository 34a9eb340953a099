package session

import (
	"context"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/wording"
)

// logLineLimit bounds a line of a log, in bytes: what is longer goes on in the next line.
const logLineLimit = 64 << 10

// serverLog is a server's log and its standard error. It keeps no lines but those that a LogWatch wants, of which it loses none
// however many others there are. The zero value is ready. Safe for concurrent use.
type serverLog struct {
	mu      sync.Mutex
	partial string // of standard error: what follows the last end of a line
	watches []*LogWatch
}

// A LogWatch collects those lines of a log that its owner wants, from its beginning until it is closed.
type LogWatch struct {
	log    *serverLog
	wanted func(line string) bool
	lines  []string      // that Next has not returned yet
	more   chan struct{} // holds an element when there are any
}

func (s *serverLog) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(text) {
		s.tell(line)
	}
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
		s.tell(line)
		s.partial = rest
	}
	if len(s.partial) > logLineLimit {
		s.tell(s.partial)
		s.partial = ""
	}
	return len(p), nil
}

// tell gives a line to those who want it. Callers hold mu.
func (s *serverLog) tell(line string) {
	line = strings.TrimRight(line, "\r\n")
	for _, w := range s.watches {
		if !w.wanted(line) {
			continue
		}
		w.lines = append(w.lines, strings.Clone(line))
		select {
		case w.more <- struct{}{}:
		default:
		}
	}
}

// WatchLog begins to collect lines of the server's log and standard error. wanted is called for each line of either, in its order; it
// must not block. The caller closes the watch.
func (s *Session) WatchLog(wanted func(line string) bool) *LogWatch { return s.log.watch(wanted) }

func (s *serverLog) watch(wanted func(line string) bool) *LogWatch {
	w := &LogWatch{log: s, wanted: wanted, more: make(chan struct{}, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches = append(s.watches, w)
	return w
}

// Close ends the collection.
func (w *LogWatch) Close() {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	w.log.watches = slices.DeleteFunc(w.log.watches, func(other *LogWatch) bool { return other == w })
}

// Next waits for the next line that is wanted, and returns it; ok is false when ctx has ended before.
func (w *LogWatch) Next(ctx context.Context) (line string, ok bool) {
	for {
		if line, ok := w.take(); ok {
			return line, true
		}
		select {
		case <-w.more:
		case <-ctx.Done():
			return "", false
		}
	}
}

func (w *LogWatch) take() (line string, ok bool) {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	if len(w.lines) == 0 {
		return "", false
	}
	line, w.lines = w.lines[0], w.lines[1:]
	return line, true
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
