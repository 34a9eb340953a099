package lexer

import "strings"

func script(markup bool) *dialect {
	return &dialect{
		lineComment: "//", openComment: "/*", closeComment: "*/", dollars: true, hashes: true, markup: markup, blocks: true,
		keywords: words(`abstract as async await break case catch class const continue debugger default delete do else enum
			export extends false finally for function if implements import in instanceof interface let namespace new null of
			private protected public readonly return satisfies static super switch this throw true try type typeof
			undefined var void while with yield`),
		quoted: scriptQuoted, starts: scriptStarts,
	}
}

func scriptQuoted(s *scanner) bool {
	switch s.src[s.at] {
	case '"', '\'':
		return s.plainString(0, false)
	case '`':
		s.interpolated(0, "`")
		return true
	case '/':
		return s.operand() && s.regexp()
	}
	return false
}

// regexp takes a regular expression, which ends on its line.
func (s *scanner) regexp() bool {
	if len(s.frames) > 0 && s.top().sort == inTag && s.top().depth == len(s.open) {
		return false
	}
	class := false
	for at := s.at + 1; at < len(s.src) && s.src[at] != '\n'; at++ {
		switch c := s.src[at]; {
		case c == '\\':
			at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for at++; at < len(s.src) && letter(s.src[at]); at++ {
			}
			s.emit(String, at-s.at)
			return true
		}
	}
	return false
}

// scriptStarts follows the rule for missing semicolons: a line that can begin a statement does, if the one above can
// end there.
func scriptStarts(before, t Token) bool {
	switch {
	case before.Is("}"):
		return t.Kind() != Punctuation && !t.Is("from", "as", "satisfies", "of", "in", "instanceof", "else", "catch", "finally", "while")
	case t.Kind() == Punctuation && !t.Is("@", "{", "#"), t.Is("in", "instanceof", "of", "as", "satisfies", "extends", "implements"):
		return false
	case before.Line() == t.Line():
		return false
	case before.Is(">") && scriptDeclares(t): // it ends a type
		return true
	case before.Kind() == Punctuation && !before.Is(")", "]", "++", "--"):
		return false
	case before.Kind() == Keyword:
		return before.Is("this", "true", "false", "null", "undefined", "break", "continue", "return", "super") ||
			before.Is("const") && before.Prev().Is("as")
	}
	return !t.Outer().Is("(", "[")
}

// scriptDeclares reports whether a word begins a declaration, hardly ever an operand.
func scriptDeclares(t Token) bool {
	return t.Is("export", "import", "const", "let", "var", "interface", "type", "enum", "namespace", "abstract", "declare",
		"public", "private", "protected", "readonly", "static", "async", "function", "class")
}

func python() *dialect {
	return &dialect{
		lineComment: "#",
		keywords: words(`False None True and as assert async await break class continue def del elif else except finally for
			from global if import in is lambda nonlocal not or pass raise return try while with yield`),
		prefixes: "rRbBuUfFtT", quoted: pythonQuoted, starts: pythonStarts,
		dashes: func(text string) bool { return !alternateForm(text) },
	}
}

// alternateForm reports whether text begins with the end of a format in an f-string: #x}, #010b}.
func alternateForm(text string) bool {
	rest := strings.TrimLeft(text[1:], "0123456789_,.")
	return len(rest) > 1 && strings.IndexByte("bcdeEfFgGnosxX%", rest[0]) >= 0 && rest[1] == '}'
}

func pythonQuoted(s *scanner) bool {
	prefix := 0
	for prefix < 3 && strings.IndexByte("rRbBuUfFtT", s.peek(prefix)) >= 0 && s.peek(prefix) != 0 {
		prefix++
	}
	quote := s.peek(prefix)
	if quote != '"' && quote != '\'' {
		return false
	}
	letters := strings.ToLower(s.src[s.at : s.at+prefix])
	triple := strings.HasPrefix(s.src[s.at+prefix:], strings.Repeat(string(quote), 3))
	switch {
	case strings.ContainsAny(letters, "ft") && triple:
		s.interpolated(prefix, strings.Repeat(string(quote), 3))
	case strings.ContainsAny(letters, "ft"):
		s.interpolated(prefix, string(quote))
	case triple:
		s.tripled(prefix)
	default:
		return s.plainString(prefix, false) // in a raw string, too, \ keeps a quote from ending it
	}
	return true
}

func (s *scanner) tripled(prefix int) {
	quotes := s.src[s.at+prefix : s.at+prefix+3]
	for at := s.at + prefix + 3; at < len(s.src); at++ {
		if s.src[at] == '\\' {
			at++
		} else if strings.HasPrefix(s.src[at:], quotes) {
			s.emit(String, at+3-s.at)
			return
		}
	}
	s.emit(String, len(s.src)-s.at)
}

// pythonStarts: every line outside of brackets, unless the one above ends in \.
func pythonStarts(before, t Token) bool {
	line := before.Line()
	return line != t.Line() && !t.Outer().is() && before.Kind() != 0 && !(strings.HasSuffix(t.file.Line(t.Line()-1), `\`))
}

func clang() *dialect {
	return &dialect{
		lineComment: "//", openComment: "/*", closeComment: "*/", continued: true, separated: true, blocks: true, branched: true, dollars: true,
		keywords: words(`alignas alignof asm auto bool break case catch char class co_await co_return co_yield concept const
			const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit
			export extern false final float for friend goto if inline int long mutable namespace new noexcept nullptr operator
			override private protected public register reinterpret_cast requires restrict return short signed sizeof static
			static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union
			unsigned using virtual void volatile wchar_t while`),
		prefixes: "uULR", quoted: clangQuoted, starts: clangStarts,
	}
}

func clangQuoted(s *scanner) bool {
	prefix := 0
	for prefix < 3 && strings.IndexByte("uULR8", s.peek(prefix)) >= 0 && s.peek(prefix) != 0 {
		prefix++
	}
	quote := s.peek(prefix)
	switch {
	case quote == '"' && prefix > 0 && s.peek(prefix-1) == 'R':
		s.rawString(prefix)
	case quote == '"' || quote == '\'':
		return s.plainString(prefix, false)
	case s.src[s.at] == '<' && s.including():
		s.emit(String, s.rest(1, ">"))
	default:
		return false
	}
	return true
}

// rawString takes R"delimiter(…)delimiter".
func (s *scanner) rawString(prefix int) {
	delimiter, _, ok := strings.Cut(s.src[s.at+prefix+1:min(s.at+prefix+18, len(s.src))], "(")
	if !ok || strings.ContainsAny(delimiter, " )\\\n") {
		s.plainString(prefix, false)
		return
	}
	s.emit(String, s.rest(prefix+1, ")"+delimiter+`"`))
}

// including reports whether # include stands before, and > on the line behind.
func (s *scanner) including() bool {
	n := len(s.tokens)
	if n < 2 {
		return false
	}
	last := s.tokens[n-1]
	text := s.src[last.start : int(last.start)+last.length()]
	line, _, _ := strings.Cut(s.src[s.at:], "\n")
	return (text == "include" || text == "include_next" || text == "import") && strings.ContainsRune(line, '>') && s.src[s.tokens[n-2].start] == '#'
}

// clangStarts: behind a block, and each line of the preprocessor.
func clangStarts(before, t Token) bool {
	if behindBrace(before, t) {
		return true
	}
	if strings.IndexByte(t.file.src[before.Start():t.Start()], '\n') < 0 {
		return false
	}
	if t.Is("#") {
		return true
	}
	line := before.Line()
	if strings.HasSuffix(t.file.Line(line), `\`) {
		return false
	}
	for strings.HasSuffix(t.file.Line(line-1), `\`) {
		line--
	}
	return strings.HasPrefix(strings.TrimSpace(t.file.Line(line)), "#")
}

func rust() *dialect {
	return &dialect{
		lineComment: "//", openComment: "/*", closeComment: "*/", nested: true, blocks: true,
		keywords: words(`as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
			move mut pub ref return self Self static struct super trait true type union unsafe use where while`),
		prefixes: "bcr", quoted: rustQuoted, starts: behindBrace,
	}
}

func rustQuoted(s *scanner) bool {
	prefix := 0
	for prefix < 2 && strings.IndexByte("bcr", s.peek(prefix)) >= 0 && s.peek(prefix) != 0 {
		prefix++
	}
	raw := prefix > 0 && s.peek(prefix-1) == 'r'
	hashes := 0
	for raw && s.peek(prefix+hashes) == '#' {
		hashes++
	}
	switch quote := s.peek(prefix + hashes); {
	case quote == '"' && raw:
		s.emit(String, s.rest(prefix+hashes+1, `"`+strings.Repeat("#", hashes)))
	case raw && hashes == 1 && prefix == 1 && s.letterAt(s.at+2):
		s.at += 2 // r#type is a name
		s.name()
		s.raw()
	case quote == '"':
		s.lines(prefix)
	case quote == '\'' && hashes == 0:
		s.lifetime(prefix)
	default:
		return false
	}
	return true
}

// raw puts the r# back in front of the name behind it, which is no keyword then.
func (s *scanner) raw() {
	last := &s.tokens[len(s.tokens)-1]
	last.start, last.kindn = last.start-2, uint32(Name)|uint32(last.length()+2)<<4
}

// lines takes a string that may go over lines.
func (s *scanner) lines(prefix int) {
	for at := s.at + prefix + 1; at < len(s.src); at++ {
		if s.src[at] == '\\' {
			at++
		} else if s.src[at] == '"' {
			s.emit(String, at+1-s.at)
			return
		}
	}
	s.emit(String, len(s.src)-s.at)
}

// lifetime tells 'a from 'a'.
func (s *scanner) lifetime(prefix int) {
	if s.peek(prefix+1) != '\\' && s.letterAt(s.at+prefix+1) && s.peek(prefix+2) != '\'' && s.src[s.at+prefix+1] < 0x80 {
		s.emit(Punctuation, prefix+1)
		return
	}
	s.plainString(prefix, false)
}

func haskell() *dialect {
	return &dialect{
		lineComment: "--", openComment: "{-", closeComment: "-}", nested: true, primes: true, operators: `!#$%&*+./<=>?@\^|-~:`,
		dashes: func(text string) bool {
			rest := strings.TrimLeft(text, "-")
			return rest == "" || strings.IndexByte(`!#$%&*+./<=>?@\^|~:`, rest[0]) < 0
		},
		keywords: words(`case class data default deriving do else forall foreign if import in infix infixl infixr instance let
			module newtype of then type where`),
		quoted: haskellQuoted,
		starts: func(before, t Token) bool {
			_, column := t.Position()
			return column == 1 && before.Line() != t.Line() && !t.Outer().is() && !t.Is("}")
		},
	}
}

func haskellQuoted(s *scanner) bool {
	switch s.src[s.at] {
	case '"':
		s.lines(0) // a gap goes over lines
		return true
	case '\'':
		if s.peek(1) == '\\' || s.peek(2) == '\'' || s.peek(1) >= 0x80 {
			return s.plainString(0, false)
		}
	}
	return false
}
