package lexer

import (
	"unsafe"

	"tidepool/internal/filecache"
)

// Files keeps files for as long as their size and modification time stay, some of them with their tokens. The zero value is empty and
// ready. Safe for concurrent use.
type Files struct {
	cache filecache.Cache[*File]
	bound filecache.Bound // of how many have their tokens
}

// A Reading is the files as one piece of work sees them: each is looked at on the disk once. Get one by [Files.Read].
// Safe for concurrent use.
type Reading struct{ *filecache.Reading[*File] }

// Read begins a piece of work.
func (fs *Files) Read() *Reading { return &Reading{fs.cache.Read(fs.parse)} }

func (fs *Files) parse(path string, src []byte) *File {
	text := unsafe.String(unsafe.SliceData(src), len(src)) // nobody else has src, and it is not written to
	return newFile(path, text, &fs.bound)
}
