package lexer

import (
	"fmt"
	"math"
	"os"
	"sync"
	"time"
)

// maxCached bounds the source text, in bytes, of the files kept; their tokens take about as much again.
const maxCached = 16 << 20

// Files keeps files for as long as their size and modification time stay. The zero value is empty and ready.
// Safe for concurrent use; two callers that miss the same file at once both read it.
type Files struct {
	mu    sync.Mutex // guards what follows
	kept  map[string]*kept
	bytes int
	clock int // counts uses
}

type kept struct {
	file    *File
	size    int64
	changed time.Time
	used    int // Files.clock at the last use
}

// Open returns the file at path. The error is that of reading it.
func (fs *Files) Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("reading source: %w", err)
	}
	if f := fs.lookup(path, info); f != nil {
		return f, nil
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading source: %w", err)
	}
	f := Parse(path, src)
	if int64(len(src)) == info.Size() { // else it changed in between, and the next call must look again
		fs.keep(path, &kept{file: f, size: info.Size(), changed: info.ModTime()})
	}
	return f, nil
}

func (fs *Files) lookup(path string, info os.FileInfo) *File {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	k := fs.kept[path]
	if k == nil || k.size != info.Size() || !k.changed.Equal(info.ModTime()) {
		return nil
	}
	fs.clock++
	k.used = fs.clock
	return k.file
}

func (fs *Files) keep(path string, k *kept) {
	if k.size > maxCached/2 {
		return // it would drive out all others
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.kept == nil {
		fs.kept = make(map[string]*kept)
	}
	fs.drop(path)
	fs.clock++
	k.used = fs.clock
	fs.kept[path] = k
	fs.bytes += int(k.size)
	for fs.bytes > maxCached {
		fs.drop(fs.oldest())
	}
}

func (fs *Files) drop(path string) {
	if k := fs.kept[path]; k != nil {
		fs.bytes -= int(k.size)
		delete(fs.kept, path)
	}
}

func (fs *Files) oldest() string {
	var path string
	used := math.MaxInt
	for p, k := range fs.kept {
		if k.used < used {
			path, used = p, k.used
		}
	}
	return path
}
