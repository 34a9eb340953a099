package preview

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMisses bounds the lines that are tried when none fits any more.
const maxMisses = 50

// A selection gathers lines until there is no room.
type selection struct {
	out    *output
	room   int   // characters
	widest int   // the characters of a line that are shown
	used   int   // characters and line ends, at most
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

// take adds a line if there is room for it and for the marks that it needs.
func (s *selection) take(p pick) bool {
	list, marked := &s.body, true
	if p.rank == verdict {
		list, marked = &s.head, false
	}
	at, found := slices.BinarySearch(*list, p.line)
	if found {
		return true
	}
	cost := utf8.RuneCountInString(s.shown(p.line)) + 1
	if marked {
		cost -= s.markCost(at)
	}
	*list = slices.Insert(*list, at, p.line)
	if marked {
		cost += s.markCost(at) + s.markCost(at+1)
	}
	if s.used+cost > s.room+1 { // the last line has no end
		*list = slices.Delete(*list, at, at+1)
		return false
	}
	s.used += cost
	return true
}

// markCost returns the characters of the mark above the i-th line of the body, 0 if it needs none or there is no such line.
func (s *selection) markCost(i int) int {
	if i >= len(s.body) || !s.gap(i) {
		return 0
	}
	return len(s.mark(s.body[i])) + 1
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// maxBlank bounds the lines without words that may be left out without a mark.
const maxBlank = 8

// gap reports whether lines with words are left out above the i-th line of the body.
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
		if _, shown := slices.BinarySearch(s.head, next); !shown && strings.IndexFunc(s.shown(next), isLetterOrDigit) >= 0 {
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

// shown returns what is shown of a line: its beginning. A rule on both sides of a title is left out.
func (s *selection) shown(line int) string { return cut(unruled(s.out.line(line)), s.widest) }

// unruled returns the title in "===== title =====", other lines as they are.
func unruled(line string) string {
	for _, rule := range []string{"=====", "_____", "-----", "⎯⎯⎯⎯⎯"} {
		if !strings.HasPrefix(line, rule) || !strings.HasSuffix(line, rule) {
			continue
		}
		if title := strings.Trim(line, rule[:utf8.RuneLen([]rune(rule)[0])]+" "); title != "" {
			return title
		}
	}
	return line
}

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
