package lexer

import "slices"

// A Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Comment Kind = iota + 1 // from its first to its last character
	String                  // a string, character or regular expression; a piece of one around interpolations; text of JSX
	Keyword
	Name
	Number
	Punctuation // a bracket, or an operator of one or more characters
)

// String returns the kind in a word.
func (k Kind) String() string {
	words := [...]string{"nothing", "comment", "string", "keyword", "name", "number", "punctuation"}
	if int(k) < len(words) {
		return words[k]
	}
	return "unknown"
}

// token is a Token as it is kept: 16 bytes.
type token struct {
	start int32
	kindn uint32 // kind in the low 4 bits, length above
	pair  int32  // of a bracket: its partner; -1: none
	outer int32  // innermost bracket that is open here; -1: none
}

func (t token) kind() Kind  { return Kind(t.kindn & 15) }
func (t token) length() int { return int(t.kindn >> 4) }

// A Token is one token of a file. The zero Token is none: it has no kind and no text, and neither have its neighbours.
type Token struct {
	file *File
	i    int
}

func (t Token) is() bool { return t.file != nil && t.i >= 0 && t.i < len(t.file.tokens().all) }

func (t Token) token() token {
	if t.file != nil && t.i >= 0 {
		if all := t.file.tokens().all; t.i < len(all) {
			return all[t.i]
		}
	}
	return token{pair: -1, outer: -1}
}

// Kind returns what it is, 0 for the zero Token.
func (t Token) Kind() Kind { return t.token().kind() }

// Start returns the offset of its first byte.
func (t Token) Start() int { return int(t.token().start) }

// End returns the offset behind its last byte.
func (t Token) End() int { k := t.token(); return int(k.start) + k.length() }

// Text returns it as written.
func (t Token) Text() string {
	if !t.is() {
		return ""
	}
	return t.file.src[t.Start():t.End()]
}

// Position returns where it starts, 0, 0 for the zero Token.
func (t Token) Position() (line, column int) {
	if !t.is() {
		return 0, 0
	}
	return t.file.Position(t.Start())
}

// Line returns the line that it starts on, 0 for the zero Token.
func (t Token) Line() int {
	line, _ := t.Position()
	return line
}

// Is reports whether it is written as one of texts, and is no comment or string.
func (t Token) Is(texts ...string) bool {
	switch t.Kind() {
	case 0, Comment, String:
		return false
	}
	return slices.Contains(texts, t.Text())
}

// Next returns the token behind it, comments skipped; the zero Token at the end.
func (t Token) Next() Token { return t.step(1) }

// Prev returns the token before it, comments skipped; the zero Token at the beginning.
func (t Token) Prev() Token { return t.step(-1) }

func (t Token) step(by int) Token {
	if t.file == nil {
		return Token{}
	}
	for t.i += by; t.is(); t.i += by {
		if t.Kind() != Comment {
			return t
		}
	}
	return Token{}
}

// Match returns the partner of a round, square or curly bracket; the zero Token if it has none. Of those that branches of C's
// preprocessor open or close several times it is the last.
func (t Token) Match() Token { return t.other(t.token().pair) }

// Outer returns the innermost opening bracket around it; the zero Token outside of all.
func (t Token) Outer() Token { return t.other(t.token().outer) }

func (t Token) other(i int32) Token {
	if i < 0 {
		return Token{}
	}
	return Token{t.file, int(i)}
}

// File returns the file that it is of; nil for the zero Token.
func (t Token) File() *File { return t.file }

// Comment returns the comment that ends just before it, on its line or the one above; the zero Token if there is none.
func (t Token) Comment() Token {
	before := Token{t.file, t.i - 1}
	if !t.is() || before.Kind() != Comment {
		return Token{}
	}
	if last, _ := t.file.Position(before.End()); t.Line()-last > 1 {
		return Token{}
	}
	return before
}

// maxAngles bounds how far Angles looks, in tokens.
const maxAngles = 500

// Angles takes a "<" for the start of type arguments and returns the ">" that ends them; the zero Token if what
// follows cannot be types.
func (t Token) Angles() Token {
	if !t.Is("<") {
		return Token{}
	}
	depth := 0
	for next, left := t, maxAngles; next.is() && left > 0; next, left = next.Next(), left-1 {
		switch text := next.Text(); {
		case text == "<":
			depth++
		case text == ">":
			if depth--; depth == 0 {
				return next
			}
		case text == ">=" && depth == 1, text == "&&", text == "||", text == ";", next.pairless():
			return Token{}
		case next.Match().i > next.i:
			next = next.Match()
		}
	}
	return Token{}
}

// pairless reports whether it is a bracket that closes more than Angles has seen, or is not closed.
func (t Token) pairless() bool {
	switch t.Text() {
	case "(", "[", "{":
		return !t.Match().is()
	case ")", "]", "}":
		return true
	}
	return false
}

// maxStatement bounds how far Statement looks, in tokens: generated tables have no statements.
const maxStatement = 10_000

// Statement returns the first token of the statement or declaration around it: behind the last semicolon or brace on
// its level, or where a line begins that the language does not take for the rest of the one above. Braces of values,
// such as objects, are taken for blocks.
func (t Token) Statement() Token {
	for outer := t.Outer(); outer.is() && !outer.block(); outer = outer.Outer() {
		t = outer
	}
	for range maxStatement {
		before := t.Prev()
		switch {
		case !before.is(), before.Is(";"), before.Is("{") && before.block(), t.file.rules().starts(before, t):
			return t
		case before.Match().is() && before.Match().i < before.i:
			t = before.Match()
		default:
			t = before
		}
	}
	return t
}

// block reports whether a bracket is a brace with statements in it, and not one with the names of an import.
func (t Token) block() bool {
	if !t.Is("{") || !t.file.rules().blocks {
		return false
	}
	before := t.Prev()
	for before.Is(",", "type") || before.Kind() == Name && before.Prev().Is("import", "type") {
		before = before.Prev()
	}
	return !before.Is("import", "export", "::")
}
