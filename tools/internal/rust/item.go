package rust

import (
	"strings"

	"tidepool/internal/lexer"
)

// An itemDecl is the declaration of a Rust struct, union, enum, trait, type alias or function.
type itemDecl struct {
	file    *lexer.File
	keyword string // "struct", "enum", "fn", …
	name    lexer.Token
	first   lexer.Token // of its visibility or keyword, behind attributes
	body    lexer.Token // the bracket that holds fields, variants or statements; the parameters of a tuple struct; none
	last    lexer.Token
}

// itemAt returns the item whose name stands at a token.
func itemAt(f *lexer.File, name lexer.Token) (itemDecl, bool) {
	keyword := name.Prev()
	if !keyword.Is("struct", "union", "enum", "trait", "type", "fn") {
		return itemDecl{}, false
	}
	item := itemDecl{file: f, keyword: keyword.Text(), name: name, first: first(keyword)}
	params := item.keyword == "fn" // whose parentheses are no body
	for t := name.Next(); t.Kind() != 0; t = t.Next() {
		switch {
		case t.Is(";"):
			item.last = t
			return item, true
		case t.Is("(") && item.keyword == "struct" && item.body.Kind() == 0:
			item.body, t = t, t.Match()
		case t.Is("{") && !(params && item.body.Kind() != 0):
			item.body, item.last = t, t.Match()
			return item, item.last.Kind() != 0
		case t.Is("(", "["):
			t = t.Match()
		case t.Is("}"):
			return itemDecl{}, false
		}
		if t.Kind() == 0 {
			break // a bracket that is not closed
		}
	}
	return itemDecl{}, false
}

// first goes back over what stands before a keyword: pub(crate) const unsafe extern "C" fn.
func first(keyword lexer.Token) lexer.Token {
	first := keyword
	for {
		before := first.Prev()
		switch {
		case before.Is("pub", "const", "unsafe", "async", "extern", "auto", "default"):
			first = before
		case before.Kind() == lexer.String && before.Prev().Is("extern"):
			first = before
		case before.Is(")") && before.Match().Prev().Is("pub"):
			first = before.Match().Prev()
		default:
			return first
		}
	}
}

// doc is what the comments above the item say, over its attributes.
func (i itemDecl) doc() string { return docAbove(i.file, i.first.Line()) }

// docAbove reads the comments for documentation above a line.
func docAbove(f *lexer.File, line int) string {
	var lines []string
	for line--; line > 0; line-- {
		text := strings.TrimSpace(f.Line(line))
		comment, ok := strings.CutPrefix(text, "///")
		switch {
		case ok:
			lines = append([]string{strings.TrimSpace(comment)}, lines...)
		case strings.HasPrefix(text, "#["):
		default:
			return strings.Join(lines, " ")
		}
	}
	return strings.Join(lines, " ")
}

func (i itemDecl) raw() string { return i.file.Text(i.first.Start(), i.last.End()) }

// A piece is what stands between two commas of a list.
type piece struct{ first, last lexer.Token }

func (p piece) text(f *lexer.File) string {
	return strings.Join(strings.Fields(f.Text(p.first.Start(), p.last.End())), " ")
}

// parts cuts what a bracket holds at its commas, those between type arguments apart. Attributes are left out.
func parts(open lexer.Token) []piece {
	var parts []piece
	var part piece
	end := open.Match()
	depth := 0 // of < >
	for t := open.Next(); t.Kind() != 0 && t != end; t = t.Next() {
		switch {
		case t.Is("#") && part.first.Kind() == 0 && t.Next().Is("["):
			t = t.Next().Match()
			continue
		case t.Is("<"):
			depth++
		case t.Is(">"):
			depth--
		case t.Is(",") && depth <= 0:
			if part.first.Kind() != 0 {
				parts = append(parts, part)
			}
			part = piece{}
			continue
		}
		if part.first.Kind() == 0 {
			part.first = t
		}
		if closing := t.Match(); closing.Kind() != 0 && closing.Start() > t.Start() {
			t = closing
		}
		part.last = t
	}
	if part.first.Kind() != 0 {
		parts = append(parts, part)
	}
	return parts
}

// visible skips the visibility of a field.
func (p piece) visible() piece {
	if p.first.Is("pub") {
		p.first = p.first.Next()
		if p.first.Is("(") && p.first.Match() != p.last { // pub(crate) T, but not pub (A, B)
			p.first = p.first.Match().Next()
		}
	}
	return p
}

// functions lists the functions that the body of an impl or trait declares.
func functions(f *lexer.File, body lexer.Token) []itemDecl {
	var all []itemDecl
	end := body.Match()
	for t := body.Next(); t.Kind() != 0 && t != end; t = t.Next() {
		if t.Is("fn") {
			if item, ok := itemAt(f, t.Next()); ok {
				all = append(all, item)
				t = item.last
				continue
			}
		}
		if closing := t.Match(); closing.Kind() != 0 && closing.Start() > t.Start() {
			t = closing
		}
	}
	return all
}

// signature returns a function's parameters and its result, "" for none.
func (i itemDecl) signature() (params []string, result string) {
	open := i.name.Next()
	if open.Is("<") {
		open = open.Angles().Next()
	}
	if !open.Is("(") {
		return nil, ""
	}
	for _, p := range parts(open) {
		params = append(params, p.text(i.file))
	}
	arrow := open.Match().Next()
	if !arrow.Is("->") {
		return params, ""
	}
	returned := piece{first: arrow.Next()}
	for t := returned.first; t.Kind() != 0 && t != i.body && t != i.last && !t.Is("where"); t = t.Next() {
		returned.last = t
	}
	if returned.last.Kind() == 0 {
		return params, ""
	}
	return params, returned.text(i.file)
}
