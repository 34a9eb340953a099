package tail

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// An owner says whether a file belongs to the project, as far as its records tell.
type owner struct {
	ours  bool
	known bool  // a record has told; else the file may tell later
	size  int64 // of the file when it was asked
	why   string
}

// An ownerKey is a file under a name: identities are given to new files soon after old ones are deleted.
type ownerKey struct {
	path string
	identity
}

// ownerOf returns whose a file is: of the project in whose directories its first record with a working directory stands. It is
// asked once, and again while it has not told and grows.
func (f *Finder) ownerOf(t Transcript) owner {
	key := ownerKey{t.Path, t.identity()}
	f.mu.Lock()
	o, ok := f.owners[key]
	f.mu.Unlock()
	if ok && (o.known || o.size == t.Size) {
		return o
	}
	o = owner{size: t.Size}
	file, err := f.Open(t.Path)
	if err != nil {
		if refused, ok := err.(*RefusedError); ok {
			o.why = refused.Why
		}
		return o
	}
	defer file.Close()
	if cwd := firstCwd(file); cwd != "" {
		o.known, o.ours = true, f.Contains(cwd)
	}
	f.mu.Lock()
	f.owners[key] = o
	f.mu.Unlock()
	return o
}

// maxPeek is how many bytes of a file are looked at for a working directory. A record that names one is among the first
// of any session.
const maxPeek = 1 << 20

// firstCwd returns the first working directory that a record names; "" if none does.
func firstCwd(f *File) string {
	for size := int64(16 << 10); ; size *= 8 {
		data := make([]byte, min(size, maxPeek, f.Size))
		n, err := f.file.ReadAt(data, 0)
		if err != nil && err != io.EOF {
			return ""
		}
		for line := range bytes.Lines(data[:n]) {
			if e, ok := f.Source.Decode(bytes.TrimSuffix(line, []byte("\n"))); ok && e.Cwd != "" {
				return e.Cwd
			}
		}
		if size >= maxPeek || size >= f.Size {
			return ""
		}
	}
}

// Contains reports whether a working directory is one of the project's, or below one.
func (f *Finder) Contains(cwd string) bool {
	if !filepath.IsAbs(cwd) {
		return false
	}
	if f.contains(filepath.Clean(cwd)) {
		return true
	}
	resolved, err := filepath.EvalSymlinks(cwd)
	return err == nil && f.contains(resolved)
}

func (f *Finder) contains(cwd string) bool {
	return slices.ContainsFunc(f.dirs, func(dir string) bool {
		return cwd == dir || strings.HasPrefix(cwd, strings.TrimSuffix(dir, "/")+"/")
	})
}
