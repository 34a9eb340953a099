package lexer

import "strings"

// A dialect is what a language's text is made of.
type dialect struct {
	lineComment               string
	openComment, closeComment string
	nested                    bool              // comments nest
	continued                 bool              // a \ at the end of a line comment takes the next line along
	dashes                    func(string) bool // whether what begins like a line comment is one; nil: always
	dollars, primes           bool              // $ is a letter; ' may follow one
	hashes                    bool              // # before a letter belongs to the name
	separated                 bool              // ' stands between digits
	markup                    bool              // JSX
	blocks                    bool              // statements stand in braces
	branched                  bool              // #if leaves out text
	operators                 string            // characters whose runs are operators; "": a fixed set
	keywords                  map[string]bool
	prefixes                  string                     // letters that a string may begin with
	quoted                    func(*scanner) bool        // takes the string that begins here, if one does
	starts                    func(before, t Token) bool // whether t begins a statement although no semicolon or brace stands before it
}

// dialectOf returns what makes the dialect of a file's extension, and whether that belongs to a language: else it is the
// plain one.
func dialectOf(extension string) (made func() *dialect, known bool) {
	switch extension {
	case ".go":
		return golang, true
	case ".ts", ".mts", ".cts":
		return func() *dialect { return script(false) }, true
	case ".tsx", ".js", ".jsx", ".mjs", ".cjs":
		return func() *dialect { return script(true) }, true
	case ".py", ".pyi":
		return python, true
	case ".rs":
		return rust, true
	case ".hs", ".hs-boot":
		return haskell, true
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc", ".def":
		return clang, true
	}
	return plain, false
}

// plain returns the dialect of text of an unknown language: names, numbers, brackets and other characters. What is a
// comment or a string, a keyword or the start of a statement, is not known there.
func plain() *dialect {
	return &dialect{quoted: func(*scanner) bool { return false }, starts: func(Token, Token) bool { return false }}
}

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// behindBrace returns the rule of languages with braces: what follows a block is a new statement.
func behindBrace(before, t Token) bool {
	return before.Is("}") && !t.Is(".", ",", ")", "?", "]", "=", "while", "else")
}
