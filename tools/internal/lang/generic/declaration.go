package generic

import (
	"slices"

	"tidepool/internal/lexer"
)

// A declaration is that of a type.
type declaration struct {
	shape
	first, name, body, last lexer.Token // the body is the sign or bracket before what it holds; none if it holds nothing
	alternatives            []span      // variants or constructors; each begins with its name
	fields                  []field
	read                    bool // all that it holds is known
}

// A field belongs to the alternative with an index. Its name may be none: it has a number.
type field struct {
	of   int
	name lexer.Token
	typ  span
}

// A span is a run of tokens; the zero span is empty.
type span struct{ first, last lexer.Token }

func (s span) has(t lexer.Token) bool {
	return s.first.Kind() != 0 && s.first.Start() <= t.Start() && t.Start() <= s.last.Start()
}

// text leaves out comments, and makes one space of any other.
func (s span) text() string {
	text := s.first.Text()
	for t := s.first.Next(); t.Kind() != 0 && s.has(t); t = t.Next() {
		if t.Start() > t.Prev().End() {
			text += " "
		}
		text += t.Text()
	}
	return text
}

// split cuts a span where a token, outside of brackets and type arguments, is said to be a border. Borders and empty parts are
// left out.
func (r reader) split(s span, border string) []span {
	var all []span
	var part span
	for t := s.first; t.Kind() != 0 && s.has(t); t = t.Next() {
		if t.Is(border) {
			all, part = append(all, part), span{}
			continue
		}
		if border == "" && part.last.End() < t.Start() {
			all, part = append(all, part), span{}
		}
		if part.first.Kind() == 0 {
			part.first = t
		}
		if closing := t.Match(); closing.Start() > t.Start() {
			t = closing
		} else if closing := t.Angles(); closing.Kind() != 0 && !r.layout {
			t = closing
		}
		part.last = t
	}
	return slices.DeleteFunc(append(all, part), func(s span) bool { return s.first.Kind() == 0 })
}

// keyword returns that of the statement around a token, behind attributes and modifiers: #[a] pub(crate) unsafe.
func (r reader) keyword(t lexer.Token) lexer.Token {
	first := t.Statement()
	if use := first.Outer().Prev(); use.Is("use") { // use {a, b as c};
		return use
	}
	return r.bare(first)
}

func (r reader) bare(t lexer.Token) lexer.Token {
	for r.modifiers.has(t) || t.Is("#") && !r.layout {
		if t.Is("#") {
			t = find(t, t.File().At(t.Line()+1, 1), "[").Match()
		} else if t.Next().Is("(") && t.Is("pub") && t.Next().Next().Is("crate", "super", "self", "in") {
			t = t.Next().Match()
		}
		t = t.Next()
	}
	return t
}

// find returns the first of signs from one token up to another, the zero Token for the end of the file, outside of the
// brackets between them; none if there is none.
func find(from, to lexer.Token, signs ...string) lexer.Token {
	for t := from; t.Kind() != 0 && (to.Kind() == 0 || t.Start() < to.Start()); t = t.Next() {
		if t.Is(signs...) {
			return t
		}
		if closing := t.Match(); closing.Start() > t.Start() && (to.Kind() == 0 || closing.Start() < to.Start()) {
			t = closing
		}
	}
	return lexer.Token{}
}

// subject returns the name that a header gives to what it declares, behind its context.
func (r reader) subject(keyword lexer.Token) lexer.Token {
	if arrow := find(keyword, r.last(keyword), "=>", "=", "where"); arrow.Is("=>") && r.layout {
		return arrow.Next()
	}
	return keyword.Next()
}

// last ends the declaration of whose header a token is: a semicolon, the brace that ends the body, the last of its lines.
func (r reader) last(t lexer.Token) lexer.Token {
	if sign := find(t, lexer.Token{}, "{", ";", "}"); !r.layout && sign.Is("{") {
		return sign.Match()
	} else if !r.layout {
		return sign
	}
	for next := t.Next(); next.Kind() != 0; t, next = next, next.Next() {
		if _, column := next.Position(); column == 1 && next.Line() > t.Line() && next.Outer().Kind() == 0 {
			break
		}
	}
	return t
}

// declaration reads the declaration of a type around a token; false if it is in none.
func (r reader) declaration(t lexer.Token) (d declaration, ok bool) {
	for ; t.Kind() != 0; t = t.Outer() {
		keyword := r.keyword(t)
		i := slices.IndexFunc(r.types, func(s shape) bool { return keyword.Is(s.keyword) })
		if i < 0 {
			continue
		}
		d = declaration{shape: r.types[i], first: keyword.Statement(), name: r.subject(keyword), last: r.last(keyword)}
		if d.body = find(d.name, d.last.Next(), "=", "where"); !r.layout {
			d.body = find(d.name, d.last.Next(), "{", "(")
		}
		switch d.holds {
		case "fields":
			d.read = r.addFields(&d, d.body)
		case "alternatives":
			d.read = class(d.name) == "upper" && !d.body.Is("where") && r.addAlternatives(&d)
		}
		return d, d.last.Kind() != 0
	}
	return d, false
}

func inside(open lexer.Token) span {
	if open.Next() == open.Match() || open.Match().Kind() == 0 {
		return span{}
	}
	return span{open.Next(), open.Match().Prev()}
}

func (r reader) addAlternatives(d *declaration) (read bool) {
	held := inside(d.body)
	if r.layout && d.body.Kind() != 0 {
		held = span{d.body.Next(), d.last}
		if derived := find(held.first, d.last, "deriving"); derived.Kind() != 0 {
			held.last = derived.Prev()
		}
	}
	read = true
	for _, s := range r.split(held, r.bar) {
		s.first = r.bare(s.first)
		d.alternatives = append(d.alternatives, s)
		open := s.first.Next()
		switch {
		case class(s.first) != "upper" || s.first.Kind() != lexer.Name:
			read = false
		case s.first == s.last, open.Is("=") && !r.layout:
		case open.Match() == s.last && (open.Is("{") || open.Is("(") && !r.layout):
			read = r.addFields(d, open) && read
		default:
			read = r.layout && r.addOperands(d, span{open, s.last}) && read
		}
	}
	return read
}

// addFields reads what a bracket holds: fields with names in braces, else without.
func (r reader) addFields(d *declaration, open lexer.Token) (read bool) {
	var names []lexer.Token // that share the next type
	for _, s := range r.split(inside(open), ",") {
		name := r.bare(s.first)
		switch {
		case !open.Is("{"):
			names, s.first = []lexer.Token{{}}, name
		case name == s.last && r.layout: // a, b :: T
			names = append(names, name)
			continue
		case !name.Next().Is(r.mark):
			return false
		default:
			names, s.first = append(names, name), name.Next().Next()
		}
		for _, name := range names {
			d.fields = append(d.fields, field{len(d.alternatives) - 1, name, s})
		}
		names = nil
	}
	return len(names) == 0
}

// addOperands reads the types behind a constructor, which white space parts; operators between them are not read.
func (r reader) addOperands(d *declaration, s span) (read bool) {
	for _, part := range r.split(s, "") {
		if part.first.Kind() != lexer.Name && !part.first.Is("(", "[") && (!part.first.Is("!") || part.first == part.last) {
			return false
		}
		d.fields = append(d.fields, field{len(d.alternatives) - 1, lexer.Token{}, part})
	}
	return true
}

// declares returns what a name is to the declaration of a type around it: declared or typed; "" where that is not read.
func (r reader) declares(t lexer.Token) string {
	d, ok := r.declaration(t)
	switch {
	case ok && d.name == t:
		return "declared"
	case !d.read:
	case slices.ContainsFunc(d.fields, func(f field) bool { return f.typ.has(t) }):
		return "typed"
	case slices.ContainsFunc(d.fields, func(f field) bool { return f.name == t }), slices.ContainsFunc(d.alternatives, func(a span) bool { return a.first == t }):
		return "declared"
	}
	return ""
}
