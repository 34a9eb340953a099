package lsp

import (
	"bytes"
	"hash/maphash"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"tidepool/lsp/internal/disk"
)

// Bounds of the index of words; a tree with more of a language is taken to mention everything.
const (
	indexFiles = 5_000
	indexBytes = 2 << 20 // of one file; a larger one is searched each time
)

// An index knows which words the source files of one language mention. Files are read when they are first asked about
// and again after changes. Safe for concurrent use.
type index struct {
	seed maphash.Seed

	mu    sync.Mutex
	words map[string][]uint32 // by path: hashes of its words, sorted; nil: any word may be there
}

func newIndex() *index { return &index{seed: maphash.MakeSeed(), words: map[string][]uint32{}} }

// mention says whether one of the files may mention word.
func (x *index) mention(word string, files []string) bool {
	if word == "" || len(files) > indexFiles {
		return true
	}
	sought := x.hash([]byte(word))
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(files, func(path string) bool { return x.has(path, word, sought) })
}

// those are the files that may mention word.
func (x *index) those(word string, files []string) []string {
	if word == "" || len(files) > indexFiles {
		return files
	}
	sought := x.hash([]byte(word))
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(files), func(path string) bool { return !x.has(path, word, sought) })
}

// has says whether a file may have a word, of which sought is the hash. Callers hold mu.
func (x *index) has(path, word string, sought uint32) bool {
	words, ok := x.words[path]
	if !ok {
		words = x.read(path)
		x.words[path] = words
	}
	_, found := slices.BinarySearch(words, sought)
	return found || words == nil && searched(path, word)
}

// searched says whether a file that is not in the index may have a word.
func searched(path, word string) bool {
	data, err := os.ReadFile(path)
	return err != nil || bytes.Contains(data, []byte(word)) || bytes.IndexByte(data, 0) >= 0 // no UTF-8
}

// forget has changed files read again.
func (x *index) forget(changes []disk.Change) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range changes {
		delete(x.words, c.Path)
	}
}

func (x *index) hash(word []byte) uint32 { return uint32(maphash.Bytes(x.seed, word)) }

func (x *index) read(path string) []uint32 {
	data, err := os.ReadFile(path)
	if err != nil || len(data) > indexBytes || bytes.IndexByte(data, 0) >= 0 { // no UTF-8
		return nil
	}
	words := []uint32{}
	for len(data) > 0 {
		start := bytes.IndexFunc(data, wordRune)
		if start < 0 {
			break
		}
		data = data[start:]
		end := bytes.IndexFunc(data, func(r rune) bool { return !wordRune(r) })
		if end < 0 {
			end = len(data)
		}
		words = append(words, x.hash(data[:end]))
		data = data[end:]
	}
	slices.Sort(words)
	return slices.Clip(slices.Compact(words))
}

// lastWord is the word that a query for symbols ends in: M of pkg.T.M; "" if it ends in none.
func lastWord(query string) string {
	end := strings.LastIndexFunc(query, wordRune)
	if end < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(query[end:])
	query = query[:end+size]
	return query[strings.LastIndexFunc(query, func(r rune) bool { return !wordRune(r) })+1:]
}

// mentioning are the servers to ask for a name: those whose source files mention it, or all if none does, for a name
// that is only similar.
func (v *View) mentioning(query string) []*server {
	if len(v.wanted) == 1 {
		return v.wanted
	}
	word := lastWord(query)
	of := slices.DeleteFunc(slices.Clone(v.wanted), func(s *server) bool { return !v.tree.mentions(s.language, word) })
	if len(of) == 0 {
		return v.wanted
	}
	return of
}

// mentions says whether a source file of the language may mention word.
func (t *tree) mentions(language *Language, word string) bool {
	index, sources := t.index(language)
	return index.mention(word, sources)
}

// index returns the index of the words of a language, and its source files as of the last walk.
func (t *tree) index(language *Language) (*index, []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	index := t.indexes[language.ID]
	if index == nil {
		index = newIndex()
		t.indexes[language.ID] = index
	}
	return index, t.contents[language.ID].sources
}
