package coverage

import "context"

// findings are what was found out about a module.
type findings struct {
	*tree
	keys    map[string]string  // of the packages with tests, by directory
	records map[string]*record // that are kept of packages, as they are now or were before, unless those are known
}

// look looks at a module, and at what is kept of it.
func (c *Collector) look(ctx context.Context, m *module) (findings, error) {
	t, err := c.read(ctx, m.dir)
	if err != nil {
		return findings{}, err
	}
	n := findings{t, make(map[string]string), make(map[string]*record)}
	for _, dir := range t.tested() {
		n.keys[dir] = t.key(dir)
	}
	known := c.known(m)
	for dir, key := range n.keys {
		name := relative(m.dir, dir)
		switch have, some := known[dir]; {
		case have == key:
		case some:
			n.records[dir] = c.store.exact(t.path, name, key)
		default:
			if n.records[dir] = c.store.exact(t.path, name, key); n.records[dir] == nil {
				n.records[dir] = c.store.latest(t.path, name)
			}
		}
	}
	return n, nil
}

// known returns the keys of the records that there are of a module's packages.
func (c *Collector) known(m *module) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := make(map[string]string)
	for dir, s := range m.states {
		if s.record != nil {
			keys[dir] = s.record.Key
		}
	}
	return keys
}

// take takes note of how the packages of a module are now, unless what is known was read later: several may look at once, and who began
// first may end last. Called with mu held.
func (c *Collector) take(m *module, n findings) {
	if n.number < m.taken {
		return
	}
	m.path, m.problem, m.taken = n.path, nil, n.number
	for dir, s := range m.states {
		if _, found := n.keys[dir]; !found {
			delete(m.states, dir)
			c.settle(s)
		}
	}
	for dir, key := range n.keys {
		s := m.states[dir]
		if s == nil {
			s = new(state)
			m.states[dir] = s
		}
		s.key = key
		if kept := n.records[dir]; kept != nil && (s.record == nil || kept.Key == key) {
			s.record = kept
		}
	}
}
