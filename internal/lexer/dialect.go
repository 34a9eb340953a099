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
	operators                 string            // characters whose runs are operators; "": a fixed set
	keywords                  map[string]bool
	prefixes                  string                     // letters that a string may begin with
	quoted                    func(*scanner) bool        // takes the string that begins here, if one does
	starts                    func(before, t Token) bool // whether t begins a statement although no semicolon or brace stands before it
}

// dialectOf returns the dialect of a file's extension; C for unknown ones.
func dialectOf(extension string) *dialect {
	switch extension {
	case ".go":
		return golang()
	case ".ts", ".mts", ".cts":
		return script(false)
	case ".tsx", ".js", ".jsx", ".mjs", ".cjs":
		return script(true)
	case ".py", ".pyi":
		return python()
	case ".rs":
		return rust()
	case ".hs", ".hs-boot":
		return haskell()
	}
	return clang()
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
