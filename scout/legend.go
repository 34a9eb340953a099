package scout

import (
	"cmp"
	"slices"
	"strings"
)

// notes says what to write beside a place: what is to be done there, or of an
// open question its role. Where what is to be done differs from place to place of
// one role, it is what the role asks for: the place itself shows the rest.
func (a *Answer) notes(places []Pointer) func(Pointer) string {
	kind := a.Understood.Change
	if kind.open() {
		return func(p Pointer) string { return string(p.Role) }
	}
	actions := make(map[Role]map[string]bool)
	for _, p := range places {
		if actions[p.Role] == nil {
			actions[p.Role] = make(map[string]bool)
		}
		actions[p.Role][p.Action] = true
	}
	return func(p Pointer) string {
		if len(actions[p.Role]) > 2 {
			return cmp.Or(ruleFor(kind, p.Role).action, p.Action)
		}
		return p.Action
	}
}

// A legend says once what stands at several rows. The zero legend has every row
// say it.
type legend struct {
	usual  string   // of rows without a mark
	marked []string // of rows with the mark at the same index of marks
}

const marks = "*+^~"

// legendOf makes the notes that take most room into the usual one and the marked
// ones; what stands at one row only is said there.
func legendOf(rows []row) legend {
	count := make(map[string]int)
	var notes []string
	for _, r := range rows {
		if count[r.note]++; count[r.note] == 1 {
			notes = append(notes, r.note)
		}
	}
	slices.SortStableFunc(notes, func(a, b string) int {
		return cmp.Compare(count[b]*len(b), count[a]*len(a))
	})
	l := legend{usual: notes[0]}
	for _, note := range notes[1:] {
		if count[note] > 1 && note != "" && len(l.marked) < len(marks) {
			l.marked = append(l.marked, note)
		}
	}
	return l
}

// String is "pass the new argument (at *: adapt the function type)".
func (l legend) String() string {
	var more []string
	for i, note := range l.marked {
		more = append(more, "at "+marks[i:i+1]+": "+note)
	}
	if len(more) == 0 {
		return l.usual
	}
	return l.usual + " (" + strings.Join(more, "; ") + ")"
}

// mark is what a row with a note ends with.
func (l legend) mark(note string) string {
	if i := slices.Index(l.marked, note); i >= 0 {
		return " " + marks[i:i+1]
	}
	if note == l.usual || note == "" {
		return ""
	}
	return ": " + note
}
