package tools

import (
	"fmt"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/wording"
)

// A tsSignature is where the parameters of something that is called stand, and its result.
type tsSignature struct {
	open  lexer.Token // "(" of the parameters
	alone lexer.Token // the one parameter of a function without brackets; then there is no open
	async bool
}

// addParameter gives what is declared a required parameter that no argument fits, at a position from 1 on, or from the
// end if it is negative; 0 is the first.
func (e tsEditor) addParameter(position int) ([]lsp.Edit, error) {
	signatures, err := e.signatures()
	if err != nil {
		return nil, err
	}
	if len(signatures) == 0 {
		return e.addConstructor()
	}
	var edits []lsp.Edit
	for _, s := range signatures {
		edits = append(edits, e.parameterIn(s, position))
	}
	return edits, nil
}

// parameterIn adds the parameter to one signature. One that is required cannot follow one that is not.
func (e tsEditor) parameterIn(s tsSignature, position int) lsp.Edit {
	added := tsAdded + ": " + tsUnfit
	if s.alone.Kind() != 0 {
		return e.replace(s.alone.Start(), s.alone.End(), "("+added+", "+s.alone.Text()+")")
	}
	all := tsParams(e.file, s.open)
	at := max(position-1, 0)
	if position < 0 {
		at = len(all) + position + 1
	}
	at = min(max(at, 0), len(all))
	for at > 0 && (all[at-1].has("optional") || all[at-1].first.Is("...")) {
		at--
	}
	if at == 0 && len(all) > 0 && all[0].first.Is("this") {
		at = 1
	}
	switch before := s.open.Match().Prev(); {
	case at < len(all):
		return e.insert(all[at].first.Start(), added+", ")
	case len(all) == 0 || before.Is(","):
		return e.insert(before.End(), added)
	default:
		return e.insert(before.End(), ", "+added)
	}
}

// removeParameter takes the parameter with a name away; nothing if there is none.
func (e tsEditor) removeParameter(name string) ([]lsp.Edit, error) {
	signatures, err := e.signatures()
	if err != nil {
		return nil, err
	}
	var edits []lsp.Edit
	for _, s := range signatures {
		if s.open.Kind() == 0 {
			continue
		}
		for _, p := range tsParams(e.file, s.open) {
			if p.label != name || name == "" {
				continue
			}
			last := e.lastOf(p)
			if last.Next().Is(",") {
				last = last.Next()
			}
			edits = append(edits, e.replace(p.first.Start(), last.End(), ""))
		}
	}
	return edits, nil
}

// lastOf is the last token of a parameter.
func (e tsEditor) lastOf(p tsParam) lexer.Token {
	switch last := p.name; {
	case p.value.is():
		return p.value.last
	case p.typ.is():
		return p.typ.last
	case last.Next().Is("?"):
		return last.Next()
	default:
		return last
	}
}

// signatures finds the parameters of what is declared: of all overloads of a function or method, of the function that a
// variable or property holds or that a type is of. None for a class without a constructor.
func (e tsEditor) signatures() ([]tsSignature, error) {
	if t, ok := tsTypeNamed(e.file, e.path, e.name); ok {
		return e.typeSignatures(t)
	}
	if members := e.member(); len(members) > 0 {
		return e.memberSignatures(members)
	}
	var all []tsSignature
	for _, t := range e.siblings() {
		if t.Prev().Is("function") || t.Prev().Is("*") {
			if open := tsBehindGenerics(t.Next()); open.Is("(") {
				all = append(all, tsSignature{open: open, async: t.Statement().Is("async") || t.Prev().Prev().Is("async")})
			}
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return e.variableSignatures()
}

// variableSignatures finds the function in the value and the type of a variable.
func (e tsEditor) variableSignatures() ([]tsSignature, error) {
	if !e.name.Prev().Is("const", "let", "var", ",") {
		return nil, refuse("%s is not called", e.name.Text())
	}
	m := tsMember{}
	m, _ = m.readRest(e.name.Next(), lexer.Token{})
	return e.held(m)
}

// held finds the functions in the type and in the value of a variable or property.
func (e tsEditor) held(m tsMember) ([]tsSignature, error) {
	var all []tsSignature
	if m.typ.is() {
		s, ok := tsFunctionType(m.typ.first)
		if !ok {
			return nil, refuse("the parameters of %s are those of %s", e.name.Text(), wording.Clip(m.typ.in(e.file)))
		}
		all = append(all, s)
	}
	if s, ok := tsFunctionValue(m.value.first); ok {
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, senseless("%s is not declared as a function", e.name.Text())
	}
	return all, nil
}

func (e tsEditor) memberSignatures(members []tsPlaced) ([]tsSignature, error) {
	var all []tsSignature
	for _, m := range members {
		if m.method() {
			all = append(all, tsSignature{open: m.params, async: m.has("async")})
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if members[0].has("get") || members[0].has("set") {
		return nil, senseless("%s is an accessor, which takes no parameters", e.name.Text())
	}
	return e.held(members[0].tsMember)
}

// typeSignatures finds what the values of a type are called with: constructors of a class, call signatures of others.
func (e tsEditor) typeSignatures(t tsType) ([]tsSignature, error) {
	var all []tsSignature
	if t.word == "class" {
		for _, m := range tsMembers(t.file, t.body) {
			if m.label == "constructor" && m.method() {
				all = append(all, tsSignature{open: m.params})
			}
		}
		return all, nil
	}
	if t.body.Kind() != 0 && t.word != "enum" {
		for _, m := range tsMembers(t.file, t.body) {
			if m.label == "" && m.params.Kind() != 0 {
				all = append(all, tsSignature{open: m.params})
			}
		}
	} else if s, ok := tsFunctionType(t.value.first); ok {
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, senseless("%s is %s, which is not called; name a method of it", t.name.Text(), withArticle(t.kind()))
	}
	return all, nil
}

// addConstructor gives a class without one a constructor with the parameter, which hands others on to the one above.
func (e tsEditor) addConstructor() ([]lsp.Edit, error) {
	t, _ := tsTypeNamed(e.file, e.path, e.name)
	made := fmt.Sprintf(" constructor(%s: %s) {}", tsAdded, tsUnfit)
	if len(t.bases) > 0 {
		base := t.bases[0]
		above := e.file.Text(tsHead(base).Start(), base.End())
		made = fmt.Sprintf(" constructor(%s: %s, ...rest: ConstructorParameters<typeof %s>) { super(...rest); }", tsAdded, tsUnfit, above)
	}
	return []lsp.Edit{e.insert(t.body.End(), made)}, nil
}

func tsBehindGenerics(t lexer.Token) lexer.Token {
	if end := t.Angles(); end.Kind() != 0 {
		return end.Next()
	}
	return t
}

// tsFunctionType reads a type like <T>(a: T) => b.
func tsFunctionType(t lexer.Token) (tsSignature, bool) {
	for t.Is("abstract", "new") {
		t = t.Next()
	}
	t = tsBehindGenerics(t)
	return tsSignature{open: t}, t.Is("(") && t.Match().Next().Is("=>")
}

// tsFunctionValue reads a function expression or an arrow function.
func tsFunctionValue(t lexer.Token) (tsSignature, bool) {
	async := t.Is("async")
	if async {
		t = t.Next()
	}
	if t.Is("function") {
		for t = t.Next(); t.Is("*") || t.Kind() == lexer.Name; t = t.Next() {
		}
	} else if t.Kind() == lexer.Name && t.Next().Is("=>") {
		return tsSignature{alone: t, async: async}, true
	}
	t = tsBehindGenerics(t)
	behind := t.Match().Next()
	return tsSignature{open: t, async: async}, t.Is("(") && behind.Is("=>", ":", "{")
}
