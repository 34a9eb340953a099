package session

import "sync"

// maxClients bounds how many clients are remembered.
const maxClients = 256

// Clients remember the session of each client's latest call. A client outlives its session: after /clear it serves another one, and only
// hooks say which. The zero value knows none. Safe for concurrent use.
type Clients[K comparable] struct {
	mu     sync.Mutex
	latest map[K]string
	keys   []K // a ring of those in latest
	next   int // place of the next, once it is full
}

// Note remembers the session of a client's call.
func (c *Clients[K]) Note(client K, session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.latest == nil {
		c.latest = map[K]string{}
	}
	if _, known := c.latest[client]; !known {
		c.remember(client)
	}
	c.latest[client] = session
}

// remember puts a client in the place of the oldest.
func (c *Clients[K]) remember(client K) {
	if len(c.keys) < maxClients {
		c.keys = append(c.keys, client)
		return
	}
	delete(c.latest, c.keys[c.next])
	c.keys[c.next] = client
	c.next = (c.next + 1) % maxClients
}

// Of returns the session of a client's latest call; "" if there was none, or 256 other clients have come since.
func (c *Clients[K]) Of(client K) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.latest[client]
}
