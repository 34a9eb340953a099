package disk

import "time"

// RacyWindow is how old a time must be for an equal time to mean an equal content: a file system may give two writes
// within one tick the same time.
const RacyWindow = 20 * time.Millisecond

// coarseWindow is the same for a time of whole seconds, which may come from a file system that knows no others.
const coarseWindow = 2 * time.Second

// A node is what the file system says of a file or directory.
type node struct {
	modified int64 // Unix time in nanoseconds, as a program may have set it
	changed  int64 // the same of the last change of any kind, which no program can set; 0: not known here
	inode    uint64
	device   uint64
	size     int64
	dir      bool
}

// A stamp is what tells two contents apart without reading them.
type stamp struct {
	node
	seen bool
	racy bool // the content may change again without showing
}

// update brings a stamp up to date. It says whether it is another one, and if not, whether the content may have
// changed all the same: when it is replaced by, or restored to, one of the same time and size.
func (s *stamp) update(next node, now time.Time) (changed, doubt bool) {
	changed = !s.seen || s.modified != next.modified || s.size != next.size
	doubt = s.racy || s.changed != next.changed || s.inode != next.inode
	window := RacyWindow
	if next.modified%int64(time.Second) == 0 {
		window = coarseWindow
	}
	*s = stamp{node: next, seen: true, racy: now.UnixNano()-next.modified < int64(window)}
	return changed, doubt
}
