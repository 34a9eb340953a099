package activity

import (
	"context"
	"sync"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

const (
	keptMessages = 32
	maxMessage   = 300 // characters of a text
)

// Messages are sent to attached clients. The zero value has none. Safe for concurrent use. It starts no goroutine.
type Messages struct {
	mu      sync.Mutex
	ring    [keptMessages]protocol.LogMessage
	count   int           // of all since the start
	changed chan struct{} // closed at the next one; nil: nobody waits for it
}

// Note sends a message to those who follow.
func (m *Messages) Note(level, logger, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ring[m.count%keptMessages] = Message(level, logger, text)
	m.count++
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

// Message returns a message with its text on one line, without control characters.
func Message(level, logger, text string) protocol.LogMessage {
	return protocol.LogMessage{Level: level, Logger: logger, Text: wording.Line(wording.Visible(text), maxMessage)}
}

// Follow reports the messages after its begin, until ctx ends. begin is called when it has begun. Who is slower than the messages by
// more than 32 misses the oldest.
func (m *Messages) Follow(ctx context.Context, begin func(), tell func(*protocol.LogMessage)) {
	_, seen, changed := m.since(-1)
	begin()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		var news []protocol.LogMessage
		news, seen, changed = m.since(seen)
		for i := range news {
			tell(&news[i])
		}
	}
}

// since returns the messages after the first n, none for -1, the count of all, and a channel that is closed at the next one.
func (m *Messages) since(n int) (news []protocol.LogMessage, count int, changed <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n < 0 {
		n = m.count
	}
	for i := max(n, m.count-keptMessages); i < m.count; i++ {
		news = append(news, m.ring[i%keptMessages])
	}
	if m.changed == nil {
		m.changed = make(chan struct{})
	}
	return news, m.count, m.changed
}
