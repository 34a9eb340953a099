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
	Location string `json:"location"` // "path:line"
	Role     Role   `json:"role"`
	Of       string `json:"of,omitempty"`   // the declaration that the place refers to
	In       string `json:"in,omitempty"`   // the declaration that the place stands in, or that it is
	Link     string `json:"link,omitempty"` // why the graph sees an edge there, or what the compiler says
	Test     bool   `json:"test,omitempty"`
	Hover    string `json:"hover,omitempty"`
	Snippet  string `json:"snippet,omitempty"`
	Depth    int    `json:"depth"`
}

func (w *walk) example(o open) TrainingExample {
	rubric := o.score.Rubric
	rubric.Tags = append([]Tag{}, rubric.Tags...)
	return TrainingExample{
		Query: ExampleQuery{Text: w.query.Text, Symbols: w.query.Symbols, Change: w.query.Change.Kind, Detail: w.query.Change.Detail},
		Node: ExampleNode{
			Location: o.To.Location(), Role: o.Role, Of: o.From.Name, In: cmp.Or(o.Enclosing, o.To.Name), Link: o.Edge.Reason,
			Test: o.Test, Hover: o.Hover, Snippet: cmp.Or(o.Snippet, o.To.Text), Depth: o.Depth,
		},
		Rubric:  rubric,
		Certain: o.Certain,
	}
}

// Settled reports whether a compiler has decided the answer: it has seen the
// change made, and sees everything that such a change breaks in the files that it
// reads.
func (a *Answer) Settled() bool {
	return a.Check.Tried && a.Check.Refusal == "" && a.Understood.Change.compiled()
}
