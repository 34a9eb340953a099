package ref

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"tidepool/internal/wording"
)

// Bounds of a Request.
const (
	MaxContext = 20   // lines around a match
	maxPattern = 1000 // bytes of an expression
)

// A Request names the part of a text. At most one of Lines, Head, Tail and Grep is set; without any it is the beginning.
type Request struct {
	Lines   string // "10-40", "10-" or "10", from 1
	Head    int    // the first lines
	Tail    int    // the last lines
	Grep    string // Go regular expression: lines that it matches
	Context int    // lines around each match, at most MaxContext
}

// A span is lines from 1, first to last.
type span struct{ first, last int }

// parse returns the lines that a request is about, of a text of total lines, or the expression.
func (r Request) parse(total int) (span, *regexp.Regexp, error) {
	given := 0
	for _, is := range [...]bool{r.Lines != "", r.Head != 0, r.Tail != 0, r.Grep != ""} {
		if is {
			given++
		}
	}
	whole := span{1, total}
	switch {
	case given > 1:
		return whole, nil, &RequestError{"lines, head, tail and grep exclude each other", "give one of them"}
	case r.Head < 0 || r.Tail < 0 || r.Context < 0 || r.Context > MaxContext:
		return whole, nil, &RequestError{"a number of lines is out of range", fmt.Sprintf("head and tail are more than 0, context is at most %d", MaxContext)}
	case r.Context > 0 && r.Grep == "":
		return whole, nil, &RequestError{"context without grep", "context is the number of lines around each match of grep"}
	case r.Lines != "":
		lines, err := parseLines(r.Lines)
		return span{lines.first, min(lines.last, total)}, nil, err
	case r.Head > 0:
		return span{1, min(r.Head, total)}, nil, nil
	case r.Tail > 0:
		return span{max(1, total-r.Tail+1), total}, nil, nil
	case r.Grep != "":
		pattern, err := compile(r.Grep)
		return whole, pattern, err
	}
	return whole, nil, nil
}

// parseLines reads "10-40", "10-" and "10".
func parseLines(text string) (span, error) {
	first, last, isRange := strings.Cut(text, "-")
	var s span
	var err error
	if s.first, err = strconv.Atoi(strings.TrimSpace(first)); err == nil {
		switch last = strings.TrimSpace(last); {
		case !isRange:
			s.last = s.first
		case last == "":
			s.last = math.MaxInt
		default:
			s.last, err = strconv.Atoi(last)
		}
	}
	if err != nil || s.first < 1 || s.last < s.first {
		return s, &RequestError{fmt.Sprintf("%q are no lines", wording.Line(wording.Visible(text), 60)), `write "10-40", "10-" or "10"; lines count from 1`}
	}
	return s, nil
}

// compile returns an expression. Its error quotes it within bounds.
func compile(text string) (*regexp.Regexp, error) {
	const advice = "grep takes a Go regular expression (https://pkg.go.dev/regexp/syntax): escape ( [ { . * + ? ^ $ | \\ with \\ to search for them"
	if len(text) > maxPattern {
		return nil, &RequestError{fmt.Sprintf("the expression has %d bytes, at most %d", len(text), maxPattern), "search for a shorter one"}
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil, &RequestError{"grep: " + wording.Line(wording.Visible(err.Error()), 200), advice}
	}
	return pattern, nil
}
