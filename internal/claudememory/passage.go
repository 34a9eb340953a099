package claudememory

import (
	"strings"

	"tidepool/internal/wording"
)

// Limits of a passage.
const (
	maxLines    = 24
	maxPassage  = 1500 // bytes, but for a single line
	maxHeading  = 120  // bytes
	maxPassages = 20_000
)

// A Passage is a part of a file: what stands below a heading, or some paragraphs of it.
type Passage struct {
	Path        string
	Kind        Kind
	Heading     string // that it stands below; "": none
	First, Last int    // lines, from 1
	Text        string
}

// passages cuts a file into passages. A heading begins one, and so does a line with which the one before would be too long, or an empty
// line in the second half of it. A heading alone is none.
func passages(f File) []Passage {
	c := cutter{next: Passage{Path: f.Path, Kind: f.Kind}}
	for i, line := range strings.Split(strings.TrimSuffix(strings.ReplaceAll(f.Text, "\r\n", "\n"), "\n"), "\n") {
		c.line(i+1, line)
	}
	c.end()
	return c.all
}

// A cutter cuts the lines of a file.
type cutter struct {
	all    []Passage
	next   Passage
	lines  []string
	bytes  int
	fenced bool // within a block of code, where # begins no heading
	bare   bool // there is nothing but a heading yet
}

func (c *cutter) line(number int, line string) {
	if strings.HasPrefix(strings.TrimSpace(line), "```") {
		c.fenced = !c.fenced
	}
	heading := !c.fenced && isHeading(line)
	empty := strings.TrimSpace(line) == ""
	if heading || len(c.lines) >= maxLines || c.bytes+len(line) > maxPassage || empty && len(c.lines) >= maxLines/2 {
		c.end()
	}
	if len(c.lines) == 0 {
		c.next.First, c.bare = number, true
	}
	if heading {
		c.next.Heading = wording.ClipBytes(strings.TrimSpace(strings.TrimLeft(line, "#")), maxHeading)
	}
	c.bare = c.bare && (heading || empty)
	c.lines = append(c.lines, line)
	c.bytes += len(line) + 1
}

// end ends the passage that has been read.
func (c *cutter) end() {
	if len(c.lines) > 0 && !c.bare {
		done := c.next
		done.Text, done.Last = strings.Join(c.lines, "\n"), done.First+len(c.lines)-1
		c.all = append(c.all, done)
	}
	c.lines, c.bytes = nil, 0
}

// isHeading reports whether a line is a heading of Markdown.
func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return len(rest) < len(line) && len(line)-len(rest) <= 6 && strings.HasPrefix(rest, " ")
}
