package teach

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A sourceFile is the tokens of a file, and how its language begins the body of a function: see query.Explaining.
type sourceFile struct {
	*lexer.File
	body func(name lexer.Token, end int) lexer.Token
}

// open reads a file. One whose extension is unknown is an include file of C or C++.
func (c *codeSource) open(path string) (sourceFile, error) {
	f, err := c.Lexed.Open(path)
	if err != nil {
		return sourceFile{}, err
	}
	return sourceFile{f.AsC(), c.Languages(lsp.LanguageOf(path)).Body}, nil
}

// A reference is a name in a declaration.
type reference struct {
	at        lsp.Location // the first
	key       string       // the name with what it is selected from: "log.core"
	times     int
	signature bool // it stands outside of what the declaration does
}

// referencesIn lists the names in a declaration, each once, in the order in which they stand there, but not those that it
// declares, and not what the methods do that are declared within a type.
func referencesIn(f sourceFile, d lsp.DocumentSymbol) []reference {
	var all []reference
	at := make(map[string]int)
	body := bodyOf(f, d)
	own := ownNames(f, d)
	for _, t := range tokensOf(f, d) {
		if t.Kind() != lexer.Name || slices.Contains(own, t.Start()) {
			continue
		}
		key := keyOf(t)
		i, ok := at[key]
		if !ok {
			line, column := t.Position()
			i, at[key] = len(all), len(all)
			all = append(all, reference{at: lsp.At(f.Path, line, column), key: key})
		}
		all[i].times++
		all[i].signature = all[i].signature || !body.contains(t)
	}
	return all
}

// ownNames returns where the names stand that a declaration declares.
func ownNames(f sourceFile, d lsp.DocumentSymbol) []int {
	all := []int{f.Offset(d.NameRange.Start.Line, d.NameRange.Start.Column)}
	for _, child := range d.Children {
		all = append(all, ownNames(f, child)...)
	}
	return all
}

// keyOf returns a name with the one that it is selected from, since the same name may refer to several things in a file.
func keyOf(t lexer.Token) string {
	if dot := t.Prev(); dot.Is(".", "?.", "->", "::") {
		return dot.Prev().Text() + "." + t.Text()
	}
	return t.Text()
}

// A span is a part of a file, by offsets.
type span struct{ start, end int }

func (s span) contains(t lexer.Token) bool { return s.start <= t.Start() && t.Start() < s.end }

func spanOf(f sourceFile, r lsp.Range) span {
	return span{f.Offset(r.Start.Line, r.Start.Column), f.Offset(r.End.Line, r.End.Column)}
}

// tokensOf returns the tokens of a declaration that are no comments, without the bodies of what is declared within a type.
func tokensOf(f sourceFile, d lsp.DocumentSymbol) []lexer.Token {
	whole := spanOf(f, d.Range)
	bodies := innerBodies(f, d)
	var kept []lexer.Token
	for _, t := range f.Tokens() {
		if !whole.contains(t) || t.Kind() == lexer.Comment || slices.ContainsFunc(bodies, func(b span) bool { return b.contains(t) }) {
			continue
		}
		kept = append(kept, t)
	}
	return kept
}

func innerBodies(f sourceFile, d lsp.DocumentSymbol) []span {
	if !query.IsType(d.Kind) {
		return nil
	}
	var bodies []span
	for _, child := range d.Children {
		if query.IsType(child.Kind) {
			bodies = append(bodies, innerBodies(f, child)...)
		} else if body := bodyOf(f, child); body.end > 0 {
			bodies = append(bodies, body)
		}
	}
	return bodies
}

// bodyOf returns the body of a function; the zero span for what has none.
func bodyOf(f sourceFile, d lsp.DocumentSymbol) span {
	whole := spanOf(f, d.Range)
	if query.IsType(d.Kind) {
		return span{}
	}
	if f.body != nil {
		if open := f.body(f.At(d.NameRange.Start.Line, d.NameRange.Start.Column), whole.end); open.Kind() != 0 {
			return span{open.Start(), whole.end}
		}
		return span{}
	}
	last := f.At(d.Range.End.Line, d.Range.End.Column)
	if last.Is(";") {
		last = last.Prev()
	}
	open := last.Match()
	if !last.Is("}") || open.Start() <= whole.start || !query.Callable(d.Kind) && !open.Prev().Is("=>", ")") {
		return span{} // or a value with braces
	}
	return span{open.Start(), whole.end}
}

// headOf writes how something is declared, in one line: the head of a function, all of a type but what its methods do.
func headOf(f sourceFile, d lsp.DocumentSymbol) string {
	var b strings.Builder
	var before lexer.Token
	body := bodyOf(f, d)
	for _, t := range tokensOf(f, d) {
		if body.contains(t) || t.Kind() == lexer.String && t.Statement() == t {
			continue
		}
		b.WriteString(separator(f, before, t))
		b.WriteString(t.Text())
		before = t
	}
	head := strings.Join(strings.Fields(strings.TrimRight(b.String(), " :=;")), " ")
	return strings.TrimPrefix(head, "export ")
}

// separator returns what to write between two tokens to put them in one line.
func separator(f sourceFile, before, t lexer.Token) string {
	switch {
	case before.Kind() == 0:
		return ""
	case before.Is("{", ":", ",") && t.Prev() != before:
		return " "
	case t.Prev() != before && before.Kind() != lexer.Comment: // the body of a method stands between them
		return "; "
	case !strings.Contains(f.Text(before.End(), t.Start()), "\n"):
		return blank(before.End() < t.Start())
	case t.Is(")", "]") || before.Is("(", "["):
		return ""
	case t.Is("}") || before.Is("{", ",", ";", ":", "}") && !(before.Is("}") && t.Statement() == t) || t.Statement() != t:
		return " "
	}
	return "; "
}

func blank(is bool) string {
	if is {
		return " "
	}
	return ""
}
