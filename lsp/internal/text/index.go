package text

import (
	"bytes"
	"context"
	"hash/maphash"
	"maps"
	"os"
	"slices"
	"sync"
	"unicode/utf8"
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
	word [utf8.RuneSelf]bool // IsWord of ASCII, which nearly all of the characters are

	mu      sync.Mutex
	words   map[string][]uint32 // by path: hashes of its words, sorted; nil: any word may be there
	scratch map[uint32]struct{} // those of the file that is read
}

// NewIndex has read nothing yet.
func NewIndex() *Index {
	x := &Index{seed: maphash.MakeSeed(), words: map[string][]uint32{}, scratch: map[uint32]struct{}{}}
	for r := range x.word {
		x.word[r] = IsWord(rune(r))
	}
	return x
}

// MayMention reports whether one of the files may mention word.
func (x *Index) MayMention(word string, files []string) bool {
	if word == "" || len(files) > indexFiles {
		return true
	}
	sought := x.hash([]byte(word))
	return slices.ContainsFunc(files, func(path string) bool { return x.has(path, word, sought) })
}

// Mentioning returns the files that may mention word.
func (x *Index) Mentioning(word string, files []string) []string {
	if word == "" || len(files) > indexFiles {
		return files
	}
	sought := x.hash([]byte(word))
	return slices.DeleteFunc(slices.Clone(files), func(path string) bool { return !x.has(path, word, sought) })
}

// Read reads files, until ctx ends, that a question about any name would read.
func (x *Index) Read(ctx context.Context, files []string) {
	if len(files) > indexFiles {
		return
	}
	for _, path := range files {
		x.wordsOf(path)
		if ctx.Err() != nil {
			return
		}
	}
}

// wordsOf returns the hashes of the words of a file, nil if it may have any. The lock is held for one file: several questions read at a
// time, and none waits for all that another one reads.
func (x *Index) wordsOf(path string) []uint32 {
	x.mu.Lock()
	defer x.mu.Unlock()
	words, ok := x.words[path]
	if !ok {
		words = x.read(path)
		x.words[path] = words
	}
	return words
}

// has reports whether a file may mention word, whose hash is sought.
func (x *Index) has(path, word string, sought uint32) bool {
	words := x.wordsOf(path)
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

// read returns the hashes of the words of a file, in a slice that has room for no more. The first question about a name waits until all
// files of its language are read: BenchmarkIndex says how long. Callers hold mu.
func (x *Index) read(path string) []uint32 {
	data, err := os.ReadFile(path)
	if err != nil || len(data) > indexBytes || bytes.IndexByte(data, 0) >= 0 { // no UTF-8
		return nil
	}
	clear(x.scratch)
	for start := x.skip(data, 0, false); start < len(data); {
		end := x.skip(data, start, true)
		x.scratch[x.hash(data[start:end])] = struct{}{}
		start = x.skip(data, end, false)
	}
	words := slices.AppendSeq(make([]uint32, 0, len(x.scratch)), maps.Keys(x.scratch))
	slices.Sort(words)
	return words
}

// skip returns where the characters end that are parts of words, or that are none, from an offset on.
func (x *Index) skip(data []byte, from int, words bool) int {
	for from < len(data) {
		if c := data[from]; c < utf8.RuneSelf {
			if x.word[c] != words {
				break
			}
			from++
			continue
		}
		r, size := utf8.DecodeRune(data[from:])
		if IsWord(r) != words {
			break
		}
		from += size
	}
	return from
}
