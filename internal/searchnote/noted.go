package searchnote

import (
	"sync"

	"tidepool/internal/session"
)

const (
	maxConversations = 64   // of which is known what they have read
	maxNames         = 1024 // that a conversation reads notes about; then it reads no more
)

// noted are the identifiers that each conversation has read a note about. The zero value is empty and ready. Safe for concurrent
// use.
type noted struct {
	mu     sync.Mutex
	names  map[session.ID]map[string]bool
	oldest []session.ID // the keys of names, by when they were added
}

// has reports whether a conversation has read a note, or may read no more of them.
func (n *noted) has(id session.ID, name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.names[id][name] || len(n.names[id]) >= maxNames
}

// add notes that a conversation reads a note now. It reports false if it has read it before.
func (n *noted) add(id session.ID, name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names == nil {
		n.names = map[session.ID]map[string]bool{}
	}
	if n.names[id] == nil {
		if len(n.oldest) == maxConversations {
			delete(n.names, n.oldest[0])
			n.oldest = n.oldest[1:]
		}
		n.names[id] = map[string]bool{}
		n.oldest = append(n.oldest, id)
	}
	isNew := !n.names[id][name]
	n.names[id][name] = true
	return isNew
}

// forget drops what the conversations of a session have read.
func (n *noted) forget(session string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	kept := n.oldest[:0]
	for _, id := range n.oldest {
		if id.Session == session {
			delete(n.names, id)
		} else {
			kept = append(kept, id)
		}
	}
	n.oldest = kept
}
