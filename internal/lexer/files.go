package lexer

import "tidepool/internal/filecache"

// Files keeps files with their tokens for as long as their size and modification time stay. The zero value is empty and
// ready. Safe for concurrent use.
type Files struct{ cache filecache.Cache[*File] }

// A Reading is the files as one piece of work sees them: each is looked at on the disk once. Get one by [Files.Read].
// Safe for concurrent use.
type Reading struct{ *filecache.Reading[*File] }

// Read begins a piece of work.
func (fs *Files) Read() *Reading { return &Reading{fs.cache.Read(Parse)} }
