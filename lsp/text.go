package lsp

import (
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/disk"
)

// On the wire a position counts lines from 0 and UTF-16 code units; a Position counts from 1 and bytes. The
// conversion needs the text of the line, and this file is the only place that makes it.

// texts reads files for one query, each once. Not safe for concurrent use.
type texts struct {
	plain *plain
	read  map[string]text
}

func newTexts(known *plain) texts { return texts{plain: known, read: map[string]text{}} }

// of returns the text of path; that of a file that cannot be read is empty, and positions in it are taken
// as if all of it were ASCII.
func (t texts) of(path string) text {
	if known, ok := t.read[path]; ok {
		return known
	}
	data, err := os.ReadFile(path)
	read := newText(string(data))
	read.missing = err != nil
	t.read[path] = read
	if err == nil && isASCII(data) {
		t.plain.add(path)
	}
	return read
}

// put has a path stand for a text that is not that of the disk.
func (t texts) put(path, content string) { t.read[path] = newText(content) }

// location converts a location of the server's. Files known to be ASCII need not be read for that.
func (t texts) location(at protocol.Location) Location {
	path := pathOf(at.URI)
	if t.plain.has(path) {
		return Location{Path: path, Range: text{missing: true}.span(at.Range)}
	}
	return Location{Path: path, Range: t.of(path).span(at.Range)}
}

func (t texts) locations(list []protocol.Location) []Location {
	converted := make([]Location, 0, len(list))
	for _, at := range list {
		converted = append(converted, t.location(at))
	}
	return converted
}

// plain are the files that hold nothing but ASCII, where UTF-16 units are bytes. Most source files do, and
// reading 60 files to convert 60 references takes as long as gopls takes to find them.
type plain struct {
	mu    sync.Mutex
	paths map[string]bool
}

func (p *plain) has(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paths[path]
}

func (p *plain) add(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paths == nil {
		p.paths = map[string]bool{}
	}
	p.paths[path] = true
}

// forget takes changed files out.
func (p *plain) forget(changes []disk.Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range changes {
		delete(p.paths, c.Path)
	}
}

func isASCII(data []byte) bool {
	return !slices.ContainsFunc(data, func(b byte) bool { return b >= utf8.RuneSelf })
}

// text is a file's content and where its lines start.
type text struct {
	content string
	starts  []int
	missing bool
}

func newText(content string) text {
	starts := make([]int, 1, 1+len(content)/32)
	for at := 0; ; {
		next := strings.IndexByte(content[at:], '\n')
		if next < 0 {
			return text{content: content, starts: starts}
		}
		at += next + 1
		starts = append(starts, at)
	}
}

// line returns a line, counted from 0, without its end; "" if there is none.
func (t text) line(n int) string {
	if n < 0 || n >= len(t.starts) {
		return ""
	}
	end := len(t.content)
	if n+1 < len(t.starts) {
		end = t.starts[n+1] - 1
	}
	return strings.TrimSuffix(t.content[t.starts[n]:end], "\r")
}

// at is the position of a byte.
func (t text) at(offset int) Position {
	line, found := slices.BinarySearch(t.starts, offset)
	if !found {
		line--
	}
	return Position{Line: line + 1, Column: offset - t.starts[line] + 1}
}

// wire converts a position of ours. One beyond the end of its line becomes the end of the line.
func (t text) wire(p Position) protocol.Position {
	line, column := max(p.Line-1, 0), max(p.Column-1, 0)
	if !t.missing {
		column = unitsBefore(t.line(line), column)
	}
	return protocol.Position{Line: uint32(line), Character: uint32(column)}
}

// position converts a position of the server's.
func (t text) position(p protocol.Position) Position {
	column := int(p.Character)
	if !t.missing {
		column = bytesBefore(t.line(int(p.Line)), column)
	}
	return Position{Line: int(p.Line) + 1, Column: column + 1}
}

func (t text) span(r protocol.Range) Range {
	return Range{Start: t.position(r.Start), End: t.position(r.End)}
}

// unitsBefore counts the UTF-16 code units of the first n bytes of line.
func unitsBefore(line string, n int) int {
	units := 0
	for at, char := range line {
		if at >= n {
			break
		}
		units += unitsOf(char)
	}
	return units
}

// bytesBefore counts the bytes of the first n UTF-16 code units of line.
func bytesBefore(line string, n int) int {
	units := 0
	for at, char := range line {
		if units >= n {
			return at
		}
		units += unitsOf(char)
	}
	return len(line)
}

// unitsOf is how many UTF-16 code units encode char. A byte that is not UTF-8 counts as one, which is what
// servers make of it that replace it by U+FFFD.
func unitsOf(char rune) int {
	if char > 0xFFFF && char <= utf8.MaxRune {
		return 2
	}
	return 1
}

func wireURI(path string) uri.URI { return uri.File(path) }

// pathOf is the file that a URI names; "" for one that is not a file.
func pathOf(u uri.URI) string {
	if !strings.HasPrefix(string(u), "file:///") && !u.IsFile() { // the first costs nothing
		return ""
	}
	return u.FsPath()
}
