package scout

import (
	"fmt"
	"slices"

	"tidepool/internal/wording"
	"tidepool/scout/intent"
)

// A subject is what a question is about, as its declaration tells. The zero
// value is one that nothing is known of.
type subject struct {
	Name string // as the query writes it: "syntax.UnaryArithm.Op"
	Kind string // the language's word: "method", "interface"; "" if unknown
	Text string // the source line of the declaration; may be ""
}

// changeOf returns what change the words of a question mean, with its terms. Kind is
// [Other] where they do not say. It is a reading of plain English and can be
// wrong: answers show it, and a caller who knows better passes Change. A change
// that makes no sense for the subject is read only where the words leave no doubt.
func changeOf(r intent.Reading) Change {
	return Change{Kind: ChangeKind(r.Kind), Terms: Terms(r.Terms)}
}

// unsure is the probability below which an answer says that a question may have
// been misread, and calls nothing certain: of 660 questions kept apart, 99 of 100 above it
// are read rightly, and 84 of 100 below.
const unsure = 0.8

func (s subject) class() intent.Subject {
	return intent.Subject{Name: s.Name, Class: intent.ClassOf(s.Kind, s.Text), Text: s.Text}
}

// read settles what change is meant, once it is known what the symbols are.
func (w *walk) read() {
	q, u := &w.query, &w.understood
	isDenied := false
	text, subject := q.Text+" "+q.Change.Detail, w.rootSubject()
	if u.Inferred {
		r := intent.Read(text, subject.class())
		detail := q.Change.Detail
		q.Change, u.Because = changeOf(r), r.Because
		q.Change.Detail = detail
		isDenied = r.Denied
		if r.Probability < unsure && !r.Senseless && q.Change.Kind != Other {
			u.Unsure, u.Doubt = true, fmt.Sprintf("The words may also mean %s", r.Second)
			u.Ask = w.arguments(q.Change.Kind, ChangeKind(r.Second))
		}
	} else {
		q.Change.Terms = Terms(intent.TermsOf(text, string(q.Change.Kind), subject.class()))
	}
	q.Text, q.Change.Detail, q.Change.Words = wording.Clip(q.Text, maxText), wording.Clip(q.Change.Detail, maxDetail), text
	u.Change, u.Detail, u.Direction = q.Change.Kind, q.Change.Detail, q.Change.Terms.Direction
	switch {
	case isDenied:
		w.unclear(denied)
	case u.Inferred && q.Change.Kind == Other && u.Direction == "":
		u.Ask = w.arguments()
	}
}

// denied is why an edit that the words rule out is not tried.
const denied = "the words say what is not to be done"

// unclear gives up a change of which nobody has said what exactly it is: the answer is what refers to the symbols.
func (w *walk) unclear(reason string) {
	u := &w.understood
	u.Meant, u.Doubt, u.Unsure = u.Change, "", false
	w.checked.Refusal = wording.Line(reason, maxReason)
	switch {
	case u.Meant == Other:
		u.Ask = w.arguments()
	case u.Meant.about().detail == "" && w.checked.Refusal != denied:
		u.Ask = nil // the same kind without more is refused for the same reason
	default:
		u.Ask = w.arguments(u.Meant)
	}
	u.Change, u.Direction = Other, Users
	w.query.Change.Kind, w.query.Change.Terms = Other, Terms{Direction: Users}
}

// maxArguments bounds the values of change that an answer proposes.
const maxArguments = 4

// arguments lists values of change that say what is meant, those of kinds first and then, if those are fewer than two, such
// as are often meant of what the symbols are.
func (w *walk) arguments(kinds ...ChangeKind) []string {
	often := []ChangeKind{AddParameter, ChangeSignature, AddMethod, AddVariant, RemoveField, ChangeType, ChangeValue, Rename, Delete}
	if len(kinds) > 0 {
		often = nil
	}
	var all []string
	for _, kind := range slices.Concat(kinds, often) {
		fits := slices.ContainsFunc(w.roots, func(n Node) bool { return kind.fits(n.Kind) })
		if text := kind.argument(); fits && kind != Other && len(all) < maxArguments && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// rootSubject returns what the query is about: its first symbol, and if it may mean several
// things of one kind, the first of them.
func (w *walk) rootSubject() subject {
	s := subject{Name: w.query.Symbols[0]}
	for i, root := range w.roots {
		if i > 0 && root.Kind != s.Kind {
			return subject{Name: s.Name}
		}
		if i == 0 {
			s.Kind, s.Text = root.Kind, root.Text
		}
	}
	return s
}
