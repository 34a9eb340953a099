package typescript

import (
	"fmt"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/graph"
)

// addMember gives a type a method that what implements or makes it must have; of a class that can be made itself, a
// method that what stands in for it must have.
func (e editor) addMember(name string) ([]lsp.Edit, error) {
	t, ok := typeNamed(e.file, e.path, e.name)
	if !ok {
		return nil, senseless("%s is no type that has methods", e.name.Text())
	}
	open, err := t.object()
	if err != nil {
		return nil, err
	}
	name = nameOr(name, added)
	for _, m := range membersIn(t.file, open) {
		if m.label == name {
			return nil, refuse("%s has a member %s already", t.name.Text(), name)
		}
	}
	member := " " + name + "(...all: any): any;"
	switch t.kind() {
	case "abstract class":
		member = " abstract" + member
	case "class":
		member = " " + name + "(...all: any): any {}"
	}
	return []lsp.Edit{e.insert(open.End(), member)}, nil
}

// object returns the brace that holds members of a type, in an intersection the first.
func (t typeDecl) object() (lexer.Token, error) {
	if t.body.Kind() != 0 && t.word != "enum" {
		return t.body, nil
	}
	for _, part := range t.parts("&") {
		if part.first.Is("{") && !mapped(part.first) {
			return part.first, nil
		}
	}
	return lexer.Token{}, senseless("%s is %s, which has no members of its own", t.name.Text(), withArticle(t.kind()))
}

// remove takes a declaration away.
func (e editor) remove() ([]lsp.Edit, error) {
	if members := e.member(); len(members) > 0 {
		var edits []lsp.Edit
		for _, m := range members {
			edits = append(edits, e.replace(m.first.Start(), m.last.End(), ""))
		}
		return edits, nil
	}
	if p, ok := e.parameterProperty(); ok { // the parameter stays
		return []lsp.Edit{e.replace(p.first.Start(), p.name.Start(), "")}, nil
	}
	if t, ok := typeNamed(e.file, e.path, e.name); ok && t.word == "type" && t.value.last.Kind() == 0 {
		return nil, refuse("the end of %s is not to be seen", e.name.Text())
	}
	var edits []lsp.Edit
	for _, t := range e.siblings() {
		s := e.declarationOf(t)
		if s.last.Kind() == 0 {
			return nil, refuse("the end of %s is not to be seen", e.name.Text())
		}
		edits = append(edits, e.without(s))
	}
	return edits, nil
}

// without removes a declaration. A file that exported it must stay a module.
func (e editor) without(s span) lsp.Edit {
	end := s.last.End()
	if next := s.last.Next(); next.Is(";") {
		end = next.End()
	}
	text := ""
	if s.first.Is("export") && s.first.Outer().Kind() == 0 {
		text = "export {};"
	}
	return e.replace(s.first.Start(), end, text)
}

// declarationOf returns the whole declaration of a name outside of types, or, in a list of variables, its part of the list.
func (e editor) declarationOf(name lexer.Token) span {
	first := name.Statement()
	if t, ok := typeNamed(e.file, e.path, name); ok {
		return t.statement()
	}
	if name.Prev().Is("function") || name.Prev().Is("*") {
		m := member{}
		open := behindGenerics(name.Next())
		m, next := m.readRest(open.Match().Next(), lexer.Token{})
		if m.body {
			return span{first, e.lastBefore(next)}
		}
		return span{first, next} // the semicolon of an overload
	}
	return e.variable(name, first)
}

// lastBefore returns the last token before another one, the last of the file before the zero Token.
func (e editor) lastBefore(next lexer.Token) lexer.Token {
	if next.Kind() != 0 {
		return next.Prev()
	}
	all := e.file.Tokens()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Kind() != lexer.Comment {
			return all[i]
		}
	}
	return lexer.Token{}
}

// variable returns the declaration of a variable, with the comma that parts it from its neighbour in a list.
func (e editor) variable(name, first lexer.Token) span {
	m := member{}
	m, next := m.readRest(name.Next(), lexer.Token{})
	last := e.lastBefore(next)
	switch {
	case name.Prev().Is(","):
		return span{name.Prev(), last}
	case next.Is(","):
		return span{name, next}
	}
	return span{first, last}
}

// retype gives what is declared another type.
func (e editor) retype(words string) (revision, error) {
	words = strings.TrimSpace(words)
	switch {
	case words == "":
		return revision{}, graph.Unclear("the new type is not said")
	case !madeOf(words):
		return revision{}, graph.Unclear("%q is no type: say the new one", words)
	}
	edits, err := e.retypeAs(words)
	return revision{edits: edits, unread: meaningless(words)}, err
}

// meaningless is why nothing was tried with a type whose names mean nothing.
func meaningless(typ string) string {
	return fmt.Sprintf("%q means nothing there: say a type that is there", strings.TrimSpace(typ))
}

func (e editor) retypeAs(typ string) ([]lsp.Edit, error) {
	if t, ok := typeNamed(e.file, e.path, e.name); ok {
		if t.word != "type" {
			return nil, refuse("%s is %s: name the member that changes its type", t.name.Text(), withArticle(t.kind()))
		}
		return []lsp.Edit{e.replace(t.value.first.Start(), t.value.last.End(), typ)}, nil
	}
	if members := e.member(); len(members) > 0 {
		if _, word := owner(e.name.Outer()); word == "enum" {
			return nil, refuse("%s is a member of an enum, which has no type of its own", e.name.Text())
		}
		var edits []lsp.Edit
		for _, m := range members {
			edits = append(edits, e.annotate(m.member, m.name, typ))
		}
		return edits, nil
	}
	if p, ok := e.parameterProperty(); ok {
		return []lsp.Edit{e.annotate(p.member, p.name, typ)}, nil
	}
	var edits []lsp.Edit
	for _, t := range e.siblings() {
		edits = append(edits, e.annotateAt(t, typ))
	}
	return edits, nil
}

// annotateAt writes the type of a variable, or of the result of a function.
func (e editor) annotateAt(name lexer.Token, typ string) lsp.Edit {
	m := member{}
	if !name.Prev().Is("function") && !name.Prev().Is("*") {
		m, _ = m.readRest(name.Next(), lexer.Token{})
		if s, ok := functionValue(m.value.first); ok && !m.typ.is() && s.open.Kind() != 0 {
			return e.result(s, typ)
		}
		return e.annotate(m, name, typ)
	}
	first := name.Statement()
	async := first.Is("async") || first.Next().Is("async") || first.Next().Next().Is("async")
	return e.result(signature{open: behindGenerics(name.Next()), async: async}, typ)
}

// result writes what a function returns.
func (e editor) result(s signature, typ string) lsp.Edit {
	if s.async && !strings.HasPrefix(typ, "Promise<") {
		typ = "Promise<" + typ + ">"
	}
	end := s.open.Match()
	if !end.Next().Is(":") {
		return e.insert(end.End(), ": "+typ)
	}
	first := end.Next().Next()
	last := endOf(first, lexer.Token{}, "{", "=>", "=")
	return e.replace(first.Start(), last.End(), typ)
}

// annotate writes the type of a member, or of the result of a method.
func (e editor) annotate(m member, name lexer.Token, typ string) lsp.Edit {
	switch {
	case m.params.Kind() != 0 && m.has("set"):
		if all := params(e.file, m.params); len(all) > 0 {
			return e.annotate(all[0].member, all[0].name, typ)
		}
	case m.params.Kind() != 0:
		return e.result(signature{open: m.params, async: m.has("async")}, typ)
	case m.typ.is():
		return e.replace(m.typ.first.Start(), m.typ.last.End(), typ)
	}
	if name.Next().Is("?", "!") {
		name = name.Next()
	}
	return e.insert(name.End(), ": "+typ)
}
