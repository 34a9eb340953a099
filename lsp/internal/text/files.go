package text

import (
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Files reads files for one query, each once. Not safe for concurrent use.
type Files struct {
	ascii *ASCII
	read  map[string]Text
}

// NewFiles reads nothing yet. known is what earlier queries have found to be ASCII; nil: nothing
// is known of any file, nor kept.
func NewFiles(known *ASCII) Files { return Files{ascii: known, read: map[string]Text{}} }

// Of returns the text of path; that of a file that cannot be read is empty, and positions in it are taken
// as if all of it were ASCII.
func (t Files) Of(path string) Text {
	if known, ok := t.read[path]; ok {
		return known
	}
	data, err := os.ReadFile(path)
	if err == nil && isASCII(data) {
		t.ascii.add(path)
	}
	return t.keep(path, data, err)
}

// keep has a path stand for what was read of it.
func (t Files) keep(path string, data []byte, err error) Text {
	read := New(string(data))
	read.missing = err != nil
	t.read[path] = read
	return read
}

// Put has a path stand for a text that need not be that of the disk.
func (t Files) Put(path string, content Text) { t.read[path] = content }

// Location converts a location of the server's. Files known to be ASCII need not be read for that.
func (t Files) Location(at protocol.Location) Location {
	path := Path(at.URI)
	if t.ascii.has(path) || t.isASCII(path) {
		return Location{Path: path, Range: Text{missing: true}.Span(at.Range)}
	}
	return Location{Path: path, Range: t.Of(path).Span(at.Range)}
}

// isASCII reads a file that was not read yet, and reports whether it is now known to be ASCII, and its text not kept: the locations of one
// query may lie in thousands of files.
func (t Files) isASCII(path string) bool {
	if _, known := t.read[path]; known || t.ascii == nil {
		return false
	}
	data, err := os.ReadFile(path)
	if err != nil || !isASCII(data) {
		t.keep(path, data, err)
		return false
	}
	t.ascii.add(path)
	return true
}

// Locations converts a list of the server's locations.
func (t Files) Locations(list []protocol.Location) []Location {
	converted := make([]Location, 0, len(list))
	for _, at := range list {
		converted = append(converted, t.Location(at))
	}
	return converted
}

// An ASCII is the set of files that are known to hold nothing but ASCII, where UTF-16 units are bytes. Most source files
// do, and reading 60 files to convert 60 references takes as long as gopls takes to find them. The zero value is an empty
// set. Safe for concurrent use.
type ASCII struct {
	mu    sync.Mutex
	paths map[string]bool
}

func (p *ASCII) has(path string) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paths[path]
}

func (p *ASCII) add(path string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paths == nil {
		p.paths = map[string]bool{}
	}
	p.paths[path] = true
}

// Forget takes a file out that has changed.
func (p *ASCII) Forget(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.paths, path)
}

func isASCII(data []byte) bool {
	return !slices.ContainsFunc(data, func(b byte) bool { return b >= utf8.RuneSelf })
}

// URI returns how the protocol names a file.
func URI(path string) uri.URI { return uri.File(path) }

// Path returns the file that a URI names; "" for one that is not a file.
func Path(u uri.URI) string {
	if !strings.HasPrefix(string(u), "file:///") && !u.IsFile() { // the first costs nothing
		return ""
	}
	return u.FsPath()
}
