package scout

import (
	"fmt"
)

// An Explainer is a [Scorer] that can say what it weighed.
type Explainer interface {
	// Explain lists what of an edge the scorer looked at, what counts most first;
	// nil if it weighs nothing under such a change.
	Explain(q Query, e Edge) []Weighed
}

// Weighed is one thing that a score is made of: it adds Value times Weight.
type Weighed struct {
	Feature string  `json:"feature"`
	Value   float64 `json:"value"`
	Weight  float64 `json:"weight"`
}

func (w Weighed) String() string {
	if w.Value == 1 {
		return fmt.Sprintf("%s %+.2f", w.Feature, w.Weight)
	}
	return fmt.Sprintf("%s %+.2f (%.2f × %+.2f)", w.Feature, w.Value*w.Weight, w.Value, w.Weight)
}

// explain returns why a place stands where it does: what its scorer weighed, and
// what makes its priority of that.
func (w *walk) explain(o open) []Weighed {
	if !w.query.Explain || o.Depth == 0 || o.Certain || o.score.Err != nil {
		return nil
	}
	var all []Weighed
	if explainer, ok := w.scorer.(Explainer); ok && !o.ruled {
		all = explainer.Explain(w.query, o.Edge)
	}
	terms := priorityTerms(w.query.Change.Kind, o.Edge, o.score.Rubric)
	return append(all, terms[:]...)
}
