package tools

import (
	"context"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// A pyClass is a class statement and what the server lists in it.
type pyClass struct {
	name   string // with the classes around it: "Outer.Inner"
	at     lsp.Location
	symbol lsp.DocumentSymbol
	head   pyStatement
}

// pyClassAt returns the class whose name is declared at a place; false if no class is.
func pyClassAt(ctx context.Context, q *Inquiry, at lsp.Location) (pyClass, bool, error) {
	symbols, err := q.Outline(ctx, at.Path)
	if err != nil {
		return pyClass{}, false, err
	}
	found, name := pyDeclared(symbols, at.Range.Start, "")
	if found.Kind != lsp.KindClass {
		return pyClass{}, false, nil
	}
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return pyClass{}, false, err
	}
	t := f.At(at.Range.Start.Line, at.Range.Start.Column)
	if !t.Prev().Is("class") {
		return pyClass{}, false, nil // as in NT = namedtuple("NT", …)
	}
	return pyClass{name: name, at: pyAt(f, t), symbol: found, head: pyStatementAt(f, t)}, true, nil
}

// pyDeclared finds the declaration whose name stands at a place, and its name with those around it.
func pyDeclared(symbols []lsp.DocumentSymbol, at lsp.Position, around string) (lsp.DocumentSymbol, string) {
	for _, s := range symbols {
		if s.NameRange.Start == at {
			return s, around + s.Name
		}
		if inner, name := pyDeclared(s.Children, at, around+s.Name+"."); name != "" {
			return inner, name
		}
	}
	return lsp.DocumentSymbol{}, ""
}

// arguments are the parts of the class's header: its bases, and then keywords such as metaclass=M.
func (c pyClass) arguments() (bases, keywords [][]lexer.Token) {
	for _, t := range c.head.tokens {
		if !t.Is("(") {
			continue
		}
		for _, part := range pySplit(pyInside(t)) {
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

// baseNames are the last names of its bases as written.
func (c pyClass) baseNames() []string {
	var names []string
	bases, _ := c.arguments()
	for _, base := range bases {
		names = append(names, pyCallee(base).Text())
	}
	return names
}

// keyword is the value of a keyword in the header, as written.
func (c pyClass) keyword(name string) string {
	_, keywords := c.arguments()
	for _, part := range keywords {
		if part[0].Is(name) && len(part) > 2 {
			return pyText(c.head.file, part[2], part[len(part)-1])
		}
	}
	return ""
}

func (c pyClass) doc() string {
	for s := range pyBlock(c.head) {
		return pyDoc(s)
	}
	return ""
}

// raw is the source of the class with its decorators.
func (c pyClass) raw() string {
	first := c.head.first()
	if decorators := pyDecorators(c.head); len(decorators) > 0 {
		first = decorators[0].first()
	}
	last := c.head.tokens[len(c.head.tokens)-1]
	for s := range pyBlock(c.head) {
		last = s.tokens[len(s.tokens)-1]
	}
	return c.head.file.Text(first.Start(), last.End())
}

// method returns what the class itself declares under a name as a method or property.
func (c pyClass) method(name string) (lsp.DocumentSymbol, bool) {
	for _, s := range c.symbol.Children {
		if s.Name == name && s.Kind == lsp.KindMethod {
			return s, true
		}
	}
	return lsp.DocumentSymbol{}, false
}

// pyFunction is the def statement of a method or function that is declared at a place.
func pyFunction(f *lexer.File, at lsp.Position) pyStatement {
	return pyStatementAt(f, f.At(at.Line, at.Column))
}

// own returns the place of a declaration in the class's file.
func (c pyClass) own(s lsp.DocumentSymbol) lsp.Location {
	return lsp.Location{Path: c.at.Path, Range: s.NameRange}
}

// is says whether a decorator or a base, as written, makes the class one of a kind.
func (c pyClass) is(kind string) bool {
	decorators, bases := pyDecorators(c.head), c.baseNames()
	named := func(names ...string) bool {
		return slices.ContainsFunc(bases, func(base string) bool { return slices.Contains(names, base) })
	}
	switch kind {
	case "dataclass":
		return pyDecorated(decorators, "dataclass", "define", "frozen", "mutable") ||
			slices.ContainsFunc(decorators, func(d pyStatement) bool { return d.text(d.first(), pyCallee(d.tokens[1:])) == "@attr.s" })
	case "named tuple":
		return named("NamedTuple")
	case "typed dict":
		return named("TypedDict")
	case "protocol":
		return named("Protocol")
	case "enum":
		return named("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag") || pyDecorated(decorators, "_simple_enum")
	case "model":
		return named("BaseModel", "RootModel", "BaseSettings", "SQLModel")
	case "abstract class":
		return named("ABC") || strings.HasSuffix(c.keyword("metaclass"), "ABCMeta")
	}
	return false
}
