package render

import (
	"cmp"
	"slices"
	"strings"

	"tidepool/scout"
)

// maxNote bounds what is said of the places of one role, in bytes.
const maxNote = 50

// notesOf returns what to write beside a place: what is to be done there, or of an
// open question its role and the traits that warn. Where what is to be done at
// the places of one role differs, and would take much room, it is what the role
// and the traits ask for: the places themselves show the rest.
func notesOf(a *scout.Answer, places []scout.Pointer) func(scout.Pointer) string {
	kind := a.Understood.Change
	if kind.Open() {
		return func(p scout.Pointer) string {
			return scout.Manner(scout.Role(a.Noun(p.Role)), slices.DeleteFunc(slices.Clone(p.Traits), scout.Trait.Harmless))
		}
	}
	actions := make(map[scout.Role]map[string]bool)
	for _, p := range places {
		if actions[p.Role] == nil {
			actions[p.Role] = make(map[string]bool)
		}
		actions[p.Role][p.Action] = true
	}
	return func(p scout.Pointer) string {
		size := 0
		for action := range actions[p.Role] {
			size += len(action)
		}
		if len(actions[p.Role]) > 1 && size > maxNote {
			return cmp.Or(scout.ActionAt(kind, scout.Edge{Role: p.Role, Traits: p.Traits}), p.Action)
		}
		return p.Action
	}
}

// A legend says once what is to be said of several places. The zero legend says
// nothing.
type legend struct {
	usual  string   // of places without a mark
	marked []string // of places with the mark at the same index of marks
}

const marks = "*+^~"

// legendOf makes what is to be said of most declarations the usual note, and what is to be said of several the marked ones. Where
// several things are to be said of one declaration, they need marks too.
func legendOf(rows []row) legend {
	count, needed := make(map[string]int), make(map[string]bool)
	var notes []string
	for _, r := range rows {
		own := r.notes()
		for _, note := range own {
			if count[note]++; count[note] == 1 {
				notes = append(notes, note)
			}
			needed[note] = needed[note] || len(own) > 1 || count[note] > 1
		}
	}
	slices.SortStableFunc(notes, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(len(b), len(a)))
	})
	l := legend{usual: notes[0]}
	for _, note := range notes[1:] {
		if needed[note] && note != "" && len(l.marked) < len(marks) {
			l.marked = append(l.marked, note)
		}
	}
	return l
}

// String is "pass the new argument (*: adapt the function type)".
func (l legend) String() string {
	var more []string
	for i, note := range l.marked {
		more = append(more, marks[i:i+1]+": "+note)
	}
	if len(more) == 0 {
		return l.usual
	}
	return l.usual + " (" + strings.Join(more, "; ") + ")"
}

// says reports whether the legend, or a mark of it, says a note.
func (l legend) says(note string) bool {
	return note == l.usual || slices.Contains(l.marked, note)
}

// mark returns what stands behind the line of a place with a note.
func (l legend) mark(note string) string {
	if i := slices.Index(l.marked, note); i >= 0 && note != l.usual {
		return marks[i : i+1]
	}
	return ""
}
