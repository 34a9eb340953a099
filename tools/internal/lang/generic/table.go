package generic

import (
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// A table is what the reader knows of one language.
type table struct {
	id, separator string // the separator stands between the parts of a qualified name
	layout        bool   // lines end what begins in the first column, and arguments stand behind a function; false: brackets do
	named         func(lsp.DocumentSymbol) (name string, container bool)
	kinds         []lsp.Kind // those of query.Naming.Made
	tests         words      // a path of tests contains one of these; without a slash at its end, it ends so
	above         string     // before each line of documentation
	modifiers     words      // before the keyword of a declaration
	names         words      // keywords that may stand for a name
	types         []shape
	mark, bar     string // between a name and its type; between alternatives
	macros        words  // whose arguments are expressions
	rules         []rule
}

// A shape is how a type is declared.
type shape struct {
	keyword string
	holds   string // fields, alternatives; "": the declaration is shown as it is written
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
