package intent

import (
	"strings"
)

// A Class is what a symbol is, as far as it matters to what can be asked of it.
type Class string

// The classes.
const (
	Unknown         Class = ""
	Function        Class = "function"
	Method          Class = "method"
	InterfaceMethod Class = "interface method"
	Interface       Class = "interface"
	Struct          Class = "struct"
	Field           Class = "field"
	Embedded        Class = "embedded field"
	Enum            Class = "enum" // a type with a fixed set of values
	Type            Class = "type" // any other
	Constant        Class = "constant"
	Variable        Class = "variable"
)

// A Subject is the symbol that a question is about. The zero value is one that
// nothing is known of.
type Subject struct {
	Name  string // as the question may write it: "syntax.UnaryArithm.Op"
	Class Class
	Text  string // the source line of its declaration, which tells its type; may be ""
}

var (
	enumLike  = matching(`^(type\s+)?\w+\s+(u?int(8|16|32|64)?|byte|rune|string)\b`)
	unionLike = matching(`^(export\s+)?(declare\s+)?type\s+\w+(<.*>)?\s*=\s*([^{\s]|$)`)
	// One that cannot be made itself asks as much of others as an interface.
	abstractClass = matching(`^(export\s+)?(default\s+)?abstract\s+class\b`)

	bareType = matching(`^\*?[\w.]+(\[.*\])?\s*($|//|/\*|` + "`" + `)`)
	bodyless = matching(`^\w+\??(<.*>)?\(.*[^{:]$`)
)

// ClassOf tells a symbol's class from the language's word for it and the source
// line of its declaration, which may be "". That of most classes is Unknown: they
// may be asked what an interface may, and what a struct may.
func ClassOf(kind, text string) Class {
	text = strings.TrimSpace(text)
	switch kind {
	case "function", "constructor":
		return Function
	case "method":
		if bodyless.get().MatchString(text) && !strings.HasPrefix(text, "func") {
			return InterfaceMethod
		}
		return Method
	case "interface":
		return Interface
	case "struct":
		return Struct
	case "class":
		if abstractClass.get().MatchString(text) {
			return Interface
		}
	case "field", "property":
		if bareType.get().MatchString(text) {
			return Embedded
		}
		return Field
	case "enum":
		return Enum
	case "type":
		if enumLike.get().MatchString(text) || unionLike.get().MatchString(text) {
			return Enum
		}
		return Type
	case "constant", "enum member":
		return Constant
	case "variable":
		return Variable
	}
	return Unknown
}
