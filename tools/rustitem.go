package tools

import (
	"strings"

	"tidepool/internal/lexer"
)

// A rsItem is the declaration of a Rust struct, union, enum, trait, type alias or function.
type rsItem struct {
	file    *lexer.File
	keyword string // "struct", "enum", "fn", …
	name    lexer.Token
	first   lexer.Token // of its visibility or keyword, behind attributes
	body    lexer.Token // the bracket that holds fields, variants or statements; the parameters of a tuple struct; none
	last    lexer.Token
}

// rsItemAt returns the item whose name stands at a token.
func rsItemAt(f *lexer.File, name lexer.Token) (rsItem, bool) {
	keyword := name.Prev()
	if !keyword.Is("struct", "union", "enum", "trait", "type", "fn") {
		return rsItem{}, false
	}
	item := rsItem{file: f, keyword: keyword.Text(), name: name, first: rsFirst(keyword)}
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
			return rsItem{}, false
		}
		if t.Kind() == 0 {
			break // a bracket that is not closed
		}
	}
	return rsItem{}, false
}

// rsFirst goes back over what stands before a keyword: pub(crate) const unsafe extern "C" fn.
func rsFirst(keyword lexer.Token) lexer.Token {
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
func (i rsItem) doc() string { return rsDoc(i.file, i.first.Line()) }

// rsDoc reads the comments for documentation above a line.
func rsDoc(f *lexer.File, line int) string {
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

func (i rsItem) raw() string { return i.file.Text(i.first.Start(), i.last.End()) }

// A rsPart is what stands between two commas of a list.
type rsPart struct{ first, last lexer.Token }

func (p rsPart) text(f *lexer.File) string {
	return strings.Join(strings.Fields(f.Text(p.first.Start(), p.last.End())), " ")
}

// rsParts cuts what a bracket holds at its commas, those between type arguments apart. Attributes are left out.
func rsParts(open lexer.Token) []rsPart {
	var parts []rsPart
	var part rsPart
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
			part = rsPart{}
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
func (p rsPart) visible() rsPart {
	if p.first.Is("pub") {
		p.first = p.first.Next()
		if p.first.Is("(") && p.first.Match() != p.last { // pub(crate) T, but not pub (A, B)
			p.first = p.first.Match().Next()
		}
	}
	return p
}

// functions lists the functions that the body of an impl or trait declares.
func rsFunctions(f *lexer.File, body lexer.Token) []rsItem {
	var all []rsItem
	end := body.Match()
	for t := body.Next(); t.Kind() != 0 && t != end; t = t.Next() {
		if t.Is("fn") {
			if item, ok := rsItemAt(f, t.Next()); ok {
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
func (i rsItem) signature() (params []string, result string) {
	open := i.name.Next()
	if open.Is("<") {
		open = open.Angles().Next()
	}
	if !open.Is("(") {
		return nil, ""
	}
	for _, p := range rsParts(open) {
		params = append(params, p.text(i.file))
	}
	arrow := open.Match().Next()
	if !arrow.Is("->") {
		return params, ""
	}
	returned := rsPart{first: arrow.Next()}
	for t := returned.first; t.Kind() != 0 && t != i.body && t != i.last && !t.Is("where"); t = t.Next() {
		returned.last = t
	}
	if returned.last.Kind() == 0 {
		return params, ""
	}
	return params, returned.text(i.file)
}
