package fulltext

import (
	"hash/maphash"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// A stemmer returns the stems of words, and nothing for stop words. It is not safe for concurrent use. The zero stemmer has no cache.
type stemmer struct {
	env  *snowballstem.Env
	seed maphash.Seed
	// cache has the stem of a word in the slot of its hash, until another word of the slot comes. It takes 512 KB and answers for five of
	// six words of Go's sources. A map that answers for more takes as long to ask as a word to stem.
	cache []cachedStem
}

// A cachedStem is a word and its stem, in half a cache line.
type cachedStem struct {
	word, stem      [15]byte
	length, stemmed uint8 // bytes of word, 0: the slot is empty; of stem
}

const cachedStems = 16 << 10

func newStemmer() stemmer {
	return stemmer{seed: maphash.MakeSeed(), cache: make([]cachedStem, cachedStems)}
}

// appendStem appends the stem of a folded word, nothing for a stop word.
func (s *stemmer) appendStem(dst, word []byte) []byte {
	if len(s.cache) == 0 || len(word) > len(s.cache[0].word) {
		return append(dst, s.find(string(word))...)
	}
	slot := &s.cache[maphash.Bytes(s.seed, word)%cachedStems]
	if string(slot.word[:slot.length]) != string(word) {
		stem := s.find(string(word))
		if len(stem) > len(slot.stem) {
			return append(dst, stem...)
		}
		slot.length, slot.stemmed = uint8(copy(slot.word[:], word)), uint8(copy(slot.stem[:], stem))
	}
	return append(dst, slot.stem[:slot.stemmed]...)
}

// find returns the stem by Porter's second algorithm, whose first letter is that of the word. "": the word is a stop word.
func (s *stemmer) find(word string) string {
	if isStopWord(word) {
		return ""
	}
	if base := baseOf(word); base != "" {
		word = base
	}
	if !isEnglish(word) || len(word) < 3 {
		return word
	}
	if s.env == nil {
		s.env = snowballstem.NewEnv("")
	}
	s.env.SetCurrent(word)
	english.Stem(s.env)
	return s.env.Current()
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
