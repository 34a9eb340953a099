package fulltext

import "github.com/kljensen/snowball/english"

// maxStems bounds the cache of a stemmer, in words. At forty bytes a word that is less than a megabyte.
const maxStems = 16 << 10

// A stemmer returns the stems of words, and "" for stop words. With a cache it is not safe for concurrent use.
type stemmer struct {
	known map[string]string // nil: no cache
}

// stem returns the stem of a folded word.
func (s *stemmer) stem(word []byte) string {
	if stem, ok := s.known[string(word)]; ok {
		return stem
	}
	w := string(word)
	stem := stemOf(w)
	if s.known != nil {
		if len(s.known) >= maxStems {
			clear(s.known)
		}
		s.known[w] = stem
	}
	return stem
}

// stemOf returns the stem by Porter's second algorithm, whose first letter is that of the word. "": the word is a stop word.
func stemOf(word string) string {
	if isStopWord(word) {
		return ""
	}
	if base := baseOf(word); base != "" {
		word = base
	}
	if !isEnglish(word) {
		return word
	}
	return english.Stem(word, true)
}

// isEnglish reports whether a word has only letters and apostrophes of ASCII: all others are their own stems.
func isEnglish(word string) bool {
	for i := 0; i < len(word); i++ {
		if b := word[i]; (b < 'a' || b > 'z') && b != '\'' {
			return false
		}
	}
	return true
}

// isStopWord reports whether a word says nothing about what a text is about. Words that name things in programs are no stop words: if,
// for, while, true, null.
func isStopWord(word string) bool {
	switch word {
	case "an", "the", "this", "that", "these", "those", "it", "its", "it's", "itself", "they", "them", "their", "theirs",
		"he", "him", "his", "she", "her", "hers", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "we", "we're", "we've",
		"us", "our", "ours", "you", "you're", "you've", "your", "yours", "is", "isn't", "are", "aren't", "was", "wasn't",
		"were", "weren't", "be", "been", "being", "am", "do", "does", "doesn't", "did", "didn't", "don't", "has", "hasn't",
		"have", "haven't", "had", "hadn't", "having", "can", "can't", "could", "couldn't", "will", "won't", "would",
		"wouldn't", "should", "shouldn't", "shall", "may", "might", "must", "and", "or", "but", "nor", "so", "as", "at",
		"by", "of", "on", "in", "into", "onto", "to", "from", "with", "about", "than", "then", "too", "also", "what",
		"what's", "which", "who", "whom", "whose", "when", "where", "why", "how", "there", "there's", "here", "that's",
		"let's", "just", "very", "really", "such", "some", "any", "both", "each", "either", "neither", "ever":
		return true
	}
	return false
}
