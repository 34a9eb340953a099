package scout

import (
	"strings"
	"unicode/utf8"
)

// maxWhat bounds the source line in a pointer, in runes.
const maxWhat = 120

// answer turns what a walk visited into what it reports.
func (w *walk) answer() *Answer {
	a := &Answer{
		Pointers:         make([]Pointer, 0, len(w.visited)),
		TrainingExamples: make([]TrainingExample, 0, len(w.visited)),
		NodesVisited:     len(w.visited),
		Scorer:           w.scorer.Name(),
		Understood:       w.understood,
		Symbols:          w.symbols,
		Unscored:         w.unscored.report(),
		Unread:           w.unread.report(),
		LeftOut:          LeftOut{Open: w.frontier.len(), Cut: w.cut, Irrelevant: w.noise},
		Partial:          w.partial,
	}
	for _, o := range w.visited {
		a.Pointers = append(a.Pointers, w.pointer(o))
		if o.score.Err == nil {
			a.TrainingExamples = append(a.TrainingExamples, w.example(o))
		}
	}
	a.Summary = a.summarize()
	return a
}

func (w *walk) pointer(o open) Pointer {
	p := Pointer{
		Location: o.To.Location(),
		What:     what(o.Edge),
		Action:   ruleFor(w.query.Change.Kind, o.Role).action,
		Certain:  o.Certain,
		Role:     o.Role,
		Reason:   oneLine(o.score.Reason, maxReason),
		Depth:    o.Depth,
		Tags:     []Tag{},
	}
	if o.score.Err != nil {
		p.Reason = "not scored: " + oneLine(o.score.Err.Error(), maxReason)
		return p
	}
	p.Risk, p.Relevance = o.score.Rubric.Risk, o.score.Rubric.Relevance
	p.Tags = append(p.Tags, o.score.Rubric.Tags...)
	return p
}

func (w *walk) example(o open) TrainingExample {
	rubric := o.score.Rubric
	rubric.Tags = append([]Tag{}, rubric.Tags...)
	return TrainingExample{
		Query: ExampleQuery{Text: w.query.Text, Change: w.query.Change.Kind, Detail: w.query.Change.Detail},
		Node: ExampleNode{
			Location: o.To.Location(), Role: o.Role, Of: o.From.Name,
			Hover: o.Hover, Snippet: o.Snippet, Depth: o.Depth,
		},
		Rubric: rubric,
	}
}

// what names a place by the declaration it stands in and its source line.
func what(e Edge) string {
	line, _, _ := strings.Cut(e.Snippet, "\n")
	if line == "" {
		line = e.To.Text
	}
	line = oneLine(line, maxWhat)
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

// oneLine joins the words of a text with single blanks and cuts it to limit runes.
func oneLine(text string, limit int) string {
	return clip(strings.Join(strings.Fields(text), " "), limit)
}

// clip makes valid UTF-8 of at most limit runes, the last being an ellipsis if
// something was cut.
func clip(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}
