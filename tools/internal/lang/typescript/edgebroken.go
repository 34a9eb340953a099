package typescript

import (
	"context"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// report makes an edge of each complaint, one to a line.
func (t *trial) report(ctx context.Context, complaints []complaint) error {
	var places []lsp.Location
	for _, c := range complaints {
		places = append(places, c.at)
	}
	if err := t.g.OutlineAll(ctx, places); err != nil {
		return err
	}
	for _, c := range complaints {
		e, err := t.edge(ctx, c)
		if err != nil {
			return err
		}
		key := query.Spot{Path: e.To.Path, Line: e.To.Line}
		if !t.found[key] {
			t.found[key] = true
			t.broken = append(t.broken, e)
		}
	}
	return nil
}

func (t *trial) edge(ctx context.Context, c complaint) (scout.Edge, error) {
	role, at, fix := t.meaning(ctx, c)
	outer, err := t.g.Enclosing(ctx, at)
	if err != nil {
		return scout.Edge{}, err
	}
	e := t.g.Edge(t.root, at, outer, role, c.message)
	e.Certain, e.Fix = true, fix
	if u, err := use(ctx, &t.g.Query, at); err == nil {
		e = graph.Having(e, traits(t.g, u, at, role)...)
	}
	broken := []scout.Edge{e}
	graph.InText(t.root, textMethods(), broken)
	return broken[0], nil
}

// meaning returns what the place of a complaint does with what has changed, where to look, and what to do there; "" is what
// the change asks of the role anyway.
func (t *trial) meaning(ctx context.Context, c complaint) (role scout.Role, at lsp.Location, fix string) {
	u, err := use(ctx, &t.g.Query, c.at)
	if err != nil { // gone since
		return scout.RoleReference, c.at, ""
	}
	switch t.change.Kind {
	case scout.AddVariant:
		return missing(c)
	case scout.AddMethod:
		role, fix = incomplete(c, u)
	case scout.AddParameter, scout.ChangeSignature:
		if role = misfit(c, u); role == scout.RoleConversion {
			fix = "adapt to the new signature"
		}
	default:
		if calls(c.token, t.names()) {
			return scout.RoleCall, c.at, ""
		}
		role, fix = t.lost(c, u)
	}
	return role, c.at, fix
}

// names returns under which names a function whose parameters have changed is called; none for other changes.
func (t *trial) names() []string {
	switch t.change.Kind {
	case scout.RemoveParameter, scout.RetypeParameter, scout.ReorderParameters, scout.MakeVariadic:
		return []string{query.BaseOf(t.root.Name)}
	}
	return nil
}

// calls reports whether a token is an argument of a call of one of names, or the name that is called.
func calls(t lexer.Token, names []string) bool {
	if t.Next().Is("(") && slices.Contains(names, t.Text()) {
		return true
	}
	for open := t.Outer(); open.Kind() != 0; open = open.Outer() {
		if open.Is("(") && slices.Contains(names, open.Prev().Text()) {
			return true
		}
	}
	return false
}

// missing returns what lacks the new variant.
func missing(c complaint) (scout.Role, lsp.Location, string) {
	if word := switchAround(c.token); word.Kind() != 0 {
		return scout.RoleSwitch, placeOf(c.at.Path, word), ""
	}
	switch {
	case builds(c.token):
		return scout.RoleTable, c.at, ""
	case c.token.Outer().Is("(") && c.token.Outer().Prev().Kind() == lexer.Name:
		return scout.RoleSwitch, c.at, "handle the new variant before this, or pass it on"
	}
	return scout.RoleConversion, c.at, "take the new variant too, or handle it before"
}

// switchAround returns the switch of which a token is in the default, or that is the last statement of the function whose
// result a token says; the zero Token if there is none.
func switchAround(t lexer.Token) lexer.Token {
	for body := t.Outer(); body.Kind() != 0; body = body.Outer() {
		if word := body.Prev().Match().Prev(); body.Is("{") && body.Prev().Is(")") && word.Is("switch") {
			return word
		}
	}
	for t.Kind() != 0 && !t.Is("{") {
		if end := t.Match(); end.Kind() != 0 && end.Start() > t.Start() {
			t = end
		}
		if t.Is(";", "}") || t.Line() > t.Prev().Line()+20 {
			return lexer.Token{}
		}
		t = t.Next()
	}
	last := t.Match().Prev()
	if last.Is(";") {
		last = last.Prev()
	}
	if open := last.Match(); open.Is("{") && open.Prev().Is(")") && open.Prev().Match().Prev().Is("switch") {
		return open.Prev().Match().Prev()
	}
	return lexer.Token{}
}

// builds reports whether a token begins or names an object that is written out: `const a = {`, `a: {`, `return {`,
// `} satisfies T`.
func builds(t lexer.Token) bool {
	switch next := t.Next(); {
	case t.Is("{"), t.Is("satisfies"), t.Is("return") && next.Is("{"), next.Is(":") && next.Next().Is("{"):
		return true
	case next.Is("=>"):
		return next.Next().Is("(") && next.Next().Next().Is("{")
	}
	m := member{}
	m, _ = m.readRest(t.Next(), lexer.Token{})
	return t.Prev().Is("const", "let", "var", ",", "readonly", "static") && (m.value.first.Is("{") || m.value.first.Is("["))
}

// incomplete returns what lacks the new member.
func incomplete(c complaint, u query.Use) (scout.Role, string) {
	switch {
	case c.token.Prev().Is("class"):
		return inTests(u, scout.RoleMock, scout.RoleImplementation), "add the member"
	case u.Kind == "element":
		return inTests(u, scout.RoleTest, scout.RoleCall), "pass the new property"
	case builds(c.token):
		return inTests(u, scout.RoleMock, scout.RoleLiteral), "add the member"
	}
	return scout.RoleConversion, "fails until what is handed on has the member"
}

// misfit returns what calls or implements with the old signature.
func misfit(c complaint, u query.Use) scout.Role {
	switch {
	case u.Called:
		return inTests(u, scout.RoleTest, scout.RoleCall)
	case u.Kind == "declaration", c.token.Prev().Is("class"), builds(c.token), c.token.Next().Is(":") && !typed(c.token):
		return inTests(u, scout.RoleMock, scout.RoleImplementation)
	case u.Kind == "value" && c.token.Kind() == lexer.Name && c.token.Next().Is(",", ")"):
		return scout.RoleMethodValue
	}
	return scout.RoleConversion
}

// lost returns what uses something that is gone, has another name or another type.
func (t *trial) lost(c complaint, u query.Use) (scout.Role, string) {
	_, isType := typeAt(&t.g.Query, t.at)
	switch {
	case c.token.Prev().Is("class"):
		return inTests(u, scout.RoleMock, scout.RoleImplementation), ""
	case u.Kind == "import" && t.change.Kind == scout.Delete:
		return scout.RoleImport, "drop it from the import"
	case u.Kind == "import":
		return scout.RoleImport, ""
	case u.Kind == "declaration", fills(c.token):
		return scout.RoleLiteral, ""
	case u.Kind == "", t.change.Kind != scout.ChangeType && c.token.Text() != query.BaseOf(t.root.Name) && u.Kind == "value":
		return scout.RoleReference, "" // an error that another one causes
	case c.token.Text() != query.BaseOf(t.root.Name) && u.Kind == "value":
		return scout.RoleConversion, "adapt to the new type"
	}
	return roleOf(t.g, t.root, c.token, u, isType), ""
}

// fills reports whether a name is a key of an object that is written out, perhaps with the value in one.
func fills(t lexer.Token) bool {
	return t.Outer().Is("{") && t.Prev().Is("{", ",") && t.Next().Is(":", ",", "}") && literal(t.Outer()).Kind() != 0
}
