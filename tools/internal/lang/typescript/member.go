package typescript

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/tools/internal/excerpt"
)

// A span is a run of tokens, both ends included; the zero one is empty.
type span struct{ first, last lexer.Token }

func (s span) is() bool { return s.first.Kind() != 0 }

// in returns the text of a span on one line.
func (s span) in(f *lexer.File) string {
	if !s.is() || s.last.End() < s.first.Start() {
		return ""
	}
	return excerpt.OneLine(f.Text(s.first.Start(), s.last.End()))
}

// A member is what stands between the braces of a class, interface, object type or enum.
type member struct {
	name      lexer.Token // zero: of a signature without a name
	label     string      // the name as written, "[key: string]", "new"
	modifiers []string    // "readonly", "static", …; "optional" for ?
	typ       span        // as declared; of a method its result
	value     span        // behind =
	params    lexer.Token // "(" of a method
	generics  span        // type parameters of a method
	body      bool        // it has one
	doc       string
}

func (m member) has(modifier string) bool { return slices.Contains(m.modifiers, modifier) }

// method reports whether a member is called, accessors left out.
func (m member) method() bool { return m.params.Kind() != 0 && !m.has("get") && !m.has("set") }

// signature writes the type of a method: "(key: string): Error".
func (m member) signature(f *lexer.File) string {
	text := m.generics.in(f) + span{m.params, m.params.Match()}.in(f)
	if result := m.typ.in(f); result != "" {
		text += ": " + result
	}
	return text
}

// modifier reports whether a token may stand before the name of a member.
func modifier(t lexer.Token) bool {
	return t.Is("public", "private", "protected", "static", "readonly", "abstract", "override", "declare", "async", "accessor", "get", "set", "export", "const")
}

// membersIn lists what stands between braces.
func membersIn(f *lexer.File, open lexer.Token) []member {
	var all []member
	close := open.Match()
	for t := open.Next(); t.Kind() != 0 && t != close; {
		if t.Is(";", ",") {
			t = t.Next()
			continue
		}
		m, next := readMember(f, t, close)
		all = append(all, m)
		if next.Start() <= t.Start() { // nothing was taken
			next = t.Next()
		}
		t = next
	}
	return all
}

// readMember reads the member that begins at t and returns the token behind it.
func readMember(f *lexer.File, t, close lexer.Token) (member, lexer.Token) {
	m := member{doc: doc(t)}
	for t.Is("@") { // a decorator
		t = t.Next().Next()
		for t.Is(".") {
			t = t.Next().Next()
		}
		if t.Is("(") {
			t = t.Match().Next()
		}
	}
	for modifier(t) && !t.Next().Is("(", ":", "?", "!", "=", ";", ",", "<", "{") && t.Next() != close {
		m.modifiers = append(m.modifiers, t.Text())
		t = t.Next()
	}
	if t.Is("*") {
		t = t.Next()
	}
	t = m.readName(f, t)
	if t.Is("?") {
		m.modifiers = append(m.modifiers, "optional")
	}
	if t.Is("?", "!") {
		t = t.Next()
	}
	if end := t.Angles(); end.Kind() != 0 {
		m.generics = span{t, end}
		t = end.Next()
	}
	if t.Is("(") && t.Match().Kind() != 0 {
		m.params = t
		t = t.Match().Next()
	}
	return m.readRest(t, close)
}

// readName takes the name and returns the token behind it.
func (m *member) readName(f *lexer.File, t lexer.Token) lexer.Token {
	switch {
	case t.Is("[") && t.Match().Kind() != 0: // a computed name or an index signature
		m.label = span{t, t.Match()}.in(f)
		return t.Match().Next()
	case t.Is("("): // a call signature
		return t
	case t.Is("static") && t.Next().Is("{"): // a block that runs once
		m.label = "static"
		return t.Next()
	}
	m.name, m.label = t, strings.Trim(t.Text(), `"'`)
	return t.Next()
}

// readRest takes type, value and body, up to the token that begins the next member.
func (m *member) readRest(t, close lexer.Token) (member, lexer.Token) {
	if t.Is(":") {
		last := endOf(t.Next(), close, "=", "{")
		m.typ = span{t.Next(), last}
		t = last.Next()
	}
	if t.Is("=") {
		last := endOf(t.Next(), close)
		m.value = span{t.Next(), last}
		t = last.Next()
	}
	if t.Is("{") && t.Match().Kind() != 0 {
		m.body = true
		t = t.Match().Next()
	}
	return *m, t
}

// endOf returns the last token of the type or value that begins at t: before a semicolon or comma, what closes around it, one
// of stops, or a line that begins another member.
func endOf(t, close lexer.Token, stops ...string) lexer.Token {
	last := t
	for first := true; t.Kind() != 0 && t != close; first = false {
		switch {
		case t.Is(";", ",", ")", "]", "}"), !first && t.Is(stops...) && !(t.Is("{") && wants(last)):
			return last
		case !first && t.Line() > last.Line() && !wants(last) && !continues(t):
			return last
		}
		last = t
		if end := t.Match(); end.Kind() != 0 && end.Start() > t.Start() {
			last = end
		} else if end := t.Angles(); end.Kind() != 0 {
			last = end
		}
		t = last.Next()
	}
	return last
}

// wants reports whether something must follow a token.
func wants(t lexer.Token) bool {
	if t.Kind() == lexer.Keyword {
		return t.Is("extends", "keyof", "typeof", "readonly", "new", "infer", "is", "await", "as", "in")
	}
	return t.Kind() == lexer.Punctuation && !t.Is(")", "]", "}", ">", "++", "--", "!")
}

// continues reports whether a token at the start of a line belongs to what stands before it.
func continues(t lexer.Token) bool {
	if t.Kind() == lexer.Keyword {
		return t.Is("extends", "as", "satisfies", "is", "instanceof", "in")
	}
	return t.Kind() == lexer.Punctuation && !t.Is("[", "{", "(", "@", "*", "<") && !strings.HasPrefix(t.Text(), "#")
}

// doc returns the comment before a token, without what marks it as one.
func doc(t lexer.Token) string {
	text := t.Comment().Text()
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "/*"), "*"), "*/")
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//"))
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(line, "*")))
	}
	return excerpt.OneLine(strings.Join(lines, " "))
}

// A param is a parameter of a function.
type param struct {
	member
	first lexer.Token
}

// params lists the parameters between brackets.
func params(f *lexer.File, open lexer.Token) []param {
	var all []param
	close := open.Match()
	for t := open.Next(); t.Kind() != 0 && t != close; {
		if t.Is(",") {
			t = t.Next()
			continue
		}
		p := param{first: t}
		if t.Is("...") {
			t = t.Next()
		}
		var next lexer.Token
		if t.Is("{", "[") && t.Match().Kind() != 0 { // a pattern
			p.label = span{t, t.Match()}.in(f)
			p.member, next = p.readRest(t.Match().Next(), close)
		} else {
			p.member, next = readMember(f, t, close)
		}
		if next.Start() <= t.Start() {
			next = t.Next()
		}
		all = append(all, p)
		t = next
	}
	return all
}

// property reports whether a parameter of a constructor declares a property.
func (p param) property() bool {
	return slices.ContainsFunc(p.modifiers, func(m string) bool {
		return slices.Contains([]string{"public", "private", "protected", "readonly", "override"}, m)
	})
}
