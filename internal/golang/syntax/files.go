package syntax

import (
	"go/build"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"unsafe"

	"tidepool/internal/filecache"
)

// Files keeps parsed files for as long as their size and modification time stay. The zero value is empty and ready.
// Safe for concurrent use.
type Files struct {
	cache filecache.Cache[*File]
	next  atomic.Int64 // positions that were given to files
	trees filecache.Bound
}

// A Reading is the files as one piece of work sees them: each is looked at on the disk once. Get one by [Files.Read].
// Safe for concurrent use. Open returns the file at a path, parsed; its error is that of reading it, a syntax error is
// [File.Broken].
type Reading struct{ *filecache.Reading[*File] }

// Keep bounds the text of the files that are kept, in bytes, and has all of their trees kept, too, so that [File.Syntax] always
// returns the same one. It must come before the first Read.
func (fs *Files) Keep(bytes int) { fs.cache.Limit, fs.trees.Limit = bytes, math.MaxInt }

// Read begins a piece of work.
func (fs *Files) Read() *Reading { return &Reading{fs.cache.Read(fs.parse)} }

func (fs *Files) parse(path string, src []byte) *File {
	size := int64(len(src)) + 2                            // the end of a file is a position, and so is the gap before it
	text := unsafe.String(unsafe.SliceData(src), len(src)) // nobody else has src, and it is not written to
	f := newFile(int(fs.next.Add(size)-size)+2, path, text)
	if fs.trees.Limit < math.MaxInt {
		f.bound = &fs.trees
	}
	return f
}

// Package returns the files of the package that path belongs to, as far as the system we run on builds them and they
// can be read; those for tests only if path is one.
func (r *Reading) Package(path string) []*File {
	of, err := r.Open(path)
	if err != nil {
		return nil
	}
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []*File{of}
	}
	var all []*File
	for _, entry := range entries {
		name := entry.Name()
		if match, err := build.Default.MatchFile(dir, name); err != nil || !match || filepath.Ext(name) != ".go" {
			continue
		}
		f, err := r.Open(filepath.Join(dir, name))
		if err == nil && f.Package == of.Package && (of.Test() || !f.Test()) {
			all = append(all, f)
		}
	}
	return all
}
