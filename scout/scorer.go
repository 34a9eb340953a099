package scout

import (
	"context"
	"fmt"
	"slices"
)

// A Scorer judges edges, many at a time. It must be safe for concurrent use and
// must not change the edges. scouttest.TestScorer is what every scorer does.
type Scorer interface {
	// Name says who judged: answers carry it.
	Name() string
	// Score returns one score per edge, in their order. An edge that it fails on
	// has Score.Err set. It returns an error only if it scored no edge at all:
	// when ctx ends, what was scored until then is kept. The query's change is
	// filled in, its symbols are resolved.
	Score(ctx context.Context, q Query, edges []Edge) ([]Score, error)
}

// A Model is a scorer that asks a model about each edge. A walk shows it no more
// edges than its budget has nodes.
type Model interface {
	Scorer
	// Model is the model's name.
	Model() string
}

// A Score is what a scorer says about one edge.
type Score struct {
	Rubric Rubric
	Reason string // one line, why; may be ""
	Err    error  // why the edge has no rubric; nil if it has
	Calls  int    // calls to a model that it took; 0: none, or the answer was known
}

// A Rubric is a scorer's judgement of one edge. Every number is 1 to 5.
type Rubric struct {
	Relevance  int   `json:"relevance"`  // 5: the answer to the query
	Risk       int   `json:"risk"`       // 5: breaks, or goes wrong silently
	Complexity int   `json:"complexity"` // 5: hard to put right
	Confidence int   `json:"confidence"` // 5: the scorer is sure
	Tags       []Tag `json:"tags"`       // no tag twice
}

// A Tag says in one word what an edge is. The set is closed.
type Tag string

// The tags.
const (
	TagExhaustive     Tag = "Exhaustive"     // has to list every member
	TagPatternMatch   Tag = "PatternMatch"   // decides by the shape or the value
	TagTypeFamily     Tag = "TypeFamily"     // one of a set of types or members that belong together
	TagBreaksOnAdd    Tag = "BreaksOnAdd"    // wrong as soon as one is added
	TagImport         Tag = "Import"         // only brings a name in
	TagReExport       Tag = "ReExport"       // hands a name on under another one
	TagSignature      Tag = "Signature"      // stands in a declaration's types
	TagImplementation Tag = "Implementation" // does what a contract asks
	TagConstructor    Tag = "Constructor"    // makes a value
	TagRecursive      Tag = "Recursive"      // stands inside the thing it refers to
)

// Tags lists the closed set.
func Tags() []Tag {
	return []Tag{
		TagExhaustive, TagPatternMatch, TagTypeFamily, TagBreaksOnAdd, TagImport,
		TagReExport, TagSignature, TagImplementation, TagConstructor, TagRecursive,
	}
}

// Validate reports the first number outside 1 to 5, unknown tag or repeated tag.
func (r Rubric) Validate() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"relevance", r.Relevance}, {"risk", r.Risk}, {"complexity", r.Complexity}, {"confidence", r.Confidence}} {
		if n.value < 1 || n.value > 5 {
			return fmt.Errorf("%s is %d, not 1 to 5", n.name, n.value)
		}
	}
	for i, tag := range r.Tags {
		if !slices.Contains(Tags(), tag) {
			return fmt.Errorf("%q is not a tag", tag)
		}
		if slices.Contains(r.Tags[:i], tag) {
			return fmt.Errorf("tag %s stands twice", tag)
		}
	}
	return nil
}

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
