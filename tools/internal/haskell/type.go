package haskell

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
)

// A typeDecl is a type declaration of Haskell.
type typeDecl struct {
	file         *lexer.File
	form         string // "data", "newtype", "GADT", "class", "type", "type family", "data family"
	name         string
	first, last  lexer.Token
	constructors []constructor // data, newtype, GADT; the methods of a class; the equations of a closed family
	target       lexer.Token   // form type: behind the =
}

// A constructor is one constructor, or a method or equation.
type constructor struct {
	name   string
	at     lexer.Token // of the name
	first  lexer.Token
	last   lexer.Token
	fields []field
	record bool
}

type field struct {
	name   string // "" in constructors without names
	typ    string
	strict bool
	at     lexer.Token
}

// typeAt returns the type declaration that a token stands in.
func typeAt(f *lexer.File, t lexer.Token) (typeDecl, bool) {
	head := t.Statement()
	d := typeDecl{file: f, form: head.Text(), first: head, last: end(head)}
	name := head.Next()
	switch {
	case !head.Is("data", "newtype", "type", "class"):
		return typeDecl{}, false
	case name.Is("family"):
		d.form, name = head.Text()+" family", name.Next()
	case name.Is("instance"):
		d.form, name = head.Text()+" instance", name.Next()
	}
	body, kind := bodyBehind(name, d.last)
	if head.Is("class", "data", "newtype") {
		name = behindContext(name, body, d.last)
	}
	for name.Is("(") && name.Match().Kind() != 0 { // data (a :+: b)
		name = name.Next()
	}
	d.name = name.Text()
	d.read(body, kind)
	return d, d.name != ""
}

// end is the last token of the declaration that starts at head.
func end(head lexer.Token) lexer.Token {
	last := head
	for t := head.Next(); t.Kind() != 0; t = t.Next() {
		if _, column := t.Position(); column == 1 && t.Outer().Kind() == 0 && !t.Is("}") {
			break
		}
		last = t
	}
	return last
}

// bodyBehind finds what separates a declaration's head from its body: "=" or "where"; "" if there is no body.
func bodyBehind(t, last lexer.Token) (lexer.Token, string) {
	for ; t.Kind() != 0; t = t.Next() {
		switch {
		case t.Outer().Kind() == 0 && t.Is("=", "where"):
			return t, t.Text()
		case t == last:
			return lexer.Token{}, ""
		}
	}
	return lexer.Token{}, ""
}

// behindContext skips "(Eq a, Show a) =>".
func behindContext(name, body, last lexer.Token) lexer.Token {
	for t := name; t.Kind() != 0 && t != body && t != last; t = t.Next() {
		if t.Is("=>") && t.Outer().Kind() == 0 {
			return t.Next()
		}
	}
	return name
}

// read takes the body.
func (d *typeDecl) read(body lexer.Token, kind string) {
	switch {
	case kind == "=" && d.form == "type":
		d.target = body.Next()
	case kind == "=" && (d.form == "data" || d.form == "newtype" || strings.HasSuffix(d.form, " instance")):
		for _, span := range alternatives(body.Next(), d.last) {
			if c, ok := plain(d.file, span); ok {
				d.constructors = append(d.constructors, c)
			}
		}
	case kind == "where":
		for _, span := range lines(body.Next(), d.last) {
			d.signature(span)
		}
		if d.form == "data" || d.form == "newtype" {
			d.form = "GADT"
		}
	}
}

// signature takes "A, B :: x -> y" of a GADT or class, or an equation of a family.
func (d *typeDecl) signature(s stretch) {
	if s.first.Is("deriving", "default", "infixl", "infixr", "infix", "type", "data", "}") {
		return
	}
	halves := cut(s, "::")
	if strings.HasSuffix(d.form, " family") {
		d.constructors = append(d.constructors, constructor{name: s.text(d.file), at: s.first, first: s.first, last: s.last})
		return
	}
	if len(halves) < 2 || halves[1].first.Kind() == 0 {
		return
	}
	typ := stretch{halves[1].first, s.last}
	for _, n := range cut(halves[0], ",") {
		c := constructor{name: strings.Trim(n.text(d.file), "()"), at: n.first, first: n.first, last: s.last}
		arrows := cut(unqualified(typ), "->")
		for _, from := range arrows[:len(arrows)-1] {
			if from.first.Is("{") && from.first.Match() == from.last {
				c.record, c.fields = true, append(c.fields, record(d.file, from.first)...)
			} else {
				c.fields = append(c.fields, fieldOf(d.file, "", from))
			}
		}
		d.constructors = append(d.constructors, c)
	}
}

// plain takes a constructor as it stands between bars: A x y, A { f :: x }, x :+ y.
func plain(f *lexer.File, s stretch) (constructor, bool) {
	if s.first.Kind() == 0 {
		return constructor{}, false
	}
	s = unqualified(s)
	atoms := atoms(s)
	if i := slices.IndexFunc(atoms, func(a stretch) bool { return strings.HasPrefix(a.first.Text(), ":") || a.first.Is("`") }); i > 0 {
		c := constructor{name: strings.Trim(atoms[i].text(f), "`"), at: atoms[i].first, first: s.first, last: s.last}
		left := fieldOf(f, "", stretch{s.first, atoms[i-1].last})
		right := fieldOf(f, "", stretch{atoms[i].last.Next(), s.last})
		c.fields = []field{left, right}
		return c, true
	}
	c := constructor{name: strings.Trim(atoms[0].text(f), "()"), at: s.first, first: s.first, last: s.last}
	for _, a := range atoms[1:] {
		if a.first.Is("{") {
			c.record, c.fields = true, record(f, a.first)
			break
		}
		c.fields = append(c.fields, fieldOf(f, "", a))
	}
	return c, true
}

// record takes { a, b :: !x, c :: y }.
func record(f *lexer.File, open lexer.Token) []field {
	var fields []field
	var names []lexer.Token
	for _, part := range cut(stretch{open.Next(), open.Match().Prev()}, ",") {
		halves := cut(part, "::")
		if halves[0].first.Kind() == 0 {
			continue
		}
		names = append(names, halves[0].first)
		if len(halves) < 2 || halves[1].first.Kind() == 0 {
			continue
		}
		for _, name := range names {
			field := fieldOf(f, strings.Trim(name.Text(), "()"), stretch{halves[1].first, part.last})
			field.at = name
			fields = append(fields, field)
		}
		names = nil
	}
	return fields
}

func fieldOf(f *lexer.File, name string, typ stretch) field {
	field := field{name: name, at: typ.first}
	if typ.first.Is("!", "~") {
		field.strict, typ.first = typ.first.Is("!"), typ.first.Next()
	}
	field.typ = typ.text(f)
	return field
}

// docAt reads the comment for documentation at a line: -- ^ behind it, or -- | above it.
func docAt(f *lexer.File, line int) string {
	if _, doc, ok := strings.Cut(f.Line(line), "-- ^"); ok {
		return strings.TrimSpace(doc)
	}
	var lines []string
	for line--; line > 0; line-- {
		text, ok := strings.CutPrefix(strings.TrimSpace(f.Line(line)), "--")
		if !ok {
			return ""
		}
		doc, begins := strings.CutPrefix(strings.TrimSpace(text), "|")
		lines = append([]string{strings.TrimSpace(doc)}, lines...)
		if begins {
			return strings.Join(lines, " ")
		}
	}
	return ""
}
