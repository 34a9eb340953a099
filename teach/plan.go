package teach

import (
	"fmt"
	"strings"
)

// A Plan is what to learn, in this order.
type Plan struct {
	Units    []Unit
	Selector string // name of what selected

	Open       int      // symbols that were selected, but are beyond the budget
	Declined   int      // symbols that were found, but not selected
	Cut        int      // candidates beyond what a selector is asked about at a time
	Unselected Failures // symbols for which the selector had no answer
	Unread     Failures // symbols whose links the source did not have
	Partial    string   // why the exploration was cut short; "": it was not
}

// Failures counts things that went wrong alike.
type Failures struct {
	Count int
	First error // nil if there are none
}

func (f *Failures) add(err error) {
	if f.Count++; f.Count == 1 {
		f.First = err
	}
}

// A Unit is one symbol of a plan. Numbers of units are their indices in the plan.
type Unit struct {
	Symbol
	Depth  int   // steps from the nearest seed; 0: it is one
	Needs  []int // units that have to be known for it, ascending; later ones only of its own group
	Needed []int // units that need it, ascending
	Group  int   // units that need each other have the same, from 1; 0: it stands alone
	From   int   // the unit that led to it; its own for a seed
	How    Relation
}

// A Part is the section of a document that a unit belongs to.
type Part string

// The parts.
const (
	Core    Part = "core"    // what was asked about
	Prereq  Part = "prereq"  // one or two steps away
	Support Part = "support" // further
)

// Part returns the part that a unit belongs to.
func (u Unit) Part() Part {
	switch {
	case u.Depth == 0:
		return Core
	case u.Depth <= 2:
		return Prereq
	}
	return Support
}

// maxNamed bounds the units that a reason names.
const maxNamed = 3

// Why returns why unit i comes at its place, in a few words.
func (p *Plan) Why(i int) string {
	u := p.Units[i]
	var later []int
	for _, n := range u.Needed {
		if n > i {
			later = append(later, n)
		}
	}
	from := p.name(u.From)
	switch {
	case u.From == i:
		return "what you asked about"
	case len(later) > 0:
		return "used by " + p.names(later)
	case u.How == Ran:
		return "tests of the topic run this, and most others do not"
	case u.How == Implementation:
		return "an implementation of " + from
	case u.How == Method:
		return "a method of " + from
	case u.How == Dispatch:
		return "what may run when " + from + " calls it through an interface"
	}
	return "used by " + from
}

func (p *Plan) name(i int) string { return fmt.Sprintf("%s (%d)", p.Units[i].Name, i+1) }

func (p *Plan) names(of []int) string {
	var all []string
	for _, i := range of[:min(len(of), maxNamed)] {
		all = append(all, p.name(i))
	}
	text := strings.Join(all, ", ")
	if more := len(of) - maxNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
