package tools

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/tools/internal/wording"
)

// A tsSpan is a run of tokens, both ends included; the zero one is empty.
type tsSpan struct{ first, last lexer.Token }

func (s tsSpan) is() bool { return s.first.Kind() != 0 }

// in is the text of a span on one line.
func (s tsSpan) in(f *lexer.File) string {
	if !s.is() || s.last.End() < s.first.Start() {
		return ""
	}
	return wording.OneLine(f.Text(s.first.Start(), s.last.End()))
}

// A tsMember is what stands between the braces of a class, interface, object type or enum.
type tsMember struct {
	name      lexer.Token // zero: of a signature without a name
	label     string      // the name as written, "[key: string]", "new"
	modifiers []string    // "readonly", "static", …; "optional" for ?
	typ       tsSpan      // as declared; of a method its result
	value     tsSpan      // behind =
	params    lexer.Token // "(" of a method
	generics  tsSpan      // type parameters of a method
	body      bool        // it has one
	doc       string
}

func (m tsMember) has(modifier string) bool { return slices.Contains(m.modifiers, modifier) }

// method says whether a member is called, accessors left out.
func (m tsMember) method() bool { return m.params.Kind() != 0 && !m.has("get") && !m.has("set") }

// signature writes the type of a method: "(key: string): Error".
func (m tsMember) signature(f *lexer.File) string {
	text := m.generics.in(f) + tsSpan{m.params, m.params.Match()}.in(f)
	if result := m.typ.in(f); result != "" {
		text += ": " + result
	}
	return text
}

// tsModifier says whether a token may stand before the name of a member.
func tsModifier(t lexer.Token) bool {
	return t.Is("public", "private", "protected", "static", "readonly", "abstract", "override", "declare", "async", "accessor", "get", "set", "export", "const")
}

// tsMembers lists what stands between braces.
func tsMembers(f *lexer.File, open lexer.Token) []tsMember {
	var all []tsMember
	close := open.Match()
	for t := open.Next(); t.Kind() != 0 && t != close; {
		if t.Is(";", ",") {
			t = t.Next()
			continue
		}
		m, next := tsReadMember(f, t, close)
		all = append(all, m)
		if next.Start() <= t.Start() { // nothing was taken
			next = t.Next()
		}
		t = next
	}
	return all
}

// tsReadMember reads the member that begins at t and returns the token behind it.
func tsReadMember(f *lexer.File, t, close lexer.Token) (tsMember, lexer.Token) {
	m := tsMember{doc: tsDoc(t)}
	for t.Is("@") { // a decorator
		t = t.Next().Next()
		for t.Is(".") {
			t = t.Next().Next()
		}
		if t.Is("(") {
			t = t.Match().Next()
		}
	}
	for tsModifier(t) && !t.Next().Is("(", ":", "?", "!", "=", ";", ",", "<", "{") && t.Next() != close {
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
		m.generics = tsSpan{t, end}
		t = end.Next()
	}
	if t.Is("(") && t.Match().Kind() != 0 {
		m.params = t
		t = t.Match().Next()
	}
	return m.readRest(t, close)
}

// readName takes the name and returns the token behind it.
func (m *tsMember) readName(f *lexer.File, t lexer.Token) lexer.Token {
	switch {
	case t.Is("[") && t.Match().Kind() != 0: // a computed name or an index signature
		m.label = tsSpan{t, t.Match()}.in(f)
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
func (m *tsMember) readRest(t, close lexer.Token) (tsMember, lexer.Token) {
	if t.Is(":") {
		last := tsEnd(t.Next(), close, "=", "{")
		m.typ = tsSpan{t.Next(), last}
		t = last.Next()
	}
	if t.Is("=") {
		last := tsEnd(t.Next(), close)
		m.value = tsSpan{t.Next(), last}
		t = last.Next()
	}
	if t.Is("{") && t.Match().Kind() != 0 {
		m.body = true
		t = t.Match().Next()
	}
	return *m, t
}

// tsEnd is the last token of the type or value that begins at t: before a semicolon or comma, what closes around it, one
// of stops, or a line that begins another member.
func tsEnd(t, close lexer.Token, stops ...string) lexer.Token {
	last := t
	for first := true; t.Kind() != 0 && t != close; first = false {
		switch {
		case t.Is(";", ",", ")", "]", "}"), !first && t.Is(stops...) && !(t.Is("{") && tsWants(last)):
			return last
		case !first && t.Line() > last.Line() && !tsWants(last) && !tsContinues(t):
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

// tsWants says whether something must follow a token.
func tsWants(t lexer.Token) bool {
	if t.Kind() == lexer.Keyword {
		return t.Is("extends", "keyof", "typeof", "readonly", "new", "infer", "is", "await", "as", "in")
	}
	return t.Kind() == lexer.Punctuation && !t.Is(")", "]", "}", ">", "++", "--", "!")
}

// tsContinues says whether a token at the start of a line belongs to what stands before it.
func tsContinues(t lexer.Token) bool {
	if t.Kind() == lexer.Keyword {
		return t.Is("extends", "as", "satisfies", "is", "instanceof", "in")
	}
	return t.Kind() == lexer.Punctuation && !t.Is("[", "{", "(", "@", "*", "<") && !strings.HasPrefix(t.Text(), "#")
}

// tsDoc is the comment before a token, without what marks it as one.
func tsDoc(t lexer.Token) string {
	text := t.Comment().Text()
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "/*"), "*"), "*/")
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//"))
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(line, "*")))
	}
	return wording.OneLine(strings.Join(lines, " "))
}

// A tsParam is a parameter of a function.
type tsParam struct {
	tsMember
	first lexer.Token
}

// tsParams lists the parameters between brackets.
func tsParams(f *lexer.File, open lexer.Token) []tsParam {
	var all []tsParam
	close := open.Match()
	for t := open.Next(); t.Kind() != 0 && t != close; {
		if t.Is(",") {
			t = t.Next()
			continue
		}
		p := tsParam{first: t}
		if t.Is("...") {
			t = t.Next()
		}
		var next lexer.Token
		if t.Is("{", "[") && t.Match().Kind() != 0 { // a pattern
			p.label = tsSpan{t, t.Match()}.in(f)
			p.tsMember, next = p.readRest(t.Match().Next(), close)
		} else {
			p.tsMember, next = tsReadMember(f, t, close)
		}
		if next.Start() <= t.Start() {
			next = t.Next()
		}
		all = append(all, p)
		t = next
	}
	return all
}

// property says whether a parameter of a constructor declares a property.
func (p tsParam) property() bool {
	return slices.ContainsFunc(p.modifiers, func(m string) bool {
		return slices.Contains([]string{"public", "private", "protected", "readonly", "override"}, m)
	})
}
