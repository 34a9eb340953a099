package gosyntax

import (
	"go/build"
	"os"
	"path/filepath"
	"sync"
)

// A Reading is the files as one piece of work sees them: each is looked at on the disk once, however often it is
// opened. A function with 20 callers opens 40 times, and a look costs as much as classifying a reference. Get one by
// [Files.Read]. Safe for concurrent use.
type Reading struct {
	files *Files

	mu     sync.Mutex
	opened map[string]*File
}

// Read begins a piece of work.
func (fs *Files) Read() *Reading {
	return &Reading{files: fs, opened: make(map[string]*File)}
}

// Open returns the file at path, parsed. The error is that of reading it; a syntax error is File.Broken.
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
