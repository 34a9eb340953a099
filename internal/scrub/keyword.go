package scrub

import "slices"

// An automaton finds all occurrences of a set of words in one pass, whatever their case (A. Aho, M. Corasick: Efficient String
// Matching, 1975). It is a table of states and classes of bytes: about 250 KB for the 250 keywords.
type automaton struct {
	class   [256]uint8 // of a byte: 0 for those that stand in no word, the same for a and A
	classes uint32
	next    []uint32 // by state + class; a state is the index of its first entry, with the bit ends if a word ends there
	words   [][]int  // by state / classes: the indices of the words that end there
}

// ends marks a transition to a state where a word ends.
const ends = 1 << 31

// newAutomaton returns the automaton of words in lower case.
func newAutomaton(words []string) *automaton {
	a := new(automaton)
	a.classify(words)
	a.trie(words)
	a.link()
	for i, to := range a.next {
		if len(a.words[to/a.classes]) > 0 {
			a.next[i] |= ends
		}
	}
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

// trie makes a state for each prefix of a word.
func (a *automaton) trie(words []string) {
	a.next, a.words = make([]uint32, a.classes), make([][]int, 1)
	for i, word := range words {
		state := uint32(0)
		for _, b := range []byte(word) {
			at := state + uint32(a.class[b])
			if a.next[at] == 0 {
				a.next[at] = uint32(len(a.next))
				a.next, a.words = append(a.next, make([]uint32, a.classes)...), append(a.words, nil)
			}
			state = a.next[at]
		}
		a.words[state/a.classes] = append(a.words[state/a.classes], i)
	}
}

// link adds the transitions that leave the trie: to the state of the longest suffix that is a prefix of a word.
func (a *automaton) link() {
	fallback := make([]uint32, len(a.words)) // by state / classes
	for queue := []uint32{0}; len(queue) > 0; queue = queue[1:] {
		state := queue[0]
		for class := range a.classes {
			to := &a.next[state+class]
			beside := uint32(0) // where the fallback goes
			if state != 0 {
				beside = a.next[fallback[state/a.classes]+class]
			}
			if *to == 0 {
				*to = beside
				continue
			}
			number := *to / a.classes
			fallback[number] = beside
			a.words[number] = slices.Concat(a.words[number], a.words[beside/a.classes])
			queue = append(queue, *to)
		}
	}
}

// find calls found with the index of each occurring word and the offset behind it, until found returns false.
func (a *automaton) find(text string, found func(word, end int) bool) {
	state := uint32(0)
	for i := range len(text) {
		state = a.next[state+uint32(a.class[text[i]])]
		if state&ends == 0 {
			continue
		}
		state &^= ends
		for _, word := range a.words[state/a.classes] {
			if !found(word, i+1) {
				return
			}
		}
	}
}
