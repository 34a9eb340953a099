package clang

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A qualifier is a namespace or class around a declaration.
type qualifier struct {
	name     string
	optional bool // names need not have it: it is an inline namespace
}

// scoped reports whether a name with dots means the symbol by the namespaces and classes that the text has around it. clangd
// leaves inline namespaces out of names, and lists a file's declarations without their namespaces.
func scoped(q *query.Query, s lsp.Symbol, name string) bool {
	f, err := open(q.Lexed, s.Location.Path)
	if err != nil {
		return false
	}
	around, ok := qualifiers(f.At(s.Location.Range.Start.Line, s.Location.Range.Start.Column))
	return ok && qualifies(strings.Split(name, "."), around)
}

// qualifiers returns the namespaces and classes around a name, the outermost first, with those that are written before it.
func qualifiers(t lexer.Token) (around []qualifier, ok bool) {
	for _, bracket := range query.BracketsAround(t) {
		if namespace(bracket) {
			around = append(around, namespaces(bracket)...)
			continue
		}
		name, _ := classOf(bracket)
		if name == "" {
			return nil, false
		}
		around = append(around, qualifier{name: name})
	}
	var before []qualifier
	for t = t.Prev(); t.Is("::") && t.Prev().Kind() == lexer.Name; t = t.Prev().Prev() {
		before = append(before, qualifier{name: t.Prev().Text()})
	}
	slices.Reverse(before)
	return append(around, before...), true
}

// namespaces returns the names of the namespaces that a bracket opens, none for one without a name.
func namespaces(bracket lexer.Token) []qualifier {
	var all []qualifier
	at := bracket.Prev()
	for ; at.Kind() == lexer.Name || at.Is("::", "inline"); at = at.Prev() {
		if at.Kind() == lexer.Name {
			all = append(all, qualifier{name: at.Text(), optional: at.Prev().Is("inline")})
		}
	}
	if at.Is("namespace") && at.Prev().Is("inline") && len(all) > 0 {
		all[len(all)-1].optional = true
	}
	slices.Reverse(all)
	return all
}

// qualifies reports whether the parts of a name end in what is around a declaration, but for the last of them.
func qualifies(parts []string, around []qualifier) bool {
	wanted := parts[:len(parts)-1]
	for len(wanted) > 0 && len(around) > 0 {
		last := around[len(around)-1]
		around = around[:len(around)-1]
		switch {
		case last.name == wanted[len(wanted)-1]:
			wanted = wanted[:len(wanted)-1]
		case !last.optional:
			return false
		}
	}
	return len(wanted) == 0
}
