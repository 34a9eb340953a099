package python

import (
	"iter"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
)

// A statement is one logical line of Python, or what stands between two semicolons. Its tokens are those of its own
// line only, not of the block below it.
type statement struct {
	file   *lexer.File
	tokens []lexer.Token // no comments
	indent int           // column of its line
}

func (s statement) first() lexer.Token { return s.tokens[0] }

// head is its first token beside async, which tells what it is.
func (s statement) head() lexer.Token {
	if s.first().Is("async") && len(s.tokens) > 1 {
		return s.tokens[1]
	}
	return s.first()
}

// text returns the source from one of its tokens up to another.
func (s statement) text(from, to lexer.Token) string { return textOf(s.file, from, to) }

// textOf is source on one line, without what a line break costs.
func textOf(f *lexer.File, from, to lexer.Token) string {
	if from.Kind() == 0 || to.Kind() == 0 {
		return ""
	}
	return excerpt.OneLine(f.Text(from.Start(), to.End()))
}

// statements yields the statements from the one that begins with token first on.
func statements(f *lexer.File, first lexer.Token) iter.Seq[statement] {
	return func(yield func(statement) bool) {
		_, indent := first.Position()
		for t := first; t.Kind() != 0; {
			s := statement{file: f, indent: indent}
			for {
				s.tokens = append(s.tokens, t)
				t = t.Next()
				if t.Kind() == 0 || t.Is(";") && outermost(t) || breaksLine(f, s.tokens[len(s.tokens)-1], t) {
					break
				}
			}
			if !yield(s) {
				return
			}
			if t.Is(";") {
				t = t.Next()
			}
			if line, column := t.Position(); line != s.tokens[len(s.tokens)-1].Line() {
				indent = column
			}
		}
	}
}

func outermost(t lexer.Token) bool { return t.Outer().Kind() == 0 }

// breaksLine reports whether a logical line ends between two tokens that follow each other.
func breaksLine(f *lexer.File, before, t lexer.Token) bool {
	if open := t.Match(); open.Kind() != 0 && open.Start() < t.Start() {
		return false // a closing bracket
	}
	last, _ := f.Position(before.End())
	return outermost(t) && t.Line() > last && !strings.HasSuffix(f.Line(t.Line()-1), `\`)
}

// statementAt returns the statement that a token stands in.
func statementAt(f *lexer.File, t lexer.Token) statement {
	for !outermost(t) {
		t = t.Outer()
	}
	for before := t.Prev(); before.Kind() != 0 && !(before.Is(";") && outermost(before)) && !breaksLine(f, before, t); before = t.Prev() {
		if t = before; t.Match().Kind() != 0 && t.Match().Start() < t.Start() {
			t = t.Match()
		}
	}
	for s := range statements(f, t) {
		return s
	}
	return statement{file: f, tokens: []lexer.Token{t}}
}

// block yields the statements of the block that belongs to a compound statement, also those in blocks within it.
func block(head statement) iter.Seq[statement] {
	return func(yield func(statement) bool) {
		inline := false
		for s := range statements(head.file, head.first()) {
			switch {
			case s.first() == head.first():
				inline = true
			case s.indent <= head.indent && !(inline && s.first().Line() == head.first().Line()):
				return
			case !yield(s):
				return
			}
		}
	}
}

// members returns the statements directly in the body of a class or module: those in functions and classes within it are
// left out, those under if, try and with are not.
func members(head statement) iter.Seq[statement] {
	return func(yield func(statement) bool) {
		within := 0 // indentation of the function or class that statements belong to
		for s := range block(head) {
			if within > 0 && s.indent > within {
				continue
			}
			within = 0
			if s.head().Is("def", "class") {
				within = s.indent
			}
			if !yield(s) {
				return
			}
		}
	}
}

// around returns the function or class whose body a statement belongs to; false if it is the module's.
func around(s statement) (statement, bool) {
	for indent := s.indent; ; {
		before := s.first().Prev()
		if before.Kind() == 0 {
			return statement{}, false
		}
		if s = statementAt(s.file, before); s.indent >= indent {
			continue
		}
		if s.head().Is("def", "class") {
			return s, true
		}
		indent = s.indent // an if, a with
	}
}

// decoratorsOf returns the decorators above a function or class: "@dataclass(frozen=True)" without the @.
func decoratorsOf(s statement) []statement {
	var all []statement
	for {
		before := s.first().Prev()
		if before.Kind() == 0 {
			return all
		}
		if s = statementAt(s.file, before); !s.first().Is("@") {
			return all
		}
		all = append([]statement{s}, all...)
	}
}

// decorated reports whether one of the decorators has the name, be it qualified.
func decorated(decorators []statement, names ...string) bool {
	for _, d := range decorators {
		if callee(d.tokens[1:]).Is(names...) {
			return true
		}
	}
	return false
}

// callee returns the last name of the dotted name that tokens begin with.
func callee(tokens []lexer.Token) lexer.Token {
	var last lexer.Token
	for i, t := range tokens {
		if i%2 == 0 && t.Kind() != lexer.Name || i%2 == 1 && !t.Is(".") {
			break
		}
		if i%2 == 0 {
			last = t
		}
	}
	return last
}

// split cuts tokens at the commas outside of brackets.
func split(tokens []lexer.Token) [][]lexer.Token {
	var all [][]lexer.Token
	start, outer := 0, lexer.Token{}
	if len(tokens) > 0 {
		outer = tokens[0].Outer()
	}
	for i, t := range tokens {
		if t.Is(",") && t.Outer() == outer {
			all = append(all, tokens[start:i])
			start = i + 1
		}
	}
	if start < len(tokens) {
		all = append(all, tokens[start:])
	}
	return all
}

// inside returns the tokens between an opening bracket and its partner.
func inside(open lexer.Token) []lexer.Token {
	var all []lexer.Token
	end := open.Match()
	for t := open.Next(); t.Kind() != 0 && end.Kind() != 0 && t.Start() < end.Start(); t = t.Next() {
		all = append(all, t)
	}
	return all
}

// placeOf returns the place of a token.
func placeOf(f *lexer.File, t lexer.Token) lsp.Location {
	line, column := t.Position()
	return lsp.At(f.Path, line, column)
}

// doc returns the text of a string that documents what stands around it.
func doc(s statement) string {
	if len(s.tokens) != 1 || s.first().Kind() != lexer.String {
		return ""
	}
	return excerpt.OneLine(strings.Trim(strings.TrimLeft(s.first().Text(), "rRuUbB"), `"'`))
}

// comment returns the comment behind a statement on its last line, or else the one above it.
func comment(s statement) string {
	last := s.tokens[len(s.tokens)-1]
	line, _ := s.file.Position(last.End())
	rest := s.file.Line(line)
	if _, column := s.file.Position(last.End()); column-1 < len(rest) {
		if text, ok := strings.CutPrefix(strings.TrimLeft(rest[column-1:], ";, \t"), "#"); ok {
			return excerpt.OneLine(strings.TrimPrefix(text, ":"))
		}
	}
	if above := s.first().Comment(); above.Kind() != 0 && strings.HasPrefix(strings.TrimSpace(s.file.Line(above.Line())), "#") {
		return excerpt.OneLine(strings.TrimLeft(above.Text(), "#: "))
	}
	return ""
}
