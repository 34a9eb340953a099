package lsp

import "maps"

// looked says whether the server has looked at everything that it was told, whatever the texts, and returns a channel
// that is closed when that may have changed.
func (p *progress) looked() (bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.quiet(), p.changed
}

// apart are the errors of a part as they were when the server last looked at the texts of the disk, and as they are.
func (p *progress) apart(of part) (disk, now blackboard) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now = maps.Clone(p.errors.within(of))
	if p.unsure {
		return p.settled.within(of), now
	}
	return now, now
}

// blind says what keeps the server from looking at all of a part, "" if nothing does.
func (p *progress) blind(of part) string {
	c := p.completeness(of)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failureIn(of) != "" || p.trouble != "" || p.unsure && p.settled == nil {
		return c.reason
	}
	return ""
}

// faulty says whether a file has errors on the disk.
func (p *progress) faulty(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unsure {
		return p.settled[path].count > 0
	}
	return p.errors[path].count > 0
}
