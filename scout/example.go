package scout

import "cmp"

// A TrainingExample is one judgement, to teach a scorer with.
type TrainingExample struct {
	Query   ExampleQuery `json:"query"`
	Node    ExampleNode  `json:"node"`
	Rubric  Rubric       `json:"rubric"`
	Certain bool         `json:"certain"` // a compiler judged, not a scorer
}

// An ExampleQuery is the part of a query that a judgement depends on.
type ExampleQuery struct {
	Text    string     `json:"text"`
	Symbols []string   `json:"symbols,omitempty"`
	Change  ChangeKind `json:"change"`
	Detail  string     `json:"detail,omitempty"`
}

// An ExampleNode is what a scorer saw of a place.
type ExampleNode struct {
	Location string  `json:"location"` // "path:line"
	Role     Role    `json:"role"`
	Traits   []Trait `json:"traits,omitempty"`
	Of       string  `json:"of,omitempty"`   // the declaration that the place refers to
	In       string  `json:"in,omitempty"`   // the declaration that the place stands in, or that it is
	Link     string  `json:"link,omitempty"` // why the graph sees an edge there, or what the compiler says
	Test     bool    `json:"test,omitempty"`
	Hover    string  `json:"hover,omitempty"`
	Snippet  string  `json:"snippet,omitempty"`
	Depth    int     `json:"depth"`
}

// ExampleOf makes the example of a judgement about an edge.
func ExampleOf(q Query, e Edge, r Rubric) TrainingExample {
	r.Tags = append([]Tag{}, r.Tags...)
	return TrainingExample{
		Query: ExampleQuery{Text: q.Text, Symbols: q.Symbols, Change: q.Change.Kind, Detail: q.Change.Detail},
		Node: ExampleNode{
			Location: e.To.Location(), Role: e.Role, Traits: e.Traits, Of: e.From.Name, In: cmp.Or(e.Enclosing, e.To.Name), Link: e.Reason,
			Test: e.Test, Hover: e.Hover, Snippet: cmp.Or(e.Snippet, e.To.Text), Depth: e.Depth,
		},
		Rubric:  r,
		Certain: e.Certain,
	}
}

func (w *walk) example(o open) TrainingExample { return ExampleOf(w.query, o.Edge, o.score.Rubric) }

// Settled reports whether a compiler has decided the answer: it has seen the
// change made, and sees everything that such a change breaks in the files that it
// reads.
func (a *Answer) Settled() bool {
	return a.Check.Tried && a.Check.Refusal == "" && a.Understood.Change.compiled()
}

// Fits reports whether a change of this kind can be made to a declaration, by what
// its Candidate or Node says that it is.
func (k ChangeKind) Fits(declared string) bool { return k.fits(declared) }
