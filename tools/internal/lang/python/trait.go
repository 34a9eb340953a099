package python

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// texts returns the methods by which Python writes an object as text.
func texts() []string { return []string{"__str__", "__repr__", "__format__", "__bytes__"} }

// traits tell of a use whether it builds a record by position, and what becomes of what a call raises. record says that
// the fields of a class are the parameters of its constructor.
func traits(g *graph.Graph, record bool) graph.Traits {
	return func(u query.Use, at lsp.Location, role scout.Role) []scout.Trait {
		f, err := g.Lexed.Open(at.Path)
		if err != nil {
			return nil
		}
		t := f.At(at.Range.Start.Line, at.Range.Start.Column)
		switch {
		case u.Kind == "argument" && role == scout.RoleLiteral:
			return graph.Only(scout.TraitKeyed)
		case role == scout.RoleLiteral && record && t.Next().Is("("):
			return graph.ElementsOf(t.Next(), func(t lexer.Token) bool { return t.Next().Is("=") || t.Is("**") || t.Is(")") })
		case u.Called && role != scout.RoleLiteral:
			return g.Thrown(func() (scout.TraitName, string) { return raised(f, t) })
		}
		return nil
	}
}

// raised returns what becomes of what is raised at a token of a function, and what of it does not share that.
func raised(f *lexer.File, t lexer.Token) (fate scout.TraitName, but string) {
	s := statementAt(f, t)
	fate = scout.TraitPropagates
	if slices.ContainsFunc(s.tokens, func(before lexer.Token) bool { return before.Is("lambda") && before.Start() < t.Start() }) {
		return fate, "" // it runs later
	}
	var caught []string
	for ok := true; ok && !s.head().Is("def", "class"); s, ok = parent(s) {
		if !s.head().Is("try") {
			continue
		}
		for _, handler := range handlers(s) {
			what := caughtBy(handler)
			switch end := ending(handler); {
			case end == scout.TraitPropagates:
			case what == "":
				return end, ""
			default:
				caught = append(caught, what)
			}
		}
	}
	if len(caught) > 0 {
		but = "but for " + strings.Join(caught, ", ")
	}
	return fate, but
}

// parent returns the statement whose block a statement stands in; false at the level of the file.
// It looks at lines, of which a function may have thousands on one level.
func parent(s statement) (statement, bool) {
	indent := indentOf(s)
	for n := s.first().Line() - 1; n > 0; n-- {
		line := s.file.Line(n)
		rest := strings.TrimLeft(line, " \t")
		column := len(line) - len(rest) + 1
		if column >= indent || rest == "" || rest[0] == '#' {
			continue
		}
		t := s.file.At(n, column)
		if atLine, atColumn := t.Position(); atLine != n || atColumn != column || !outermost(t) {
			continue // within a text or brackets of several lines
		}
		if outer := statementAt(s.file, t); outer.first() == t {
			return outer, true
		}
	}
	return statement{}, false
}

// handlers returns the except clauses of a try.
func handlers(try statement) []statement {
	var all []statement
	begun := false
	for s := range statements(try.file, try.first()) {
		switch {
		case !begun:
			begun = true
		case s.indent > try.indent:
		case s.indent == try.indent && s.head().Is("except"):
			all = append(all, s)
		case !s.head().Is("else", "finally"):
			return all
		}
	}
	return all
}

// caughtBy returns what an except clause catches; "" for all that programs raise.
func caughtBy(handler statement) string {
	var words []string
	for _, t := range handler.tokens[1:] {
		if t.Is(":", "as") && outermost(t) {
			break
		}
		if t.Is("Exception", "BaseException") {
			return ""
		}
		words = append(words, t.Text())
	}
	return strings.ReplaceAll(strings.Trim(strings.Join(words, ""), "*()"), ",", ", ")
}

// ending returns what an except clause does with what it catches.
func ending(handler statement) scout.TraitName {
	fate := scout.TraitDrops
	for s := range block(handler) {
		switch {
		case s.head().Is("raise"):
			return scout.TraitPropagates
		case !s.head().Is("pass", "continue", "break", "..."):
			fate = scout.TraitHandles
		}
	}
	if colon := slices.IndexFunc(handler.tokens, func(t lexer.Token) bool { return t.Is(":") && outermost(t) }); colon > 0 {
		for _, t := range handler.tokens[colon+1:] { // on its line
			if t.Is("raise") {
				return scout.TraitPropagates
			}
			if !t.Is("pass", "continue", "break", "...") {
				fate = scout.TraitHandles
			}
		}
	}
	return fate
}
