package generic

import (
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// A table is what the reader knows of one language.
type table struct {
	id, separator         string // the separator stands between the parts of a qualified name
	juxtaposed            bool   // arguments stand behind a function, and lines end what begins in the first column; false: brackets do
	named                 func(lsp.DocumentSymbol) (name string, container bool)
	kinds                 []lsp.Kind // those of code.Naming.Made
	tests                 words      // a path of tests contains one of these; without a slash at its end, it ends so
	above, begins, behind string     // documentation: before a line of it, before its first line, behind code on its line
	modifiers             words      // before the keyword of a declaration
	names                 words      // keywords that may stand for a name
	types                 []shape
	mark, bar             string   // between a name and its type; between alternatives
	bodies                []string // before what a declaration holds
	signs                 []string // the first of these in a statement tells what it is; none: its keyword does
	headers               words    // keywords of declarations whose subject stands behind a context
	annotated             words    // keywords of statements in which the mark is followed by a type, not by a value
	ends                  words    // what a brace with alternatives does not have between it and the word match
	within                words    // what types have between names and brackets
	implementation        string   // what one is called
	macros                words    // whose arguments are expressions
	starts                words    // an expression follows
	reserved              words    // operators that may stand in patterns and types
	rules                 []rule
}

// A shape is how a type is declared.
type shape struct {
	keyword string
	reads   string // fields, alternatives, methods; "": the declaration is shown as it is written
	part    string // what an alternative is called
}

// A rule says how a name is used where all that it names is so; the first that fits counts. "" fits whatever there is.
type rule struct {
	kind                              string
	head, before, after, class, place words // see facts
}

// words are several, with spaces between them.
type words string

func (w words) has(t lexer.Token) bool { return t.Kind() != lexer.String && w.list(t.Text()) }

func (w words) list(text string) bool {
	for word := range strings.FieldsSeq(string(w)) {
		if word == text {
			return true
		}
	}
	return false
}
