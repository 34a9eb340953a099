package text

import (
	"os"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Files reads files for one query, each once. Not safe for concurrent use.
type Files struct {
	known *NonASCII
	read  map[string]Text
}

// NewFiles reads nothing yet. known is what earlier queries have found out about files; nil: nothing is known of any, nor kept.
func NewFiles(known *NonASCII) Files { return Files{known: known, read: map[string]Text{}} }

// Of returns the text of path; that of a file that cannot be read is empty, and positions in it are taken
// as if all of it were ASCII.
func (t Files) Of(path string) Text {
	if known, ok := t.read[path]; ok {
		return known
	}
	data, err := os.ReadFile(path)
	read := New(string(data))
	read.missing = err != nil
	t.read[path] = read
	return read
}

// Put has a path stand for a text that need not be that of the disk.
func (t Files) Put(path string, content Text) { t.read[path] = content }

// Location converts a location of the server's. The text of a file is not kept for that: the locations of one query may lie in thousands
// of files.
func (t Files) Location(at protocol.Location) Location {
	path := Path(at.URI)
	if read, ok := t.read[path]; ok {
		return Location{Path: path, Range: read.Span(at.Range)}
	}
	if lines, ok := t.known.linesOf(path); ok {
		return Location{Path: path, Range: lines.span(at.Range)}
	}
	return Location{Path: path, Range: t.Of(path).Span(at.Range)}
}

// Locations converts a list of the server's locations.
func (t Files) Locations(list []protocol.Location) []Location {
	converted := make([]Location, 0, len(list))
	for _, at := range list {
		converted = append(converted, t.Location(at))
	}
	return converted
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
