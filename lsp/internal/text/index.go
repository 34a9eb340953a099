package text

import (
	"bytes"
	"hash/maphash"
	"os"
	"slices"
	"sync"
)

// Bounds of the index of words; a tree with more of a language is taken to mention everything.
const (
	indexFiles = 5_000
	indexBytes = 8 << 20 // of one file; a larger one is searched each time
)

// An Index knows which words the source files of one language mention. Files are read when they are first asked about
// and again after changes. Safe for concurrent use.
type Index struct {
	seed maphash.Seed

	mu      sync.Mutex
	words   map[string][]uint32 // by path: hashes of its words, sorted; nil: any word may be there
	scratch []uint32            // those of the file that is read
}

// NewIndex has read nothing yet.
func NewIndex() *Index { return &Index{seed: maphash.MakeSeed(), words: map[string][]uint32{}} }

// MayMention reports whether one of the files may mention word.
func (x *Index) MayMention(word string, files []string) bool {
	if word == "" || len(files) > indexFiles {
		return true
	}
	sought := x.hash([]byte(word))
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(files, func(path string) bool { return x.has(path, word, sought) })
}

// Mentioning returns the files that may mention word.
func (x *Index) Mentioning(word string, files []string) []string {
	if word == "" || len(files) > indexFiles {
		return files
	}
	sought := x.hash([]byte(word))
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(files), func(path string) bool { return !x.has(path, word, sought) })
}

// has reports whether a file may have a word, of which sought is the hash. Callers hold mu.
func (x *Index) has(path, word string, sought uint32) bool {
	words, ok := x.words[path]
	if !ok {
		words = x.read(path)
		x.words[path] = words
	}
	_, found := slices.BinarySearch(words, sought)
	return found || words == nil && searched(path, word)
}

// searched reports whether a file that is not in the index may have a word.
func searched(path, word string) bool {
	data, err := os.ReadFile(path)
	return err != nil || bytes.Contains(data, []byte(word)) || bytes.IndexByte(data, 0) >= 0 // no UTF-8
}

// Forget has a changed file read again.
func (x *Index) Forget(path string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.words, path)
}

func (x *Index) hash(word []byte) uint32 { return uint32(maphash.Bytes(x.seed, word)) }

// read returns the hashes of the words of a file, in a slice that has room for no more: a file repeats most of its words. Callers hold mu.
func (x *Index) read(path string) []uint32 {
	data, err := os.ReadFile(path)
	if err != nil || len(data) > indexBytes || bytes.IndexByte(data, 0) >= 0 { // no UTF-8
		return nil
	}
	words := x.scratch[:0]
	for len(data) > 0 {
		start := bytes.IndexFunc(data, IsWord)
		if start < 0 {
			break
		}
		data = data[start:]
		end := bytes.IndexFunc(data, func(r rune) bool { return !IsWord(r) })
		if end < 0 {
			end = len(data)
		}
		words = append(words, x.hash(data[:end]))
		data = data[end:]
	}
	slices.Sort(words)
	x.scratch = words[:0]
	distinct := slices.Compact(words)
	return append(make([]uint32, 0, len(distinct)), distinct...)
}
