package fulltext

import (
	"slices"
	"unicode/utf8"

	"tidepool/internal/wording"
)

// A mark is where a term stands in a text.
type mark struct {
	start, end int // bytes
	term       int // its index in the terms
}

// Marks returns the bytes of a text at which terms stand, in order and without overlaps: pairs of start and end. Terms are those of a
// [Result], or of [Words].
func Marks(text string, terms []string) [][2]int {
	var spans [][2]int
	for _, m := range marksOf(text, terms) {
		if n := len(spans); n > 0 && m.start < spans[n-1][1] {
			spans[n-1][1] = max(spans[n-1][1], m.end)
			continue
		}
		spans = append(spans, [2]int{m.start, m.end})
	}
	return spans
}

func marksOf(text string, terms []string) []mark {
	index := map[string]int{}
	var first [256]bool
	for i, term := range terms {
		if _, ok := index[term]; !ok && term != "" {
			index[term] = i
			first[term[0]] = true
		}
	}
	var marks []mark
	if len(index) == 0 {
		return nil
	}
	c := cutter{only: func(b byte) bool { return first[b] }}
	c.cut(text, func(t token) {
		if i, ok := index[string(t.term)]; ok {
			marks = append(marks, mark{t.start, t.end, i})
		}
	})
	slices.SortStableFunc(marks, func(a, b mark) int { return a.start - b.start })
	return marks
}

// Snippet returns a piece of a text on one line, of at most most characters: the one with the most of the terms, of which earlier ones
// count more, as in [Result]. An ellipsis stands where text was cut off. any reports whether the text has a term; without one the piece
// is its beginning.
func Snippet(text string, terms []string, most int) (piece string, any bool) {
	text = wording.OneLine(text)
	marks := marksOf(text, terms)
	if any = len(marks) > 0; most <= 0 {
		return "", any
	}
	if utf8.RuneCountInString(text) <= most {
		return text, any
	}
	const ellipses = 2
	start, end, ok := window(text, marks, len(terms), most-ellipses)
	if !ok {
		return wording.Clip(text, most), any
	}
	start, end = widen(text, start, end, most-ellipses)
	piece = text[start:end]
	if start > 0 {
		piece = "…" + piece
	}
	if end < len(text) {
		piece += "…"
	}
	return piece, any
}

// window returns the bytes of the best stretch from one mark to another of at most most characters, the first of several; false if
// there is none.
func window(text string, marks []mark, terms, most int) (start, end int, ok bool) {
	marks = slices.DeleteFunc(marks, func(m mark) bool { return utf8.RuneCountInString(text[m.start:m.end]) > most })
	const again = 0.01 // what a term counts that the stretch has already
	counts := make([]int, terms)
	weight := func(term int) float64 { return 2 - float64(term)/float64(terms) }
	best, value, from, length, last := 0.0, 0.0, 0, 0, 0
	for _, m := range marks {
		if last > 0 && m.end > last {
			length += utf8.RuneCountInString(text[last:m.end])
		} else if last == 0 {
			length = utf8.RuneCountInString(text[m.start:m.end])
		}
		last = max(last, m.end)
		if value += again; counts[m.term] == 0 {
			value += weight(m.term)
		}
		counts[m.term]++
		for length > most {
			left := marks[from]
			from++
			length -= utf8.RuneCountInString(text[left.start:marks[from].start])
			value -= again
			if counts[left.term]--; counts[left.term] == 0 {
				value -= weight(left.term)
			}
		}
		if value > best+again/2 {
			best, start, end, ok = value, marks[from].start, last, true
		}
	}
	return start, end, ok
}

// widen adds whole words before and behind a stretch, a third of them before, to at most most characters.
func widen(text string, start, end, most int) (int, int) {
	room := most - utf8.RuneCountInString(text[start:end])
	left := back(text, start, room/3)
	right := forth(text, end, room-utf8.RuneCountInString(text[left:start]))
	left = back(text, left, most-utf8.RuneCountInString(text[left:right]))
	return left, right
}

// back returns the start of a word at most n characters before an offset, or the offset.
func back(text string, from, n int) int {
	i, found := from, from
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
		if i == 0 || text[i-1] == ' ' {
			found = i
		}
	}
	return found
}

// forth returns the end of a word at most n characters behind an offset, or the offset.
func forth(text string, from, n int) int {
	i, found := from, from
	for ; n > 0 && i < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if i == len(text) || text[i] == ' ' {
			found = i
		}
	}
	return found
}
