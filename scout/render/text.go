// Package render writes an answer of scout as text, for a model and for people.
package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/wording"
	"tidepool/scout"
)

// Limits of a text's lists; beyond them it becomes shorter.
const (
	maxNumbers = 10 // lines of one declaration
	maxRows    = 40 // declarations: with more, those of a file are not named one by one
)

// Text renders an answer for a model: the summary; then, of what is certain and
// of what is not, what to do and below it the places, those of one file together
// and those of one declaration on one line; then who judged.
func Text(a *scout.Answer) string {
	var b strings.Builder
	writeLine(&b, a.Summary)
	certain, others := a.Touched()
	writePlaces(&b, a, "", certain)
	title := ""
	if len(certain) > 0 {
		title = "besides, "
	}
	writePlaces(&b, a, title, others)
	writeReasons(&b, a.Pointers)
	if text := closing(a, len(others)); text != "" {
		writeLine(&b, text)
	}
	return b.String()
}

func writePlaces(b *strings.Builder, a *scout.Answer, title string, places []scout.Pointer) {
	if len(places) == 0 {
		return
	}
	b.WriteByte('\n')
	written, groups := grouped(places)
	writeRows(b, a, title, written)
	for _, g := range groups {
		writeLine(b, title+g.String())
	}
}

// writeRows writes places one by one, below what to do there.
func writeRows(b *strings.Builder, a *scout.Answer, title string, places []scout.Pointer) {
	if len(places) == 0 {
		return
	}
	rows := rowsOf(places, notesOf(a, places))
	if len(rows) > maxRows {
		rows = perFile(rows)
	}
	var l legend
	if !a.Understood.Change.Open() {
		l = legendOf(rows)
		writeLine(b, title+l.String()+":")
	}
	builds := buildsOf(places)
	for _, d := range directoriesOf(filesOf(rows)) {
		d.write(b, l, builds)
	}
}

// closing returns who judged, if the judgement may have left places out, and what
// was found besides.
func closing(a *scout.Answer, others int) string {
	var parts []string
	if a.Ordered() || others > 0 && a.ModelCalls > 0 {
		parts = append(parts, a.Scorer)
	}
	if a.ModelCalls > 0 {
		parts = append(parts, wording.Count(a.ModelCalls, "model call"))
	}
	if n := a.LeftOut.Irrelevant + a.LeftOut.Context; n > 0 {
		parts = append(parts, wording.Count(n, "other place")+" unaffected")
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// A row is the places of one declaration.
type row struct {
	file, in string
	places   []noted // by line, none twice
}

// A noted place has what is to be said of it.
type noted struct {
	line int
	note string
}

// rowsOf joins places into rows, those of one file together and by line, the file
// of the first place first.
func rowsOf(places []scout.Pointer, note func(scout.Pointer) string) []row {
	var rows []row
	files, known := make(map[string]int), make(map[[2]string]int)
	for _, p := range places {
		path, line := p.Place()
		in := p.In
		if breaksTest(p) {
			in = ""
		}
		if _, ok := files[path]; !ok {
			files[path] = len(files)
		}
		key := [2]string{path, in}
		if _, ok := known[key]; !ok {
			known[key] = len(rows)
			rows = append(rows, row{file: path, in: in})
		}
		r := &rows[known[key]]
		r.places = append(r.places, noted{line, note(p)})
	}
	for i := range rows {
		places := rows[i].places
		slices.SortStableFunc(places, func(a, b noted) int { return a.line - b.line })
		rows[i].places = slices.CompactFunc(places, func(a, b noted) bool { return a.line == b.line })
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(files[a.file]-files[b.file], a.places[0].line-b.places[0].line)
	})
	return rows
}

// breaksTest reports whether a place is a certain one in a test, and not there to say which test to run: its line is all that an editor
// needs, and the names of tests are a tenth of the text.
func breaksTest(p scout.Pointer) bool {
	_, test := scout.TraitOf(p.Traits, scout.TraitTest)
	return test && p.Certain && p.Role != scout.RoleTest && p.Role != scout.RoleExample
}

// perFile joins the rows of each file.
func perFile(rows []row) []row {
	var joined []row
	for _, r := range rows {
		if last := len(joined) - 1; last >= 0 && joined[last].file == r.file {
			joined[last].in = ""
			joined[last].places = append(joined[last].places, r.places...)
		} else {
			r.places = slices.Clone(r.places)
			joined = append(joined, r)
		}
	}
	return joined
}

// ownerOf returns the type that a method or field belongs to, with its dot; "" for what
// stands alone.
func ownerOf(name string) string { return name[:strings.LastIndexByte(name, '.')+1] }

// text is " 12,15* Mux.Post", with the mark behind the name if all lines have it,
// or, with what the legend does not say, " 12,15 Mux.Post: take the new parameter
// too". Below another one of Mux it is .Post.
func (r row) text(l legend, of string) string {
	notes := r.notes()
	text := " " + r.numbers(l, len(notes) > 1)
	if owner := ownerOf(r.in); owner != "" && owner == of {
		text += " " + r.in[len(owner)-1:]
	} else if r.in != "" {
		text += " " + r.in
	}
	if mark := l.mark(notes[0]); mark != "" && len(notes) == 1 {
		text += " " + mark
	}
	if unsaid := slices.DeleteFunc(notes, l.says); len(unsaid) > 0 {
		text += ": " + strings.Join(unsaid, "; ")
	}
	return text
}

// numbers returns the lines of a row, at most maxNumbers of one declaration, each with
// its mark if they differ.
func (r row) numbers(l legend, marked bool) string {
	limit := maxNumbers
	if r.in == "" {
		limit = maxRows
	}
	var numbers []string
	for _, p := range r.places[:min(len(r.places), limit)] {
		number := strconv.Itoa(p.line)
		if marked {
			number += l.mark(p.note)
		}
		numbers = append(numbers, number)
	}
	text := strings.Join(numbers, ",")
	if more := len(r.places) - limit; more > 0 {
		text += fmt.Sprintf(" +%d", more)
	}
	return text
}

func writeLine(b *strings.Builder, text string) {
	b.WriteString(printable(text))
	b.WriteByte('\n')
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

// writeReasons adds a line per place that is explained.
func writeReasons(b *strings.Builder, places []scout.Pointer) {
	for _, p := range places {
		if len(p.Weighed) == 0 {
			continue
		}
		texts := make([]string, len(p.Weighed))
		for i, weighed := range p.Weighed {
			texts[i] = weighed.String()
		}
		writeLine(b, p.Location+" because of "+strings.Join(texts, ", "))
	}
}
