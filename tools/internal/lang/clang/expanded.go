package clang

import (
	"tidepool/internal/lexer"
	"tidepool/internal/macro"
	"tidepool/tools/internal/query"
)

const (
	maxAround = 200 // tokens of a statement that are expanded before and behind a use
	maxMeant  = 8   // definitions of one macro that are tried
)

// given returns the outermost macro that is given a token among its arguments, and what it may be defined as.
func (c *caller) given(t lexer.Token) (first lexer.Token, meant []macro.Macro) {
	first = t
	for open := t.Outer(); open.Is("("); open = open.Outer() {
		if open.Prev().Kind() != lexer.Name {
			continue
		}
		if found := c.defined(open.Prev().Text()); len(found) > 0 {
			first, meant = open.Prev(), found
		}
	}
	return first, meant
}

// defined returns what the project defines the macro of a name as; nothing for a word of the language, which some file may redefine for
// itself.
func (c *caller) defined(name string) []macro.Macro {
	if all, known := c.macros[name]; known {
		return all
	}
	if lexer.Parse("a.cpp", []byte(name)).First().Kind() != lexer.Name {
		return nil
	}
	var all []macro.Macro
	for _, at := range c.query.View.Macros("c", name) {
		if len(all) == maxMeant {
			break
		}
		f, err := open(c.query.Lexed, at.Path)
		if err != nil {
			continue // gone since
		}
		if m, ok := macro.Defined(f.At(at.Range.Start.Line, at.Range.Start.Column)); ok {
			all = append(all, m)
		}
	}
	c.macros[name] = all
	return all
}

// expanded says how the function is used in what a macro makes of the statement around. The macro is named by the token first,
// and t is the function's name among its arguments, or first.
func (c *caller) expanded(first, t lexer.Token, m macro.Macro) query.Use {
	before, tokens := around(first, t)
	made, _ := macro.Expand(tokens, func(name string) (macro.Macro, bool) {
		if name == m.Name {
			return m, true
		}
		all := c.defined(name)
		if len(all) == 0 {
			return macro.Macro{}, false
		}
		return all[0], true
	})
	head, _ := macro.Join(before)
	text, marked := macro.Join(made)
	f := lexer.Parse(t.File().Path, []byte(head+text)).AsC()
	found := query.Use{}
	for _, offset := range marked {
		at := f.At(f.Position(len(head) + offset))
		if !at.Is(c.name) {
			continue
		}
		if u := c.plain(at, useOf(at)); found.Kind == "" || u.Called || u.Taken && !found.Called {
			found = u
		}
	}
	return found
}

// around returns the tokens of a statement before the use of a macro, and from there on, with t marked.
func around(first, t lexer.Token) (before, rest []macro.Token) {
	start, begin := first, first.Statement()
	for n := 0; n < maxAround && start != begin && start.Prev().Kind() != 0; n++ {
		start = start.Prev()
	}
	if start != first {
		before = macro.Tokens(start, first.Prev())
	}
	end := first
	for n := 0; end.Next().Kind() != 0 && (n < maxAround || end.Start() < t.Start()) && !end.Is(";"); n++ {
		end = end.Next()
	}
	rest = macro.Tokens(first, end)
	for i, at := 0, first; at.Kind() != 0 && i < len(rest); i, at = i+1, at.Next() {
		rest[i].Mark = at == t
	}
	return before, rest
}
