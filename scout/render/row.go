package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidepool/scout"
)

// A row is the places of one declaration.
type row struct {
	file, in string
	places   []noted // by line, none twice
}

// A noted is a line with the note of its place.
type noted struct {
	line int
	note string
}

// rowsOf joins places into rows, those of one file together and by line, the file
// of the first place first.
func rowsOf(kind scout.ChangeKind, places []scout.Pointer, note func(scout.Pointer) string) []row {
	var rows []row
	files, known := make(map[string]int), make(map[[2]string]int)
	for _, p := range places {
		path, line := p.Place()
		in := p.In
		if editsTest(kind, p) {
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

// editsTest reports whether a place is in a test that the change has somebody edit, and not there to say which test to run: its line is
// all that an editor needs, and the names of tests are a tenth of the text.
func editsTest(kind scout.ChangeKind, p scout.Pointer) bool {
	_, test := scout.TraitOf(p.Traits, scout.TraitTest)
	return test && p.Action != "" && !kind.Open() && kind != scout.ChangeBehavior
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
		limit = maxLines
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

// notes returns what is to be said of the places of a row, each once.
func (r row) notes() []string {
	var notes []string
	for _, p := range r.places {
		if !slices.Contains(notes, p.note) {
			notes = append(notes, p.note)
		}
	}
	return notes
}
