package tools

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/wording"
)

// pythonFields lists what values of a class hold: variables that are declared in its body or assigned to self in its
// methods, properties, and what it inherits.
func pythonFields(ctx context.Context, q *Inquiry, symbol lsp.Symbol, out *code.Record) error {
	c, ok, err := pyClassAt(ctx, q, symbol.Location)
	if err != nil {
		return err
	}
	if !ok {
		out.Head, out.Problem, err = pyNoClass(q, symbol)
		return err
	}
	line, err := pyLineageOf(ctx, q, c)
	if err != nil {
		return err
	}
	form := line.form()
	out.Head = c.headed(form)
	out.IsRecord = form != "enum" && form != "protocol"
	out.Followed = pySteps(q, line)
	if err := pyMembersOf(ctx, q, line, out); err != nil {
		return err
	}
	q.Doubt(pyUnfollowed(line))
	return nil
}

// pyNoClass says what a type is that is no class statement: an alias, or a class made by a call.
func pyNoClass(q *Inquiry, symbol lsp.Symbol) (h code.Head, problem string, err error) {
	f, err := q.Lexed.Open(symbol.Location.Path)
	if err != nil {
		return h, "", err
	}
	start := symbol.Location.Range.Start
	s := pyFunction(f, start)
	last := s.tokens[len(s.tokens)-1]
	h = code.Head{Path: symbol.Location.Path, Line: start.Line, Kind: "type alias", Doc: pyComment(s), Raw: f.Text(s.first().Start(), last.End())}
	return h, fmt.Sprintf("%s is an alias, not a class: %s", symbol.Name, s.text(s.first(), last)), nil
}

// headed is what is said of a class before its members.
func (c pyClass) headed(form string) code.Head {
	return code.Head{Path: c.at.Path, Line: c.at.Range.Start.Line, Kind: form, Doc: c.doc(), Raw: c.raw()}
}

// pySteps says from where the class inherits: "inherits from Base, see app/base.py:3".
func pySteps(q *Inquiry, line pyLineage) []string {
	var steps []string
	for _, c := range line.classes[1:] {
		step := "inherits from " + c.name
		if q.Within(c.at.Path) {
			step += fmt.Sprintf(", see %s:%d", q.Relative(c.at.Path), c.at.Range.Start.Line)
		}
		steps = append(steps, step)
	}
	return steps
}

func pyUnfollowed(line pyLineage) string {
	if len(line.unknown) == 0 {
		return ""
	}
	return fmt.Sprintf("what %s inherits from %s is not known: pyright does not find a class of that name",
		line.classes[0].name, strings.Join(line.unknown, " and "))
}

// pyMembersOf fills in the fields and methods of a class and of those it inherits from: a name hides the same name
// further on. Of classes outside of the project only fields count, and only public ones.
func pyMembersOf(ctx context.Context, q *Inquiry, line pyLineage, out *code.Record) error {
	taken := make(map[string]bool)
	var kept []pyMember
	for i, c := range line.classes {
		from := ""
		if i > 0 {
			from = c.name
		}
		fields, methods := c.members()
		for _, m := range fields {
			switch {
			case taken[m.name] || !q.Within(c.at.Path) && pyBuiltin(c.at.Path):
			case !q.Within(c.at.Path) && strings.HasPrefix(m.name, "_"):
				out.Hidden++
			default:
				m.from = from
				kept = append(kept, m)
			}
		}
		for _, m := range methods {
			wanted := i > 0 || m.abstract || line.form() == "protocol"
			if !taken[m.name] && wanted && q.Within(c.at.Path) && !strings.HasPrefix(m.name, "__") {
				m.from = from
				out.Methods = append(out.Methods, m.method())
			}
		}
		for _, m := range slices.Concat(fields, methods) {
			taken[m.name] = true
		}
	}
	if err := pyInfer(ctx, q, kept[:min(len(kept), code.MaxMembers)]); err != nil {
		return err
	}
	for _, m := range kept {
		out.Fields = append(out.Fields, m.field())
	}
	return nil
}

func pyBuiltin(path string) bool {
	return slices.Contains([]string{"builtins.pyi", "enum.pyi", "typing.pyi", "abc.pyi"}, filepath.Base(path))
}

// pyInfer asks for the types of members that have none written.
func pyInfer(ctx context.Context, q *Inquiry, members []pyMember) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(Concurrent)
	for i := range members {
		if members[i].typ != "" {
			continue
		}
		group.Go(func() error {
			hover, err := q.View.Hover(ctx, members[i].at)
			if err != nil {
				return fmt.Errorf("asking for the type of %s: %w", members[i].name, err)
			}
			members[i].typ = members[i].inferred(pyHoverType(hover))
			return nil
		})
	}
	return group.Wait()
}

// pyHoverType reads "(variable) a: int" in a code block; "" if there is no type in it.
func pyHoverType(hover string) string {
	_, text, _ := strings.Cut(hover, "```python\n")
	text, _, _ = strings.Cut(text, "\n```")
	if _, typ, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, "(") {
		return wording.OneLine(typ)
	}
	return ""
}

// A pyMember is a field or method of a class.
type pyMember struct {
	name, typ, value, doc string // typ "": not written; value: the default, "= 0", or what is special
	from                  string // the class that it is inherited from
	at                    lsp.Location
	property, abstract    bool
}

func (m pyMember) field() code.Field {
	return code.Field{
		Name: m.name, Type: m.typ, Strict: !m.property, Tag: m.value, Doc: m.doc, PromotedFrom: m.from,
		File: m.at.Path, Line: m.at.Range.Start.Line,
	}
}

// inferred is the type of a member of which the server says typ at its place: for a property the function, for a
// variable what was just assigned.
func (m pyMember) inferred(typ string) string {
	if m.property {
		return typ[strings.LastIndex(typ, " -> ")+1:][min(len(typ), 3):]
	}
	literal, ok := strings.CutPrefix(typ, "Literal[")
	switch {
	case !ok || literal == "":
		return typ
	case strings.HasPrefix(literal, "True") || strings.HasPrefix(literal, "False"):
		return "bool"
	case strings.ContainsRune(`'"`, rune(literal[0])):
		return "str"
	case strings.HasPrefix(literal, "b"):
		return "bytes"
	}
	return "int"
}

func (m pyMember) method() code.Method {
	return code.Method{Name: m.name, Type: m.typ, Doc: m.doc, PromotedFrom: m.from, File: m.at.Path, Line: m.at.Range.Start.Line}
}

// members are what the class itself declares, in the order of the file. Nested classes are no members.
func (c pyClass) members() (fields, methods []pyMember) {
	declared := slices.Clone(c.symbol.Children)
	slices.SortStableFunc(declared, func(a, b lsp.DocumentSymbol) int {
		return CompareSpots(SpotOf(c.own(a)), SpotOf(c.own(b)))
	})
	for _, s := range declared {
		switch s.Kind {
		case lsp.KindClass:
		case lsp.KindMethod, lsp.KindFunction:
			if m := c.function(s); m.property {
				fields = append(fields, m)
			} else {
				methods = append(methods, m)
			}
		default:
			if s.Name != "__slots__" && s.Name != "__match_args__" {
				fields = append(fields, c.variable(s))
			}
		}
	}
	return fields, methods
}

func (c pyClass) function(s lsp.DocumentSymbol) pyMember {
	def := pyFunction(c.head.file, s.NameRange.Start)
	decorators := pyDecorators(def)
	at := c.own(s)
	if pyDecorated(decorators, "setter", "deleter", "getter") {
		def, at = c.getter(def, at)
		decorators = pyDecorators(def)
	}
	m := pyMember{
		name: s.Name, at: at, typ: pySignature(def),
		property: pyDecorated(decorators, "property", "cached_property", "abstractproperty", "computed_field"),
		abstract: pyDecorated(decorators, "abstractmethod", "abstractproperty"),
	}
	for first := range pyBlock(def) {
		m.doc = pyDoc(first)
		break
	}
	if m.property {
		_, m.typ, _ = strings.Cut(m.typ, " -> ")
		m.value = "property"
	}
	return m
}

// getter is the def of the property to which a setter belongs, itself if there is none.
func (c pyClass) getter(setter pyStatement, at lsp.Location) (pyStatement, lsp.Location) {
	name := setter.head().Next().Text()
	for s := range pyMembers(c.head) {
		if s.head().Is("def") && s.head().Next().Is(name) && pyDecorated(pyDecorators(s), "property", "cached_property") {
			return s, pyAt(s.file, s.head().Next())
		}
	}
	return setter, at
}

// pySignature is what stands behind the name of a def: "(self, n: int) -> int".
func pySignature(def pyStatement) string {
	for i, t := range def.tokens {
		if !t.Is("(") || !outermost(t) {
			continue
		}
		last := t.Match()
		for _, token := range def.tokens[i:] {
			if token.Is(":") && outermost(token) && token.Start() > last.Start() {
				break
			}
			last = token
		}
		return def.text(t, last)
	}
	return ""
}

// variable is an attribute, declared in the body of the class or by an assignment to self.x in a method.
func (c pyClass) variable(s lsp.DocumentSymbol) pyMember {
	f := c.head.file
	t := f.At(s.NameRange.Start.Line, s.NameRange.Start.Column)
	m := pyMember{name: s.Name, at: c.own(s)}
	stated := pyStatementAt(f, t)
	next := t.Next()
	last := stated.tokens[len(stated.tokens)-1]
	if next.Is(":") {
		equals := pyFind(stated, next, "=")
		end := last
		if equals.Kind() != 0 {
			end = equals.Prev()
		}
		m.typ = pyText(f, next.Next(), end)
		next = equals
	}
	if t.Kind() == lexer.String {
		m.value = "slot"
	}
	if next.Is("=") && outermost(next) && stated.first() == t {
		for later := pyFind(stated, next.Next(), "="); later.Kind() != 0; later = pyFind(stated, next.Next(), "=") {
			next = later // a = b = value
		}
		m.value = "= " + pyText(f, next.Next(), last)
	}
	m.doc = c.documented(stated)
	return m
}

// pyChainStart is the first token of the dotted name that t ends.
func pyChainStart(t lexer.Token) lexer.Token {
	for t.Prev().Is(".") && t.Prev().Prev().Kind() == lexer.Name {
		t = t.Prev().Prev()
	}
	return t
}

// pyFind is the next token of a statement outside of brackets that is written so.
func pyFind(s pyStatement, from lexer.Token, text string) lexer.Token {
	for _, t := range s.tokens {
		if t.Start() >= from.Start() && t.Is(text) && outermost(t) {
			return t
		}
	}
	return lexer.Token{}
}

// documented is the comment at an assignment, or the string below it.
func (c pyClass) documented(s pyStatement) string {
	if comment := pyComment(s); comment != "" {
		return comment
	}
	below := 0
	for next := range pyStatements(s.file, s.first()) {
		if below++; below == 2 {
			if next.indent == s.indent {
				return pyDoc(next)
			}
			break
		}
	}
	return ""
}
