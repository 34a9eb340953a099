package redact

import "sync/atomic"

// Counts are what has happened to responses since the daemon's start. They hold no text.
type Counts struct {
	Replaced  int64 // responses in which something was replaced
	Withheld  int64 // of those: responses whose texts were withheld, because they could not be searched
	Unknown   int64 // responses that passed unsearched, because their tool or their shape is not known
	Shown     int64 // failing commands that have shown a known value: no hook can replace their output
	Refused   int64 // tool calls that were refused because of a token in them
	Unlearned int64 // fingerprints of secret values that could not be read
}

// counters are Counts that are being counted.
type counters struct{ replaced, withheld, unknown, shown, refused, unlearned atomic.Int64 }

// Counts returns what has happened so far.
func (c *Contributor) Counts() Counts {
	n := &c.counters
	return Counts{n.replaced.Load(), n.withheld.Load(), n.unknown.Load(), n.shown.Load(), n.refused.Load(), n.unlearned.Load()}
}
