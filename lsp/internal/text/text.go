package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// A Text is a file's content and where its lines start. It converts positions: on the wire they count lines from 0 and
// UTF-16 code units, a Position counts both from 1 and bytes. The conversion needs the text of the line.
type Text struct {
	Content string
	starts  []int
	missing bool // the file cannot be read: positions are taken as if all of it were ASCII
}

// New finds where the lines of a text start.
func New(content string) Text {
	starts := make([]int, 1, 1+len(content)/32)
	for at := 0; ; {
		next := strings.IndexByte(content[at:], '\n')
		if next < 0 {
			return Text{Content: content, starts: starts}
		}
		at += next + 1
		starts = append(starts, at)
	}
}

// IsOf reports whether a text was made of this content. The zero text is of none.
func (t Text) IsOf(content string) bool { return t.starts != nil && t.Content == content }

// Line returns a line, counted from 0, without its end; "" if there is none.
func (t Text) Line(n int) string {
	if n < 0 || n >= len(t.starts) {
		return ""
	}
	end := len(t.Content)
	if n+1 < len(t.starts) {
		end = t.starts[n+1] - 1
	}
	return strings.TrimSuffix(t.Content[t.starts[n]:end], "\r")
}

// At returns the position of a byte.
func (t Text) At(offset int) Position {
	line, found := slices.BinarySearch(t.starts, offset)
	if !found {
		line--
	}
	return Position{Line: line + 1, Column: offset - t.starts[line] + 1}
}

// Offset returns where a position is, in bytes; one beyond the end of the text is that end.
func (t Text) Offset(p Position) int {
	if p.Line > len(t.starts) {
		return len(t.Content)
	}
	return min(t.starts[max(p.Line-1, 0)]+max(p.Column-1, 0), len(t.Content))
}

// Wire converts a position of ours. One beyond the end of its line becomes the end of the line.
func (t Text) Wire(p Position) protocol.Position {
	line, column := max(p.Line-1, 0), max(p.Column-1, 0)
	if !t.missing {
		column = UnitsBefore(t.Line(line), column)
	}
	return protocol.Position{Line: uint32(line), Character: uint32(column)}
}

// Position converts a position of the server's.
func (t Text) Position(p protocol.Position) Position {
	column := int(p.Character)
	if !t.missing {
		column = BytesBefore(t.Line(int(p.Line)), column)
	}
	return Position{Line: int(p.Line) + 1, Column: column + 1}
}

// Span converts a range of the server's.
func (t Text) Span(r protocol.Range) Range {
	return Range{Start: t.Position(r.Start), End: t.Position(r.End)}
}

// UnitsBefore counts the UTF-16 code units of the first n bytes of line.
func UnitsBefore(line string, n int) int {
	units := 0
	for at, char := range line {
		if at >= n {
			break
		}
		units += unitsOf(char)
	}
	return units
}

// BytesBefore counts the bytes of the first n UTF-16 code units of line.
func BytesBefore(line string, n int) int {
	units := 0
	for at, char := range line {
		if units >= n {
			return at
		}
		units += unitsOf(char)
	}
	return len(line)
}

// unitsOf returns how many UTF-16 code units encode char. A byte that is not UTF-8 counts as one, which is what
// servers make of it that replace it by U+FFFD.
func unitsOf(char rune) int {
	if char > 0xFFFF && char <= utf8.MaxRune {
		return 2
	}
	return 1
}
