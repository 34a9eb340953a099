package typescript

import (
	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// textMethods returns the methods by which JavaScript writes an object as text.
func textMethods() []string { return []string{"toString", "toJSON", "toLocaleString", "valueOf"} }

// traits tell of a use whether it builds an object with its keys, and what becomes of what a call throws.
func traits(g *graph.Graph, u query.Use, at lsp.Location, role scout.Role) []scout.Trait {
	switch {
	case role == scout.RoleLiteral && u.Kind != "new":
		return graph.Only(scout.TraitKeyed)
	case u.Called && role != scout.RoleLiteral:
		return g.Thrown(func() (scout.TraitName, string) { return thrown(token(&g.Query, at)), "" })
	}
	return nil
}

// thrown returns what becomes of what the call of a name throws, or what its promise is rejected with.
func thrown(t lexer.Token) scout.TraitName {
	if end := behind(t).Match(); end.Next().Is(".", "?.") && end.Next().Next().Is("catch") {
		return caught(end.Next().Next().Next())
	}
	for at := t; at.Kind() != 0; at = at.Outer() {
		if arrow(at) {
			break
		}
		body := at.Outer()
		switch before := body.Prev(); {
		case !body.Is("{"):
		case before.Is("try"):
			handler := body.Match().Next()
			if !handler.Is("catch") {
				continue
			}
			open := handler.Next()
			if open.Is("(") {
				open = open.Match().Next()
			}
			if fate := caught(open); fate != scout.TraitPropagates {
				return fate
			}
		case runsLater(body):
			return scout.TraitPropagates
		}
	}
	return scout.TraitPropagates
}

// runsLater reports whether a brace opens the body of a function or class, and not a block or an object.
func runsLater(body lexer.Token) bool {
	switch before := body.Prev(); {
	case before.Is("return", "else", "do", "finally", "throw", "yield", "await", "typeof", "in", "of", "default"):
		return false
	case before.Is(")"):
		return !before.Match().Prev().Is("if", "for", "while", "switch", "catch", "with", "await")
	default: // a result's type, or the name of a class
		return before.Kind() == lexer.Name || before.Kind() == lexer.Keyword || before.Is("=>", ">", "]")
	}
}

// arrow reports whether a token stands in an arrow function without a body in braces.
func arrow(t lexer.Token) bool {
	outer := t.Outer()
	for before := t.Prev(); before.Kind() != 0 && before != outer && !before.Is(",", ";"); before = before.Prev() {
		if match := before.Match(); match.Kind() != 0 && match.Start() < before.Start() {
			before = match
		}
		if before.Is("=>") {
			return true
		}
	}
	return false
}

// caught returns what the body of a catch, or the arguments of a promise's, do with what they catch.
func caught(open lexer.Token) scout.TraitName {
	end := open.Match()
	fate := scout.TraitDrops
	for t := open.Next(); t.Kind() != 0 && t != end; t = t.Next() {
		switch {
		case t.Is("throw"):
			return scout.TraitPropagates
		case open.Is("{"), !t.Is("(", ")", "=>", "{", "}"):
			fate = scout.TraitHandles
		}
	}
	return fate
}
