package tools

import (
	"fmt"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// addMember gives a type a method that what implements or makes it must have; of a class that can be made itself, a
// method that what stands in for it must have.
func (e tsEditor) addMember(name string) ([]lsp.Edit, error) {
	t, ok := tsTypeNamed(e.file, e.path, e.name)
	if !ok {
		return nil, senseless("%s is no type that has methods", e.name.Text())
	}
	open, err := t.object()
	if err != nil {
		return nil, err
	}
	name = tsNameOr(name, tsAdded)
	for _, m := range tsMembers(t.file, open) {
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

// object is the brace that holds members of a type, in an intersection the first.
func (t tsType) object() (lexer.Token, error) {
	if t.body.Kind() != 0 && t.word != "enum" {
		return t.body, nil
	}
	for _, part := range t.parts("&") {
		if part.first.Is("{") && !tsMapped(part.first) {
			return part.first, nil
		}
	}
	return lexer.Token{}, senseless("%s is %s, which has no members of its own", t.name.Text(), withArticle(t.kind()))
}

// remove takes a declaration away.
func (e tsEditor) remove() ([]lsp.Edit, error) {
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
	if t, ok := tsTypeNamed(e.file, e.path, e.name); ok && t.word == "type" && t.value.last.Kind() == 0 {
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
func (e tsEditor) without(s tsSpan) lsp.Edit {
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

// declarationOf is the whole declaration of a name outside of types, or, in a list of variables, its part of the list.
func (e tsEditor) declarationOf(name lexer.Token) tsSpan {
	first := name.Statement()
	if t, ok := tsTypeNamed(e.file, e.path, name); ok {
		return t.statement()
	}
	if name.Prev().Is("function") || name.Prev().Is("*") {
		m := tsMember{}
		open := tsBehindGenerics(name.Next())
		m, next := m.readRest(open.Match().Next(), lexer.Token{})
		if m.body {
			return tsSpan{first, e.lastBefore(next)}
		}
		return tsSpan{first, next} // the semicolon of an overload
	}
	return e.variable(name, first)
}

// lastBefore is the last token before another one, the last of the file before the zero Token.
func (e tsEditor) lastBefore(next lexer.Token) lexer.Token {
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

// variable is the declaration of a variable, with the comma that parts it from its neighbour in a list.
func (e tsEditor) variable(name, first lexer.Token) tsSpan {
	m := tsMember{}
	m, next := m.readRest(name.Next(), lexer.Token{})
	last := e.lastBefore(next)
	switch {
	case name.Prev().Is(","):
		return tsSpan{name.Prev(), last}
	case next.Is(","):
		return tsSpan{name, next}
	}
	return tsSpan{first, last}
}

// retype gives what is declared another type. Without words it is a type that no value has.
func (e tsEditor) retype(words string) (tsRevision, error) {
	words = strings.TrimSpace(words)
	switch {
	case words == "":
		edits, err := e.retypeAs(tsUnfit)
		return tsRevision{edits: edits, guess: "the words do not say the new type, so one was tried that no value has"}, err
	case !tsMadeOf(words):
		return tsRevision{}, refuse("%q is no type, so that nothing was tried: say the new type", words)
	}
	edits, err := e.retypeAs(words)
	return tsRevision{edits: edits, unread: fmt.Sprintf("%q means nothing there, so that nothing was tried: say a type that is there", words)}, err
}

func (e tsEditor) retypeAs(typ string) ([]lsp.Edit, error) {
	if t, ok := tsTypeNamed(e.file, e.path, e.name); ok {
		if t.word != "type" {
			return nil, refuse("%s is %s: name the member that changes its type", t.name.Text(), withArticle(t.kind()))
		}
		return []lsp.Edit{e.replace(t.value.first.Start(), t.value.last.End(), typ)}, nil
	}
	if members := e.member(); len(members) > 0 {
		if _, word := tsOwner(e.name.Outer()); word == "enum" {
			return nil, refuse("%s is a member of an enum, which has no type of its own", e.name.Text())
		}
		var edits []lsp.Edit
		for _, m := range members {
			edits = append(edits, e.annotate(m.tsMember, m.name, typ))
		}
		return edits, nil
	}
	if p, ok := e.parameterProperty(); ok {
		return []lsp.Edit{e.annotate(p.tsMember, p.name, typ)}, nil
	}
	var edits []lsp.Edit
	for _, t := range e.siblings() {
		edits = append(edits, e.annotateAt(t, typ))
	}
	return edits, nil
}

// annotateAt writes the type of a variable, or of the result of a function.
func (e tsEditor) annotateAt(name lexer.Token, typ string) lsp.Edit {
	m := tsMember{}
	if !name.Prev().Is("function") && !name.Prev().Is("*") {
		m, _ = m.readRest(name.Next(), lexer.Token{})
		if s, ok := tsFunctionValue(m.value.first); ok && !m.typ.is() && s.open.Kind() != 0 {
			return e.result(s, typ)
		}
		return e.annotate(m, name, typ)
	}
	first := name.Statement()
	async := first.Is("async") || first.Next().Is("async") || first.Next().Next().Is("async")
	return e.result(tsSignature{open: tsBehindGenerics(name.Next()), async: async}, typ)
}

// result writes what a function returns.
func (e tsEditor) result(s tsSignature, typ string) lsp.Edit {
	if s.async && !strings.HasPrefix(typ, "Promise<") {
		typ = "Promise<" + typ + ">"
	}
	end := s.open.Match()
	if !end.Next().Is(":") {
		return e.insert(end.End(), ": "+typ)
	}
	first := end.Next().Next()
	last := tsEnd(first, lexer.Token{}, "{", "=>", "=")
	return e.replace(first.Start(), last.End(), typ)
}

// annotate writes the type of a member, or of the result of a method.
func (e tsEditor) annotate(m tsMember, name lexer.Token, typ string) lsp.Edit {
	switch {
	case m.params.Kind() != 0 && m.has("set"):
		if all := tsParams(e.file, m.params); len(all) > 0 {
			return e.annotate(all[0].tsMember, all[0].name, typ)
		}
	case m.params.Kind() != 0:
		return e.result(tsSignature{open: m.params, async: m.has("async")}, typ)
	case m.typ.is():
		return e.replace(m.typ.first.Start(), m.typ.last.End(), typ)
	}
	if name.Next().Is("?", "!") {
		name = name.Next()
	}
	return e.insert(name.End(), ": "+typ)
}
