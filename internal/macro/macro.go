// Package macro expands the macros of the C preprocessor in pieces of source text.
//
// It knows text, not builds: which of several definitions of a name counts is the caller's to say, and so is what #if leaves out.
package macro

import (
	"strings"

	"tidepool/internal/lexer"
)

// A Macro is what a #define says.
type Macro struct {
	Name       string
	Function   bool     // it takes arguments, and is none where no parenthesis follows its name
	Parameters []string // the last of a variadic one is the name of all further arguments
	Variadic   bool

	body []string
}

// Defined returns the macro whose name in a #define is a token; false for any other token.
func Defined(name lexer.Token) (Macro, bool) {
	if !name.Prev().Is("define") || !name.Prev().Prev().Is("#") {
		return Macro{}, false
	}
	m := Macro{Name: name.Text()}
	last := name
	if open := name.Next(); open.Is("(") && open.Start() == name.End() && open.Match().Kind() != 0 {
		m.Function, last = true, open.Match()
		for t := open.Next(); t != last; t = t.Next() {
			m.parameter(t)
		}
	}
	for t := last.Next(); t.Kind() != 0 && sameLine(last, t); t = t.Next() {
		if !t.Is(`\`) {
			m.body = append(m.body, t.Text())
		}
		last = t
	}
	return m, true
}

// parameter takes a token between the parentheses behind the name of a macro.
func (m *Macro) parameter(t lexer.Token) {
	switch {
	case t.Is("...") && !t.Prev().Is(",", "("):
		m.Variadic = true // args...
	case t.Is("..."):
		m.Variadic = true
		m.Parameters = append(m.Parameters, "__VA_ARGS__")
	case !t.Is(","):
		m.Parameters = append(m.Parameters, t.Text())
	}
}

// sameLine reports whether a token stands on the line of the one before it, for which a line that ends in \ goes on.
func sameLine(before, t lexer.Token) bool {
	start := before.End()
	if before.Is(`\`) {
		start = before.Start()
	}
	between := t.File().Text(start, t.Start())
	for {
		text, rest, broken := strings.Cut(between, "\n")
		if !broken {
			return true
		}
		if !strings.HasSuffix(strings.TrimSuffix(text, "\r"), `\`) {
			return false
		}
		between = rest
	}
}
