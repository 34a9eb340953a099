package evidence

import "slices"

// overlap is what share of their words two memories have in common that say the same.
const overlap = .8

// hashStart is the FNV-1a hash of no bytes.
const hashStart = uint32(2166136261)

// addToHash adds a byte to an FNV-1a hash. It is written out because hash/fnv takes memory for each.
func addToHash(hash uint32, b byte) uint32 { return (hash ^ uint32(b)) * 16777619 }

// hashOf returns the hash of a term.
func hashOf[T string | []byte](term T) uint32 {
	hash := hashStart
	for i := range len(term) {
		hash = addToHash(hash, term[i])
	}
	return hash
}

func sortedSet(terms []uint32) []uint32 {
	slices.Sort(terms)
	return slices.Compact(terms)
}

// same reports whether two texts share so many of their terms that they say the same.
func same(a, b []uint32) bool {
	least, most := min(len(a), len(b)), max(len(a), len(b))
	return float64(least) >= overlap*float64(most) && common(a, b) >= overlap
}

// common returns the share of the terms of either text that both have (Jaccard's index), 0 if neither has any. It ends early with 0 if the
// share is below overlap whatever follows: nearly all texts differ in their first terms.
func common(a, b []uint32) float64 {
	mayMiss := float64(len(a)+len(b)) * (1 - overlap) / (1 + overlap) // terms of one alone, in both together
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
			continue
		case a[i] < b[j]:
			i++
		default:
			j++
		}
		if float64(i+j-2*both) > mayMiss+1 {
			return 0
		}
	}
	if either := len(a) + len(b) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 0
}

// withoutDuplicates returns weighed memories, the best first, without those that say what another says: of these the newest stays, at the
// place of the first and with its score.
func withoutDuplicates(all []weighed) []weighed {
	var kept []weighed
	for _, w := range all {
		i := slices.IndexFunc(kept, func(k weighed) bool { return same(k.reading.terms, w.reading.terms) })
		switch {
		case i < 0:
			kept = append(kept, w)
		case w.found.newer(kept[i].found):
			w.score = kept[i].score
			kept[i] = w
		}
	}
	return kept
}

// newer reports whether a memory is newer than another: by its number if the times are the same.
func (f *Found) newer(than *Found) bool {
	if !f.At.Equal(than.At) {
		return f.At.After(than.At)
	}
	return f.N > than.N
}
