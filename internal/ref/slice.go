package ref

import (
	"fmt"
	"iter"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"tidepool/internal/wording"
)

// Bounds of a Slice.
const (
	MaxText  = 8000            // characters of its text
	maxLine  = 2000            // characters of one line
	before   = 200             // characters of a long line in front of a match
	maxTime  = 2 * time.Second // of a search; it ends at the latest one line after
	timeStep = 256             // lines between two looks at the clock
)

// A Slice is a part of a text, as a model reads it.
type Slice struct {
	// Text has a line "12: text" for each line, "13- text" for one around a match, and "--" between groups of these. Colours are left
	// out, other control characters are pictures, invalid UTF-8 is U+FFFD.
	Text        string
	First, Last int // of the lines shown, from 1; 0: none
	Lines       int // of the whole text
	Shown       int // lines
	Matches     int // of Request.Grep, shown or not
	Left        int // lines, or of Grep matches, that the request names and that did not fit
	Clipped     int // lines that are not shown whole
	Unsearched  int // lines at the end that Grep had no time for
}

// Cut returns the part of a text that a request names, at most MaxText characters. The error is a *RequestError.
func Cut(text string, r Request) (Slice, error) {
	c := &cutter{slice: Slice{Lines: Lines(text)}}
	lines, pattern, err := r.parse(c.slice.Lines)
	switch {
	case err != nil:
		return Slice{}, err
	case pattern != nil:
		c.grep(text, pattern, r.Context)
	case r.Tail > 0:
		c.tail(text, lines)
	default:
		c.lines(text, lines)
	}
	c.slice.Text = c.text.String()
	return c.slice, nil
}

// Lines returns how many lines a text has; the last one needs no line feed.
func Lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// each returns the lines of a text with their numbers. It holds no list of them: a text may be ten million line feeds.
func each(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if !yield(number, strings.TrimRight(line, "\r\n")) {
				return
			}
		}
	}
}

// A cutter writes a Slice.
type cutter struct {
	slice Slice
	text  strings.Builder
	size  int  // characters of text
	full  bool // a line did not fit: none is added any more
}

// add adds a line, unless the slice is full. at is where in the line the reader looks.
func (c *cutter) add(number int, mark, line string, at int) bool {
	shown, clipped := clip(line, at)
	written := fmt.Sprintf("%d%s %s\n", number, mark, shown)
	if c.slice.Last > 0 && number > c.slice.Last+1 {
		written = "--\n" + written
	}
	if c.full = c.full || c.size+utf8.RuneCountInString(written) > MaxText; c.full {
		return false
	}
	c.text.WriteString(written)
	c.size += utf8.RuneCountInString(written)
	c.slice.Shown++
	c.slice.Last = number
	if c.slice.First == 0 {
		c.slice.First = number
	}
	if clipped {
		c.slice.Clipped++
	}
	return true
}

func (c *cutter) lines(text string, want span) {
	for number, line := range each(text) {
		if number < want.first {
			continue
		}
		if number > want.last || !c.add(number, ":", plain(line), 0) {
			break
		}
	}
	c.slice.Left = max(0, want.last-want.first+1) - c.slice.Shown
}

// tail adds the last lines: of those that are wanted the last that fit.
func (c *cutter) tail(text string, want span) {
	begin, first, size := len(text), c.slice.Lines+1, 0
	for first > want.first {
		at := strings.LastIndexByte(strings.TrimSuffix(text[:begin], "\n"), '\n') + 1
		shown, _ := clip(plain(strings.TrimRight(text[at:begin], "\r\n")), 0)
		size += utf8.RuneCountInString(fmt.Sprintf("%d: %s\n", first-1, shown))
		if size > MaxText {
			break
		}
		begin, first = at, first-1
	}
	number := first
	for _, line := range each(text[begin:]) {
		c.add(number, ":", plain(line), 0)
		number++
	}
	c.slice.Left = first - want.first
}

// grep adds the lines that match, with context lines around each.
func (c *cutter) grep(text string, pattern *regexp.Regexp, context int) {
	var recent []numbered // the lines before, at most context, that were not added
	after := 0            // lines behind the last match that are still to be added
	end := time.Now().Add(maxTime)
	for number, line := range each(text) {
		if number%timeStep == 0 && time.Now().After(end) || c.late(end, line) {
			c.slice.Unsearched = c.slice.Lines - number + 1
			return
		}
		line = plain(line)
		if at := pattern.FindStringIndex(line); at != nil {
			c.slice.Matches++
			for _, r := range recent {
				c.add(r.number, "-", r.line, 0)
			}
			if !c.add(number, ":", line, at[0]) {
				c.slice.Left++
			}
			recent, after = recent[:0], context
			continue
		}
		if after > 0 {
			after--
			c.add(number, "-", line, 0)
		} else if context > 0 {
			recent = append(recent, numbered{number, line})
			recent = recent[max(0, len(recent)-context):]
		}
	}
}

// late reports whether there is no time left before a line that takes long.
func (c *cutter) late(end time.Time, line string) bool {
	return len(line) > 1<<16 && time.Now().After(end)
}

// A numbered line waits until it is known whether it stands before a match.
type numbered struct {
	number int
	line   string
}

// clip returns at most maxLine characters of a line, around an offset, and whether that is not all.
func clip(line string, at int) (string, bool) {
	if len(line) <= maxLine || utf8.RuneCountInString(line) <= maxLine {
		return visible(line), false
	}
	start := 0
	if at > maxLine-before {
		start = at - before
		for start > 0 && !utf8.RuneStart(line[start]) {
			start--
		}
	}
	end := start
	for range maxLine {
		if end == len(line) {
			break
		}
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	shown := visible(line[start:end])
	if start > 0 {
		shown = fmt.Sprintf("[%s before] ", wording.Count(utf8.RuneCountInString(line[:start]), "character")) + shown
	}
	if end < len(line) {
		shown += fmt.Sprintf(" [%s more]", wording.Count(utf8.RuneCountInString(line[end:]), "character"))
	}
	return shown, true
}

// visible is wording.Visible, except that tabs stay: they are part of source code.
func visible(line string) string {
	cells := strings.Split(line, "\t")
	for i := range cells {
		cells[i] = wording.Visible(cells[i])
	}
	return strings.Join(cells, "\t")
}

// plain returns a line without the sequences that switch colours (ECMA-48, SGR): they stand within words.
func plain(line string) string {
	at := strings.Index(line, "\x1b[")
	if at < 0 {
		return line
	}
	var b strings.Builder
	for ; at >= 0; at = strings.Index(line, "\x1b[") {
		end := at + 2
		for end < len(line) && strings.IndexByte("0123456789;:", line[end]) >= 0 {
			end++
		}
		b.WriteString(line[:at])
		if end < len(line) && line[end] == 'm' {
			end++
		} else {
			b.WriteString(line[at:end])
		}
		line = line[end:]
	}
	b.WriteString(line)
	return b.String()
}
