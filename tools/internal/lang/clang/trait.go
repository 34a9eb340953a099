package clang

import (
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// traits tell of a use whether it builds a value with the names of its members.
func traits(g *graph.Graph, u query.Use, at lsp.Location, role scout.Role) []scout.Trait {
	f, err := open(g.Lexed, at.Path)
	if err != nil || role != scout.RoleLiteral {
		return nil
	}
	if u.Kind == "initialiser" {
		return graph.Only(scout.TraitKeyed)
	}
	open, levels := initialiser(f.At(at.Range.Start.Line, at.Range.Start.Column))
	return elements(open, levels)
}

// initialiser returns the brace that opens the value of what a type is named for, (T){…}, T{…}, T x = {…}, T x[2] = {{…}}, and
// in how many others such values are; the zero Token if there is none.
func initialiser(t lexer.Token) (open lexer.Token, levels int) {
	next := behind(t)
	switch {
	case next.Is("{"):
		return next, 0
	case next.Is(")") && next.Next().Is("{"):
		return next.Next(), 0
	case next.Is("["): // (T[]){…}
		for next.Is("[") {
			next, levels = next.Match().Next(), levels+1
		}
		if next.Is(")") && next.Next().Is("{") {
			return next.Next(), levels
		}
		return lexer.Token{}, 0
	case next.Kind() != lexer.Name || t.Outer().Is("("):
		return lexer.Token{}, 0
	}
	next = next.Next()
	for next.Is("[") {
		next, levels = next.Match().Next(), levels+1
	}
	if next.Is("=") {
		next = next.Next()
	}
	if !next.Is("{") {
		return lexer.Token{}, 0
	}
	return next, levels
}

// elements says how values are written that are some braces inside of one; one without names counts.
func elements(open lexer.Token, levels int) []scout.Trait {
	if levels == 0 {
		return graph.ElementsOf(open, func(t lexer.Token) bool { return t.Is(".", "}") })
	}
	var found []scout.Trait
	for t := open.Next(); t.Kind() != 0 && t != open.Match(); t = t.Next() {
		if !t.Is("{") {
			continue
		}
		if inner := elements(t, levels-1); found == nil || len(inner) > 0 && inner[0].Name == scout.TraitUnkeyed {
			found = inner
		}
		t = t.Match()
	}
	return found
}

// needsOf says of each line of a file which conditions of the preprocessor it depends on.
func needsOf(q *query.Query, path string) func(line int) string {
	f, err := open(q.Lexed, path)
	if err != nil {
		return nil
	}
	needs := make([]string, f.Lines()+1)
	var open []string // conditions, the innermost last
	for n := 1; n <= f.Lines(); n++ {
		word, rest := condition(f, n)
		switch last := len(open) - 1; {
		case strings.HasPrefix(word, "if"):
			open = append(open, conditionOf(word, rest, guard(f, n, word, rest)))
		case last < 0:
		case word == "endif":
			open = open[:last]
		case word == "else":
			open[last] = not(open[last])
		case strings.HasPrefix(word, "elif"):
			open[last] = joinNeeds(not(open[last]), conditionOf(strings.TrimPrefix(word, "el"), rest, false))
		}
		needs[n] = joinNeeds(open...)
	}
	return func(line int) string {
		if line < 1 || line >= len(needs) {
			return ""
		}
		return needs[line]
	}
}

// condition returns the word of a directive on a line, and what follows it; "" for other lines.
func condition(f *lexer.File, n int) (word, rest string) {
	line := f.Line(n)
	text := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(text, "#") || !f.At(n, len(line)-len(text)+1).Is("#") {
		return "", ""
	}
	text = strings.TrimLeft(text[1:], " \t")
	end := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		end = len(text)
	}
	rest, _, _ = strings.Cut(text[end:], "//")
	rest, _, _ = strings.Cut(rest, "/*")
	return text[:end], strings.TrimSpace(strings.TrimSuffix(rest, `\`))
}

// conditionOf returns the condition of a directive; "" for that of a guard, which is always so.
func conditionOf(word, rest string, guard bool) string {
	switch {
	case guard:
		return ""
	case word == "ifdef":
		return "defined(" + rest + ")"
	case word == "ifndef":
		return "!defined(" + rest + ")"
	}
	return rest
}

// guard reports whether an #ifndef keeps a header from being read twice: the next line defines what it asks for.
func guard(f *lexer.File, n int, word, rest string) bool {
	next, defined := condition(f, n+1)
	name, _, _ := strings.Cut(defined, " ")
	asked := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(rest, "!"), "defined"), " ()")
	return (word == "ifndef" || strings.HasPrefix(rest, "!")) && next == "define" && name == asked
}

func not(condition string) string {
	switch {
	case condition == "":
		return "0"
	case strings.HasPrefix(condition, "!") && !strings.ContainsAny(condition, "&|"):
		return condition[1:]
	case strings.ContainsAny(condition, "&|<>=?+- "):
		return "!(" + condition + ")"
	}
	return "!" + condition
}

// joinNeeds asks for several conditions at once.
func joinNeeds(conditions ...string) string {
	var all []string
	for _, c := range conditions {
		switch {
		case c == "":
		case either(c) && len(conditions) > 1:
			all = append(all, "("+c+")")
		default:
			all = append(all, c)
		}
	}
	return strings.Join(all, " && ")
}

// either reports whether a condition is one of several, outside of parentheses.
func either(condition string) bool {
	depth := 0
	for i, r := range condition {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && strings.HasPrefix(condition[i:], "||"):
			return true
		}
	}
	return false
}
