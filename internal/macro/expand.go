package macro

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
)

// Bounds of one expansion. Macros that call macros can make any amount of text.
const (
	maxExpanded = 500    // macros
	maxTokens   = 20_000 // at any time
)

// A Token is a piece of text. A marked one stays so wherever it goes, unless it becomes a part of another token. If it is the name of
// a macro, what comes from the macro's body is marked.
type Token struct {
	Text string
	Mark bool

	from *origin
}

// An origin is the macros that a token comes from: none of them is expanded in it again.
type origin struct {
	name   string
	parent *origin
}

func (o *origin) has(name string) bool {
	return o != nil && (o.name == name || o.parent.has(name))
}

// Tokens returns those from one token of a file up to another, comments left out, the last one included.
func Tokens(first, last lexer.Token) []Token {
	var all []Token
	for t := first; t.Kind() != 0 && t.Start() <= last.Start() && len(all) < maxTokens; t = t.Next() {
		all = append(all, Token{Text: t.Text()})
	}
	return all
}

// Expand replaces the uses of macros, as define knows them, by what they stand for. whole is false if that is more than its bounds
// allow, and uses are left.
func Expand(tokens []Token, define func(name string) (Macro, bool)) (made []Token, whole bool) {
	left := maxExpanded
	for at := 0; at < len(tokens); {
		if left == 0 || len(tokens) >= maxTokens {
			return tokens, false
		}
		t := tokens[at]
		m, known := Macro{}, false
		if word(t.Text) && !t.from.has(t.Text) {
			m, known = define(t.Text)
		}
		arguments, end := [][]Token(nil), at+1
		if known && m.Function {
			arguments, end = argumentsAt(tokens, at+1)
			known = end > at+1
		}
		if !known {
			at++
			continue
		}
		left--
		tokens = slices.Concat(tokens[:at], m.replace(arguments, Token{Mark: t.Mark, from: &origin{t.Text, t.from}}), tokens[end:])
	}
	return tokens, true
}

func word(text string) bool {
	if text == "" {
		return false
	}
	c := text[0]
	return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// argumentsAt returns the arguments between the parentheses that open at an index, and the index behind them; the index itself
// if none open there.
func argumentsAt(tokens []Token, at int) (all [][]Token, end int) {
	if at >= len(tokens) || tokens[at].Text != "(" {
		return nil, at
	}
	depth, begin := 0, at+1
	for i := at; i < len(tokens); i++ {
		switch text := tokens[i].Text; {
		case text == "(" || text == "[" || text == "{":
			depth++
		case text == "," && depth == 1:
			all, begin = append(all, tokens[begin:i]), i+1
		case text == ")" || text == "]" || text == "}":
			if depth--; depth == 0 {
				return append(all, tokens[begin:i]), i + 1
			}
		}
	}
	return nil, at
}

// replace returns the body of the macro with the arguments in the places of its parameters. Tokens of the body are like one.
func (m Macro) replace(arguments [][]Token, like Token) []Token {
	var made []Token
	for i := 0; i < len(m.body); i++ {
		if m.body[i] == "##" {
			continue
		}
		pasted := i > 0 && m.body[i-1] == "##"
		part, given := m.given(m.body[i], arguments)
		switch {
		case given:
			for j := range part {
				part[j].from = &origin{like.from.name, part[j].from}
			}
		case m.Function && m.body[i] == "#" && i+1 < len(m.body): // # makes a string of the argument behind
			i++
			part = []Token{{Text: `""`}}
		default:
			part = []Token{{Text: m.body[i], Mark: like.Mark, from: like.from}}
		}
		if pasted {
			made = paste(made, part, like)
		} else {
			made = append(made, part...)
		}
	}
	return made
}

// given returns the argument for a parameter.
func (m Macro) given(name string, arguments [][]Token) ([]Token, bool) {
	i := slices.Index(m.Parameters, name)
	if i < 0 {
		return nil, false
	}
	if i >= len(arguments) {
		return nil, true
	}
	all := slices.Clone(arguments[i])
	if m.Variadic && i == len(m.Parameters)-1 {
		for _, more := range arguments[i+1:] {
			all = append(append(all, Token{Text: ","}), more...)
		}
	}
	return all, true
}

// paste makes one token, like another, of the last on the left and the first on the right. A comma stays one, and goes if nothing
// follows it.
func paste(left, right []Token, like Token) []Token {
	if len(left) == 0 {
		return right
	}
	last := left[len(left)-1]
	switch {
	case len(right) == 0 && last.Text == ",":
		return left[:len(left)-1]
	case len(right) == 0 || last.Text == ",":
		return append(left, right...)
	}
	pasted := Token{Text: last.Text + right[0].Text, Mark: like.Mark, from: last.from}
	return append(append(left[:len(left)-1:len(left)-1], pasted), right[1:]...)
}

// Join writes tokens as a text that has no two of them in one. marked are the offsets of those that are marked.
func Join(tokens []Token) (text string, marked []int) {
	var b strings.Builder
	for _, t := range tokens {
		if t.Mark {
			marked = append(marked, b.Len())
		}
		b.WriteString(t.Text)
		b.WriteByte(' ')
	}
	return b.String(), marked
}
