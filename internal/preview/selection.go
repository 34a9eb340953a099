package preview

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxMisses bounds the lines that are tried when none fits any more.
const maxMisses = 50

// A selection gathers lines until there is no room.
type selection struct {
	out    *output
	room   int   // characters
	widest int   // the characters of a line that are shown
	head   []int // verdicts, in the order of the output
	body   []int // other lines, in that order
}

// fill takes lines in the order in which they are wanted. Lines without text and lines that are the same as one that was taken are
// left out.
func (s *selection) fill(picks []pick) {
	taken := make(map[string]bool)
	misses := 0
	for _, p := range picks {
		text := strings.TrimSpace(s.shown(p.line))
		if text == "" || taken[text] {
			continue
		}
		if !s.take(p) {
			if misses++; misses == maxMisses {
				return
			}
			continue
		}
		taken[text] = true
	}
}

// take adds a line if there is room.
func (s *selection) take(p pick) bool {
	list := &s.body
	if p.rank == verdict {
		list = &s.head
	}
	at, found := slices.BinarySearch(*list, p.line)
	if found {
		return true
	}
	*list = slices.Insert(*list, at, p.line)
	if s.length() <= s.room {
		return true
	}
	*list = slices.Delete(*list, at, at+1)
	return false
}

// length returns the characters of the text, with a line end after each line but the last one.
func (s *selection) length() int {
	n := -1
	for _, line := range s.head {
		n += utf8.RuneCountInString(s.shown(line)) + 1
	}
	for i, line := range s.body {
		n += utf8.RuneCountInString(s.shown(line)) + 1
		if s.gap(i) {
			n += len(s.mark(line)) + 1
		}
	}
	return n
}

// maxBlank bounds the empty lines that may be left out without a mark.
const maxBlank = 8

// gap reports whether lines with text are left out above the i-th line of the body.
func (s *selection) gap(i int) bool {
	line := s.body[i]
	next := s.first(line)
	if i > 0 {
		next = max(next, s.body[i-1]+1)
	}
	if line-next > maxBlank {
		return true
	}
	for ; next < line; next++ {
		if _, shown := slices.BinarySearch(s.head, next); !shown && strings.TrimSpace(s.shown(next)) != "" {
			return true
		}
	}
	return false
}

// mark returns what stands above a line if lines are left out there: the line's number in its stream, counted from 1.
func (s *selection) mark(line int) string {
	return "[line " + strconv.Itoa(line-s.first(line)+1) + "]"
}

// first returns the first line of the stream that has a line.
func (s *selection) first(line int) int {
	if line < s.out.border {
		return 0
	}
	return s.out.border
}

// shown returns what is shown of a line: its beginning.
func (s *selection) shown(line int) string { return cut(s.out.line(line), s.widest) }

// cut returns a text of at most so many characters. The last one is an ellipsis if something was cut.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := 0 // behind the character before the last one
	for at := range text {
		switch most--; most {
		case 0:
			end = at
		case -1:
			return text[:end] + "…"
		}
	}
	return text
}

// preview returns the lines that were taken.
func (s *selection) preview(name string) Preview {
	p := Preview{Format: name, Lines: s.out.lines(), Shown: len(s.head) + len(s.body)}
	p.Stdout, p.Stderr = s.text(0, s.out.border), s.text(s.out.border, s.out.lines())
	if len(s.head) > 0 && s.head[0] >= s.out.border {
		p.Text = join(p.Stderr, p.Stdout)
	} else {
		p.Text = join(p.Stdout, p.Stderr)
	}
	return p
}

// text returns what is shown of the lines from the first one up to before end.
func (s *selection) text(first, end int) string {
	var lines []string
	for _, line := range s.head {
		if first <= line && line < end {
			lines = append(lines, s.shown(line))
		}
	}
	for i, line := range s.body {
		if line < first || line >= end {
			continue
		}
		if s.gap(i) {
			lines = append(lines, s.mark(line))
		}
		lines = append(lines, s.shown(line))
	}
	return strings.Join(lines, "\n")
}
