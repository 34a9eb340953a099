package recall

import (
	"crypto/sha256"
	"slices"
	"strings"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/wording"
)

// wordsOf returns the different words of a memory, sorted.
func wordsOf(m *memory.Memory) []string {
	return sortedWords(m.Gist + "\n" + m.Content)
}

// sortedWords returns the different words of a text, sorted.
func sortedWords(text string) []string {
	words := fulltext.Words(text)
	slices.Sort(words)
	return slices.Compact(words)
}

// isRecord reports whether memories of a kind are of one session each: what another session says in the same words is another memory.
func isRecord(k memory.Kind) bool {
	return k == memory.Session || k == memory.Checkpoint || k == memory.Experience
}

func likenessOf(m *memory.Memory) store.Likeness {
	words := wordsOf(m)
	h := sha256.New()
	write := func(part string) { h.Write([]byte(part)); h.Write([]byte{0}) }
	write(string(m.Kind))
	if isRecord(m.Kind) {
		write(m.Session)
	}
	for _, w := range identity(m, words) {
		write(w)
	}
	return store.Likeness{Words: len(words), Fingerprint: h.Sum(nil)[:16], Sketch: store.Sketch(words)}
}

// identity returns the words of a memory, or its text if it has none that count.
func identity(m *memory.Memory, words []string) []string {
	if len(words) == 0 {
		return []string{wording.OneLine(m.Gist + "\n" + m.Content)}
	}
	return words
}

// remembered is what says of a memory that was forgotten that another one is the same: its words, whatever its kind, in its project. The
// summary of a session changes while the session goes on, so there it is the session.
func remembered(m *memory.Memory) []byte {
	owner := m.Project.Key
	if m.Scope == memory.ForUser {
		owner = ""
	}
	if m.Kind == memory.Session {
		return []byte(owner + "\x00session\x00" + m.Session)
	}
	return []byte(owner + "\x00words\x00" + strings.Join(identity(m, wordsOf(m)), "\x00"))
}

// alike reports whether two memories say nearly the same: by Jaccard's index of their words, see store.Overlap.
func alike(a, b []string) bool {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := strings.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	either := len(a) + len(b) - both
	return either > 0 && float64(both) >= store.Overlap*float64(either)
}
