package fulltext

import "slices"

const (
	// maxSmall is how many small segments are merged into one.
	maxSmall = 8
	// smallDocs is below how many documents a segment is small. It bounds what a merge takes, and how much memory it has twice:
	// that of some 32,000 documents, eight frozen parts.
	smallDocs = 16 << 10
)

// freeze makes a segment of the mutable part, and merges the small ones if there are many. writing is held.
func (x *Index) freeze() {
	s := x.recent.freeze()
	segments := slices.Clone(x.segments)
	if s != nil {
		segments = append(segments, s)
	}
	x.mu.Lock()
	x.segments, x.recent = segments, newRecent(len(x.lengths))
	x.mu.Unlock()
	var small []*segment
	for _, s := range segments {
		if s.living() < smallDocs {
			small = append(small, s)
		}
	}
	if len(small) >= maxSmall {
		x.replace(small)
	}
}

// replace replaces segments by one of their living documents. writing is held; searches go on meanwhile.
func (x *Index) replace(old []*segment) {
	merged := merge(len(x.lengths), old)
	segments := slices.DeleteFunc(slices.Clone(x.segments), func(s *segment) bool { return slices.Contains(old, s) })
	if merged != nil {
		segments = append(segments, merged)
	}
	x.mu.Lock()
	x.segments = segments
	x.mu.Unlock()
}

// compact builds a segment anew when a fifth of its documents are dead. nil is none. writing is held.
func (x *Index) compact(s *segment) {
	if s != nil && s.deaths*5 > len(s.ids) {
		x.replace([]*segment{s})
	}
}
