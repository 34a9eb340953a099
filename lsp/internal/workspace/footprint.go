package workspace

import "time"

// evictionPause is the least time between two stops or restarts of a server for the same reason. A server that needs what it occupies
// is back there after each of them, and in between nobody has its answers.
const evictionPause = 10 * time.Minute

// A cause is why a server is stopped or restarted to give memory back.
type cause int

const (
	overLimit  cause = iota // it occupies more than the limit of each server
	overBudget              // all together occupy more than the budget
	causes                  // how many there are
)

// A footprint is what a server occupies, what it needs, and when it last had to give memory back. A server's mu guards it.
type footprint struct {
	bytes     int64 // that its processes occupied when last looked at; 0: not known
	needs     int64 // what it occupied when it knew the project, or came to within evictionPause of a restart; 0: not known yet
	collected int64 // the least that it has occupied since it was told to collect its garbage; 0: it was not told
	restarted time.Time
	evicted   [causes]time.Time // when it was last stopped or restarted for a cause
}

// measure takes note of what the server occupies. knows says that it knows its project.
func (f *footprint) measure(now time.Time, bytes int64, knows bool) {
	f.bytes, f.collected = bytes, min(f.collected, bytes)
	switch {
	case !knows:
	case f.needs == 0:
		f.needs = bytes
	case !f.restarted.IsZero() && now.Sub(f.restarted) < evictionPause: // it gets back to what it needs for the same questions
		f.needs = max(f.needs, bytes)
	}
}

// hasGrown reports whether a restart can be expected to shrink the server: it occupies a quarter more than it needs.
func (f *footprint) hasGrown() bool { return f.needs > 0 && f.bytes-f.needs > f.needs/4 }

// isWorthCollecting reports whether the server has grown by half since it last collected its garbage: a Go program lets its heap grow to
// twice of what is live before it does so by itself, and keeps it then.
func (f *footprint) isWorthCollecting() bool { return f.bytes > f.collected+f.collected/2 }

// noteCollection takes note that the server is told to collect its garbage.
func (f *footprint) noteCollection() { f.collected = f.bytes }

// evictable reports whether the server may be stopped or restarted for a cause again.
func (f *footprint) evictable(now time.Time, why cause) bool {
	at := f.evicted[why]
	return at.IsZero() || now.Sub(at) >= evictionPause
}

// noteEviction takes note of a stop or restart for a cause.
func (f *footprint) noteEviction(now time.Time, why cause, restart bool) {
	f.evicted[why] = now
	if restart {
		f.restarted = now
	}
}

// end takes note of the end of the server's processes.
func (f *footprint) end() { f.bytes, f.needs, f.collected = 0, 0, 0 }
