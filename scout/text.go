package scout

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text renders an answer for a model: the summary, then one line per pointer in
// the manner of a compiler, those of one file together, the file of the best
// pointer first, then the counts of what was left out.
func (a *Answer) Text() string {
	var b strings.Builder
	b.WriteString(printable(a.Summary))
	b.WriteString("\n\n")
	var files []string
	byFile := make(map[string][]Pointer)
	for _, p := range a.Pointers {
		if byFile[p.path()] == nil {
			files = append(files, p.path())
		}
		byFile[p.path()] = append(byFile[p.path()], p)
	}
	for _, file := range files {
		for _, p := range byFile[file] {
			b.WriteString(printable(p.line()))
			b.WriteByte('\n')
		}
	}
	fmt.Fprintf(&b, "\nscorer %s, %d of at most %d places", a.Scorer, a.NodesVisited, a.Understood.Budget)
	for _, left := range []struct {
		n    int
		what string
	}{
		{a.LeftOut.Open, "open"}, {a.LeftOut.Cut, "cut"},
		{a.LeftOut.Irrelevant, "irrelevant"}, {a.Unscored.Count, "not scored"},
	} {
		if left.n > 0 {
			fmt.Fprintf(&b, ", %d %s", left.n, left.what)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// printable keeps a text on one line of valid UTF-8, whatever a path or a piece
// of source holds.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// path is the file of the pointer's location.
func (p Pointer) path() string {
	if i := strings.LastIndexByte(p.Location, ':'); i >= 0 {
		return p.Location[:i]
	}
	return p.Location
}

// line is "path:line: what  [role risk 4 relevance 5] action".
func (p Pointer) line() string {
	judged := fmt.Sprintf("risk %d relevance %d", p.Risk, p.Relevance)
	if p.Relevance == 0 {
		judged = "not scored"
	}
	if p.Certain {
		judged += " certain"
	}
	line := fmt.Sprintf("%s: %s  [%s %s] %s", p.Location, p.What, p.Role, judged, p.Action)
	return strings.TrimRight(line, " ")
}
