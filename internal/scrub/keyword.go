package scrub

import "slices"

// An automaton finds all occurrences of a set of words in one pass, whatever their case (A. Aho, M. Corasick: Efficient String
// Matching, 1975). It is a table of states and classes of bytes: about 120 KB for the 250 keywords.
type automaton struct {
	class   [256]uint8 // of a byte: 0 for those that stand in no word, the same for a and A
	classes int
	next    []uint16 // by state*classes + class
	words   [][]int  // by state: the indices of the words that end there
}

// newAutomaton returns the automaton of words in lower case, at most 65,535 bytes together.
func newAutomaton(words []string) *automaton {
	a := new(automaton)
	a.classify(words)
	fallback := a.trie(words)
	a.link(fallback)
	return a
}

// classify numbers the bytes that stand in words.
func (a *automaton) classify(words []string) {
	a.classes = 1
	for _, word := range words {
		for _, b := range []byte(word) {
			if a.class[b] != 0 {
				continue
			}
			a.class[b] = uint8(a.classes)
			if 'a' <= b && b <= 'z' {
				a.class[b-'a'+'A'] = uint8(a.classes)
			}
			a.classes++
		}
	}
}

// trie makes a state for each prefix of a word, in next and words, and returns room for the fallback of each state.
func (a *automaton) trie(words []string) []uint16 {
	a.next, a.words = make([]uint16, a.classes), make([][]int, 1)
	for i, word := range words {
		state := 0
		for _, b := range []byte(word) {
			to := &a.next[state*a.classes+int(a.class[b])]
			if *to == 0 {
				*to = uint16(len(a.words))
				state = len(a.words)
				a.next, a.words = append(a.next, make([]uint16, a.classes)...), append(a.words, nil)
				continue
			}
			state = int(*to)
		}
		a.words[state] = append(a.words[state], i)
	}
	return make([]uint16, len(a.words))
}

// link adds the transitions that leave the trie: to the state of the longest suffix that is a prefix of a word.
func (a *automaton) link(fallback []uint16) {
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		state := queue[0]
		for class := range a.classes {
			to := &a.next[state*a.classes+class]
			beside := uint16(0) // where the fallback goes
			if state != 0 {
				beside = a.next[int(fallback[state])*a.classes+class]
			}
			if *to == 0 {
				*to = beside
				continue
			}
			fallback[*to] = beside
			a.words[*to] = slices.Concat(a.words[*to], a.words[beside])
			queue = append(queue, int(*to))
		}
	}
}

// find calls found with the index of each occurring word and the offset behind it, until found returns false.
func (a *automaton) find(text string, found func(word, end int) bool) {
	state := 0
	for i := range len(text) {
		state = int(a.next[state*a.classes+int(a.class[text[i]])])
		for _, word := range a.words[state] {
			if !found(word, i+1) {
				return
			}
		}
	}
}
