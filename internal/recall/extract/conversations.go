package extract

import (
	"container/list"
	"sync"
)

// maxConversations is how many conversations are followed, those that were used last. One that is given up has told what it knew, except
// for failures that are not repaired yet.
const maxConversations = 64

// Conversations are those that go on in one project. They are safe for concurrent use. The zero value has none and names files by
// their absolute paths.
type Conversations struct {
	Root string // of the project; files below it are named by their path from there

	mu   sync.Mutex
	held map[Key]*list.Element
	used list.List // of *Conversation, the last used first
}

// Of returns a conversation; known reports whether it has been asked for before and was not given up since.
func (c *Conversations) Of(key Key) (conversation *Conversation, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.held[key]; ok {
		c.used.MoveToFront(element)
		return element.Value.(*Conversation), true
	}
	if c.held == nil {
		c.held = make(map[Key]*list.Element)
	}
	conversation = &Conversation{key: key, root: c.Root}
	c.held[key] = c.used.PushFront(conversation)
	if c.used.Len() > maxConversations {
		last := c.used.Back()
		delete(c.held, c.used.Remove(last).(*Conversation).key)
	}
	return conversation, false
}

// End gives up a conversation and all of its subagents.
func (c *Conversations) End(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, element := range c.held {
		if key.Session == session {
			c.used.Remove(element)
			delete(c.held, key)
		}
	}
}
