package teach

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/internal/wording"
	"tidepool/lsp"
)

// Bounds of what is told about a body.
const (
	maxDecisions = 4
	maxWrites    = 4
	maxCalls     = 8
	maxPart      = 60 // characters of one condition, place or name
	maxCondition = 40 // tokens, after which a condition is not read on
)

// A Behaviour is what the body of a function does, as its text says. What is beyond the bounds is left out at the end of each list.
type Behaviour struct {
	Decides []string `json:"decides,omitempty"` // what is asked by if and switch, but not whether there is an error
	Writes  []string `json:"writes,omitempty"`  // fields and elements that are set
	Calls   []string `json:"calls,omitempty"`   // as written: "log.Info"
}

// behaviourOf reads the body of a declaration; the zero Behaviour for what has none.
func behaviourOf(f sourceFile, d lsp.DocumentSymbol) (b Behaviour) {
	body := bodyOf(f, d)
	if body.end == 0 {
		return b
	}
	for _, t := range f.Tokens() {
		switch {
		case !body.contains(t):
		case t.Kind() == lexer.Keyword && t.Is("if", "elif", "switch", "match", "while"):
			b.Decides = add(b.Decides, conditionOf(t), maxDecisions)
		case t.Kind() == lexer.Name && t.Next().Is("(") && !isBuiltin(t):
			b.Calls = add(b.Calls, calledName(t), maxCalls)
		case t.Is("=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>=", "++", "--"):
			b.Writes = add(b.Writes, writtenBefore(t), maxWrites)
		}
	}
	return b
}

// add adds a text that is neither empty nor there yet, unless there are enough.
func add(all []string, text string, most int) []string {
	text = wording.Line(strings.ReplaceAll(text, "`", "'"), maxPart)
	if text == "" || len(all) == most || slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// conditionOf returns what follows an if or a switch; "" for nothing, and for the question whether there is an error.
func conditionOf(t lexer.Token) string {
	first := t.Next()
	last := first
	if end := first.Match(); first.Is("(") && end.Kind() != 0 && (end.Next().Kind() != lexer.Punctuation || end.Next().Is("{", ":", "(", ";")) {
		first, last = first.Next(), end
	} else {
		for n := 0; n < maxCondition && last.Kind() != 0 && !(last.Is("{", ":") && last.Outer() == t.Outer()); n++ {
			last = last.Next()
		}
	}
	if last.Kind() == 0 || last.Start() <= first.Start() {
		return ""
	}
	text := strings.TrimSpace(t.File().Text(first.Start(), last.Start()))
	if text == "err != nil" || strings.HasSuffix(text, "; err != nil") {
		return ""
	}
	return text
}

// writtenBefore returns the field or element in front of an assignment; "" for a plain name.
func writtenBefore(t lexer.Token) string {
	end := t.Prev()
	first := end
	if first.Is("]") {
		first = first.Match().Prev()
	}
	for first.Prev().Is(".", "->", "?.", "::") {
		if first = first.Prev().Prev(); first.Is(")", "]") {
			first = first.Match().Prev()
		}
	}
	named := first.Kind() == lexer.Name || first.Kind() == lexer.Keyword // not that of a value: { .next = first }
	if first == end || !named || first.Start() > end.Start() || end.Line() != t.Line() {
		return ""
	}
	return t.File().Text(first.Start(), end.End())
}

// calledName returns a name with the one before it: "cores.Write" of ce.cores[i].Write.
func calledName(t lexer.Token) string {
	of := t.Prev().Prev()
	for of.Is(")", "]") {
		of = of.Match().Prev()
	}
	if !t.Prev().Is(".", "?.", "->", "::") || of.Kind() != lexer.Name && of.Kind() != lexer.Keyword {
		return t.Text()
	}
	return of.Text() + "." + t.Text()
}

// isBuiltin reports whether a name that is called says nothing about what a function does.
func isBuiltin(t lexer.Token) bool {
	return !t.Prev().Is(".", "->", "::") && t.Is("len", "cap", "append", "make", "new", "copy", "delete", "min", "max", "panic", "string", "int",
		"str", "list", "dict", "isinstance", "range", "print", "sizeof", "Number", "String", "Boolean")
}

// String returns the behaviour in a line; "" if nothing is known.
func (b Behaviour) String() string {
	var parts []string
	for _, part := range []struct {
		verb string
		of   []string
	}{{"decides by", b.Decides}, {"sets", b.Writes}, {"calls", b.Calls}} {
		if len(part.of) > 0 {
			parts = append(parts, part.verb+" `"+strings.Join(part.of, "`, `")+"`")
		}
	}
	return strings.Join(parts, "; ")
}
