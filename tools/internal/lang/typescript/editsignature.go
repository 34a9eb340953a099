package typescript

import (
	"fmt"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
)

// A signature is where the parameters of something that is called stand, and its result.
type signature struct {
	open  lexer.Token // "(" of the parameters
	alone lexer.Token // the one parameter of a function without brackets; then there is no open
	async bool
}

// addParameter gives what is declared a required parameter that no argument fits, at a position from 1 on, or from the
// end if it is negative; 0 is the first.
func (e editor) addParameter(position int) ([]lsp.Edit, error) {
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
func (e editor) parameterIn(s signature, position int) lsp.Edit {
	added := added + ": " + unfit
	if s.alone.Kind() != 0 {
		return e.replace(s.alone.Start(), s.alone.End(), "("+added+", "+s.alone.Text()+")")
	}
	all := params(e.file, s.open)
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
func (e editor) removeParameter(name string) ([]lsp.Edit, error) {
	signatures, err := e.signatures()
	if err != nil {
		return nil, err
	}
	var edits []lsp.Edit
	for _, s := range signatures {
		if s.open.Kind() == 0 {
			continue
		}
		for _, p := range params(e.file, s.open) {
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

// lastOf returns the last token of a parameter.
func (e editor) lastOf(p param) lexer.Token {
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
func (e editor) signatures() ([]signature, error) {
	if t, ok := typeNamed(e.file, e.path, e.name); ok {
		return e.typeSignatures(t)
	}
	if members := e.member(); len(members) > 0 {
		return e.memberSignatures(members)
	}
	var all []signature
	for _, t := range e.siblings() {
		if t.Prev().Is("function") || t.Prev().Is("*") {
			if open := behindGenerics(t.Next()); open.Is("(") {
				all = append(all, signature{open: open, async: t.Statement().Is("async") || t.Prev().Prev().Is("async")})
			}
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return e.variableSignatures()
}

// variableSignatures finds the function in the value and the type of a variable.
func (e editor) variableSignatures() ([]signature, error) {
	if !e.name.Prev().Is("const", "let", "var", ",") {
		return nil, refuse("%s is not called", e.name.Text())
	}
	m := member{}
	m, _ = m.readRest(e.name.Next(), lexer.Token{})
	return e.held(m)
}

// held finds the functions in the type and in the value of a variable or property.
func (e editor) held(m member) ([]signature, error) {
	var all []signature
	if m.typ.is() {
		s, ok := functionType(m.typ.first)
		if !ok {
			return nil, refuse("the parameters of %s are those of %s", e.name.Text(), excerpt.Clip(m.typ.in(e.file)))
		}
		all = append(all, s)
	}
	if s, ok := functionValue(m.value.first); ok {
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, senseless("%s is not declared as a function", e.name.Text())
	}
	return all, nil
}

func (e editor) memberSignatures(members []placed) ([]signature, error) {
	var all []signature
	for _, m := range members {
		if m.method() {
			all = append(all, signature{open: m.params, async: m.has("async")})
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if members[0].has("get") || members[0].has("set") {
		return nil, senseless("%s is an accessor, which takes no parameters", e.name.Text())
	}
	return e.held(members[0].member)
}

// typeSignatures finds what the values of a type are called with: constructors of a class, call signatures of others.
func (e editor) typeSignatures(t typeDecl) ([]signature, error) {
	var all []signature
	if t.word == "class" {
		for _, m := range membersIn(t.file, t.body) {
			if m.label == "constructor" && m.method() {
				all = append(all, signature{open: m.params})
			}
		}
		return all, nil
	}
	if t.body.Kind() != 0 && t.word != "enum" {
		for _, m := range membersIn(t.file, t.body) {
			if m.label == "" && m.params.Kind() != 0 {
				all = append(all, signature{open: m.params})
			}
		}
	} else if s, ok := functionType(t.value.first); ok {
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, senseless("%s is %s, which is not called; name a method of it", t.name.Text(), withArticle(t.kind()))
	}
	return all, nil
}

// addConstructor gives a class without one a constructor with the parameter, which hands others on to the one above.
func (e editor) addConstructor() ([]lsp.Edit, error) {
	t, _ := typeNamed(e.file, e.path, e.name)
	made := fmt.Sprintf(" constructor(%s: %s) {}", added, unfit)
	if len(t.bases) > 0 {
		base := t.bases[0]
		above := e.file.Text(chainHead(base).Start(), base.End())
		made = fmt.Sprintf(" constructor(%s: %s, ...rest: ConstructorParameters<typeof %s>) { super(...rest); }", added, unfit, above)
	}
	return []lsp.Edit{e.insert(t.body.End(), made)}, nil
}

func behindGenerics(t lexer.Token) lexer.Token {
	if end := t.Angles(); end.Kind() != 0 {
		return end.Next()
	}
	return t
}

// functionType reads a type like <T>(a: T) => b.
func functionType(t lexer.Token) (signature, bool) {
	for t.Is("abstract", "new") {
		t = t.Next()
	}
	t = behindGenerics(t)
	return signature{open: t}, t.Is("(") && t.Match().Next().Is("=>")
}

// functionValue reads a function expression or an arrow function.
func functionValue(t lexer.Token) (signature, bool) {
	async := t.Is("async")
	if async {
		t = t.Next()
	}
	if t.Is("function") {
		for t = t.Next(); t.Is("*") || t.Kind() == lexer.Name; t = t.Next() {
		}
	} else if t.Kind() == lexer.Name && t.Next().Is("=>") {
		return signature{alone: t, async: async}, true
	}
	t = behindGenerics(t)
	behind := t.Match().Next()
	return signature{open: t, async: async}, t.Is("(") && behind.Is("=>", ":", "{")
}
