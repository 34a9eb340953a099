package python

import (
	"context"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A class is a class statement and what the server lists in it.
type class struct {
	name   string // with the classes around it: "Outer.Inner"
	at     lsp.Location
	symbol lsp.DocumentSymbol
	head   statement
}

// classAt returns the class whose name is declared at a place; false if no class is.
func classAt(ctx context.Context, q *query.Query, at lsp.Location) (class, bool, error) {
	symbols, err := q.Outline(ctx, at.Path)
	if err != nil {
		return class{}, false, err
	}
	found, name := declared(symbols, at.Range.Start, "")
	if found.Kind != lsp.KindClass {
		return class{}, false, nil
	}
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return class{}, false, err
	}
	t := f.At(at.Range.Start.Line, at.Range.Start.Column)
	if !t.Prev().Is("class") {
		return class{}, false, nil // as in NT = namedtuple("NT", …)
	}
	return class{name: name, at: placeOf(f, t), symbol: found, head: statementAt(f, t)}, true, nil
}

// declared finds the declaration whose name stands at a place, and its name with those around it.
func declared(symbols []lsp.DocumentSymbol, at lsp.Position, around string) (lsp.DocumentSymbol, string) {
	for _, s := range symbols {
		if s.NameRange.Start == at {
			return s, around + s.Name
		}
		if inner, name := declared(s.Children, at, around+s.Name+"."); name != "" {
			return inner, name
		}
	}
	return lsp.DocumentSymbol{}, ""
}

// arguments returns the parts of the class's header: its bases, and then keywords such as metaclass=M.
func (c class) arguments() (bases, keywords [][]lexer.Token) {
	for _, t := range c.head.tokens {
		if !t.Is("(") {
			continue
		}
		for _, part := range split(inside(t)) {
			if len(part) > 1 && part[1].Is("=") {
				keywords = append(keywords, part)
			} else if len(part) > 0 && !part[0].Is("*", "**") {
				bases = append(bases, part)
			}
		}
		break
	}
	return bases, keywords
}

// baseNames returns the last names of its bases as written.
func (c class) baseNames() []string {
	var names []string
	bases, _ := c.arguments()
	for _, base := range bases {
		names = append(names, callee(base).Text())
	}
	return names
}

// keyword returns the value of a keyword in the header, as written.
func (c class) keyword(name string) string {
	_, keywords := c.arguments()
	for _, part := range keywords {
		if part[0].Is(name) && len(part) > 2 {
			return textOf(c.head.file, part[2], part[len(part)-1])
		}
	}
	return ""
}

func (c class) doc() string {
	for s := range block(c.head) {
		return doc(s)
	}
	return ""
}

// raw returns the source of the class with its decorators.
func (c class) raw() string {
	first := c.head.first()
	if decorators := decoratorsOf(c.head); len(decorators) > 0 {
		first = decorators[0].first()
	}
	last := c.head.tokens[len(c.head.tokens)-1]
	for s := range block(c.head) {
		last = s.tokens[len(s.tokens)-1]
	}
	return c.head.file.Text(first.Start(), last.End())
}

// method returns what the class itself declares under a name as a method or property.
func (c class) method(name string) (lsp.DocumentSymbol, bool) {
	for _, s := range c.symbol.Children {
		if s.Name == name && s.Kind == lsp.KindMethod {
			return s, true
		}
	}
	return lsp.DocumentSymbol{}, false
}

// function returns the def statement of a method or function that is declared at a place.
func function(f *lexer.File, at lsp.Position) statement {
	return statementAt(f, f.At(at.Line, at.Column))
}

// own returns the place of a declaration in the class's file.
func (c class) own(s lsp.DocumentSymbol) lsp.Location {
	return lsp.Location{Path: c.at.Path, Range: s.NameRange}
}

// is reports whether a decorator or a base, as written, makes the class one of a kind.
func (c class) is(kind string) bool {
	decorators, bases := decoratorsOf(c.head), c.baseNames()
	named := func(names ...string) bool {
		return slices.ContainsFunc(bases, func(base string) bool { return slices.Contains(names, base) })
	}
	switch kind {
	case "dataclass":
		return decorated(decorators, "dataclass", "define", "frozen", "mutable") ||
			slices.ContainsFunc(decorators, func(d statement) bool { return d.text(d.first(), callee(d.tokens[1:])) == "@attr.s" })
	case "named tuple":
		return named("NamedTuple")
	case "typed dict":
		return named("TypedDict")
	case "protocol":
		return named("Protocol")
	case "enum":
		return named("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag") || decorated(decorators, "_simple_enum")
	case "model":
		return named("BaseModel", "RootModel", "BaseSettings", "SQLModel")
	case "abstract class":
		return named("ABC") || strings.HasSuffix(c.keyword("metaclass"), "ABCMeta")
	}
	return false
}
