package lexer

import "sync"

// A Reading is the files as one piece of work sees them: each is looked at on the disk once, however often it is
// opened. Get one by [Files.Read]. Safe for concurrent use.
type Reading struct {
	files *Files

	mu     sync.Mutex
	opened map[string]*File
}

// Read begins a piece of work.
func (fs *Files) Read() *Reading {
	return &Reading{files: fs, opened: make(map[string]*File)}
}

// Open returns the file at path. The error is that of reading it.
func (r *Reading) Open(path string) (*File, error) {
	r.mu.Lock()
	f := r.opened[path]
	r.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := r.files.Open(path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opened[path] = f
	return f, nil
}
