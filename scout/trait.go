package scout

import (
	"slices"
	"strings"

	"tidepool/internal/wording"
)

// A Trait is something else that is so of a place, beside its [Role]: how it does
// what the role says, or what kind of file it stands in. A place has one role and
// any number of traits, each once.
type Trait struct {
	Name   TraitName `json:"trait"`
	Detail string    `json:"detail,omitempty"` // as the name says; "": nothing more is known
}

// A TraitName says which trait it is. The set is closed.
type TraitName string

// The traits of what a place does.
const (
	TraitKeyed      TraitName = "keyed"                 // builds a value with the names of fields or parameters
	TraitUnkeyed    TraitName = "unkeyed"               // builds a value by position, so that one more or less does not fit
	TraitPromoted   TraitName = "promoted"              // reaches a field or method through an embedded one; Detail is that: "Base"
	TraitText       TraitName = "in String-like method" // in a method of the type that writes it as text or reads it; Detail is the method
	TraitPropagates TraitName = "error propagation"     // a call whose error the caller passes up: itself, wrapped, or another in its place
	TraitHandles    TraitName = "error handled"         // a call whose error ends in the caller, which looks at it
	TraitDrops      TraitName = "error dropped"         // a call whose error nobody looks at
)

// The traits of the file that a place stands in.
const (
	TraitGenerated TraitName = "generated"    // a program has written it; Detail is what does: "stringer -type=Light"
	TraitTagged    TraitName = "build-tagged" // not every build has it; Detail is what a build needs: "windows && !cgo"
	TraitLeftOut   TraitName = "left out"     // the build at hand does not have it
	TraitTest      TraitName = "test"         // only tests use it
)

// TraitNames lists the set in the order in which it is documented.
func TraitNames() []TraitName {
	return []TraitName{
		TraitKeyed, TraitUnkeyed, TraitPromoted, TraitText, TraitPropagates, TraitHandles, TraitDrops,
		TraitGenerated, TraitTagged, TraitLeftOut, TraitTest,
	}
}

// Trait returns the trait of an edge with a name; false if it has none.
func (e Edge) Trait(name TraitName) (Trait, bool) { return TraitOf(e.Traits, name) }

// TraitOf finds the trait with a name; false if there is none.
func TraitOf(traits []Trait, name TraitName) (Trait, bool) {
	i := slices.IndexFunc(traits, func(t Trait) bool { return t.Name == name })
	if i < 0 {
		return Trait{}, false
	}
	return traits[i], true
}

// traits returns those of an edge, that of test code too, with what is quoted cut to size.
func (e Edge) traits() []Trait {
	var all []Trait
	for _, t := range e.Traits {
		most := maxTraitDetail
		if t.Name == TraitGenerated {
			most = maxCommand
		}
		all = append(all, Trait{t.Name, wording.Line(t.Detail, most)})
	}
	if _, known := e.Trait(TraitTest); e.Test && !known {
		all = append(all, Trait{Name: TraitTest})
	}
	return all
}

// A FileTraitGraph is a [Graph] that also knows the traits of the files that
// declarations stand in. Edges have theirs already.
type FileTraitGraph interface {
	FileTraits(n Node) []Trait
}

// fileTraits returns the traits of the file that a declaration of the query stands in, as
// far as the graph knows them.
func (w *walk) fileTraits(n Node) []Trait {
	if f, ok := w.graph.(FileTraitGraph); ok {
		return f.FileTraits(n)
	}
	return nil
}

// Manner returns the role of a place together with the traits of what it does there, not those of its file: "composite
// literal, unkeyed".
func Manner(role Role, traits []Trait) string {
	words := []string{string(role)}
	for _, t := range traits {
		if !t.ofFile() && string(t.Name) != string(role) {
			words = append(words, string(t.Name))
		}
	}
	return strings.Join(words, ", ")
}

// Harmless reports whether a trait does not warn of anything.
func (t Trait) Harmless() bool { return t.Name != TraitUnkeyed && t.Name != TraitDrops }

func (t Trait) ofFile() bool {
	switch t.Name {
	case TraitGenerated, TraitTagged, TraitLeftOut, TraitTest:
		return true
	}
	return false
}
