package scout

import (
	"slices"
	"strings"

	"tidepool/internal/wording"
)

// maxWhat bounds the source line in a pointer, in runes.
const maxWhat = 120

// answer turns what a walk found into what it reports.
func (w *walk) answer() *Answer {
	a := &Answer{
		Pointers:         []Pointer{},
		TrainingExamples: []TrainingExample{},
		NodesVisited:     len(w.nodes),
		Scorer:           w.scorer.Name(),
		ModelCalls:       w.calls,
		Scoring:          w.scoring,
		Understood:       w.understood,
		Check:            w.checked,
		Symbols:          w.symbols,
		Unscored:         w.unscored.report(),
		Unread:           w.unread.report(),
		LeftOut:          w.left,
		Partial:          w.partial,
	}
	roots := slices.IndexFunc(w.visited, func(o open) bool { return o.Depth > 0 })
	if roots < 0 {
		roots = len(w.visited)
	}
	for _, o := range slices.Concat(w.visited[:roots], w.certain, w.visited[roots:]) {
		a.Pointers = append(a.Pointers, w.pointer(o))
		if o.teaches() {
			a.TrainingExamples = append(a.TrainingExamples, w.example(o))
		}
	}
	a.Summary = a.summarize()
	return a
}

// teaches reports whether somebody judged this very place: a scorer, or a
// compiler.
func (o open) teaches() bool {
	return o.Certain || o.score.Err == nil && !o.shared && !o.ruled
}

func (w *walk) pointer(o open) Pointer {
	p := Pointer{
		Location: o.To.Location(),
		What:     what(o.Edge),
		In:       enclosing(o.Edge),
		Action:   ActionAt(w.query.Change.Kind, o.Edge),
		Certain:  o.Certain,
		Observed: o.Observed,
		Role:     o.Role,
		Traits:   o.traits(),
		Reason:   wording.Line(o.score.Reason, maxReason),
		Depth:    o.Depth,
		Tags:     []Tag{},
		Weighed:  w.explain(o),
	}
	if o.score.Err != nil {
		p.Reason = "not scored: " + wording.Line(o.score.Err.Error(), maxReason)
		return p
	}
	p.Risk, p.Relevance = o.score.Rubric.Risk, o.score.Rubric.Relevance
	p.Tags = append(p.Tags, o.score.Rubric.Tags...)
	return p
}

// enclosing names the declaration that a place stands in, or that it is.
func enclosing(e Edge) string {
	switch {
	case e.Enclosing != "":
		return e.Enclosing
	case e.Into.Path != "":
		return e.Into.Name
	case e.To.Kind != "" || e.To.Name != e.From.Name && e.To.Name != "_":
		return e.To.Name
	}
	return ""
}

// what names a place by the declaration it stands in and its source line.
func what(e Edge) string {
	line, _, _ := strings.Cut(e.Snippet, "\n")
	if line == "" {
		line = e.To.Text
	}
	line = wording.Line(line, maxWhat)
	where := e.Enclosing
	if where == "" {
		where = e.into().Name
	}
	switch {
	case line == "" && e.To.Kind != "":
		return where + " (" + e.To.Kind + ")"
	case line == "" || where == "":
		return where + line
	}
	return where + ": " + line
}
