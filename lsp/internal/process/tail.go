package process

import (
	"strings"
	"sync"
)

// tailBytes and tailLines bound what is kept of a program's standard error.
const (
	tailBytes = 8 << 10
	tailLines = 8
)

// A tail keeps the last of what is written to it. Safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p...)
	if extra := len(t.last) - tailBytes; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(p), nil
}

// lines returns the last lines that are not blank.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.Lines(string(t.last)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-tailLines):]
}
