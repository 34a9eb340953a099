package scout

import (
	"fmt"

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
// been misread.
const unsure = 0.6

func (s subject) class() intent.Subject {
	return intent.Subject{Name: s.Name, Class: intent.ClassOf(s.Kind, s.Text), Text: s.Text}
}

// read settles what change is meant, once it is known what the symbols are.
func (w *walk) read() {
	q, u := &w.query, &w.understood
	text, subject := q.Text+" "+q.Change.Detail, w.rootSubject()
	if u.Inferred {
		r := intent.Read(text, subject.class())
		detail := q.Change.Detail
		q.Change, u.Because = changeOf(r), r.Because
		q.Change.Detail = detail
		if r.Probability < unsure && !r.Senseless && q.Change.Kind != Other {
			u.Doubt = fmt.Sprintf("The words may also mean %s; pass change to be sure", r.Second)
		}
	} else {
		q.Change.Terms = Terms(intent.TermsOf(text, string(q.Change.Kind), subject.class()))
	}
	q.Text, q.Change.Detail = wording.Clip(q.Text, maxText), wording.Clip(q.Change.Detail, maxDetail)
	u.Change, u.Detail = q.Change.Kind, q.Change.Detail
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
