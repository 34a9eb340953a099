package python

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// fieldsOf lists what values of a class hold: variables that are declared in its body or assigned to self in its
// methods, properties, and what it inherits.
func fieldsOf(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Record) error {
	c, ok, err := classAt(ctx, q, symbol.Location)
	if err != nil {
		return err
	}
	if !ok {
		out.Head, out.Problem, err = noClass(q, symbol)
		return err
	}
	line, err := lineageOf(ctx, q, c)
	if err != nil {
		return err
	}
	form := line.form()
	out.Head = c.headed(form)
	out.IsRecord = form != "enum" && form != "protocol"
	out.Followed = steps(q, line)
	if err := membersOf(ctx, q, line, out); err != nil {
		return err
	}
	q.Doubt(unfollowed(line))
	return nil
}

// noClass returns what a type is that is no class statement: an alias, or a class made by a call.
func noClass(q *query.Query, symbol lsp.Symbol) (h query.Head, problem string, err error) {
	f, err := q.Lexed.Open(symbol.Location.Path)
	if err != nil {
		return h, "", err
	}
	start := symbol.Location.Range.Start
	s := function(f, start)
	last := s.tokens[len(s.tokens)-1]
	h = query.Head{Path: symbol.Location.Path, Line: start.Line, Kind: "type alias", Doc: comment(s), Raw: f.Text(s.first().Start(), last.End())}
	return h, fmt.Sprintf("%s is an alias, not a class: %s", symbol.Name, s.text(s.first(), last)), nil
}

// headed returns what is said of a class before its members.
func (c class) headed(form string) query.Head {
	return query.Head{Path: c.at.Path, Line: c.at.Range.Start.Line, Kind: form, Doc: c.doc(), Raw: c.raw()}
}

// steps says from where the class inherits: "inherits from Base, see app/base.py:3".
func steps(q *query.Query, line lineage) []string {
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

func unfollowed(line lineage) string {
	if len(line.unknown) == 0 {
		return ""
	}
	return fmt.Sprintf("what %s inherits from %s is not known: pyright does not find a class of that name",
		line.classes[0].name, strings.Join(line.unknown, " and "))
}

// membersOf fills in the fields and methods of a class and of those it inherits from: a name hides the same name
// further on. Of classes outside of the project only fields count, and only public ones.
func membersOf(ctx context.Context, q *query.Query, line lineage, out *query.Record) error {
	taken := make(map[string]bool)
	var kept []member
	for i, c := range line.classes {
		from := ""
		if i > 0 {
			from = c.name
		}
		fields, methods := c.members()
		for _, m := range fields {
			switch {
			case taken[m.name] || !q.Within(c.at.Path) && builtin(c.at.Path):
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
	if err := infer(ctx, q, kept[:min(len(kept), query.MaxMembers)]); err != nil {
		return err
	}
	for _, m := range kept {
		out.Fields = append(out.Fields, m.field())
	}
	return nil
}

func builtin(path string) bool {
	return slices.Contains([]string{"builtins.pyi", "enum.pyi", "typing.pyi", "abc.pyi"}, filepath.Base(path))
}

// infer asks for the types of members that have none written.
func infer(ctx context.Context, q *query.Query, members []member) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(query.Concurrent)
	for i := range members {
		if members[i].typ != "" {
			continue
		}
		group.Go(func() error {
			hover, err := q.View.Hover(ctx, members[i].at)
			if err != nil {
				return fmt.Errorf("asking for the type of %s: %w", members[i].name, err)
			}
			members[i].typ = members[i].inferred(hoverType(hover))
			return nil
		})
	}
	return group.Wait()
}

// hoverType reads "(variable) a: int" in a code block; "" if there is no type in it.
func hoverType(hover string) string {
	_, text, _ := strings.Cut(hover, "```python\n")
	text, _, _ = strings.Cut(text, "\n```")
	if _, typ, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, "(") {
		return excerpt.OneLine(typ)
	}
	return ""
}

// A member is a field or method of a class.
type member struct {
	name, typ, value, doc string // typ "": not written; value: the default, "= 0", or what is special
	from                  string // the class that it is inherited from
	at                    lsp.Location
	property, abstract    bool
}

func (m member) field() query.Field {
	return query.Field{
		Name: m.name, Type: m.typ, Strict: !m.property, Tag: m.value, Doc: m.doc, PromotedFrom: m.from,
		File: m.at.Path, Line: m.at.Range.Start.Line,
	}
}

// inferred returns the type of a member of which the server says typ at its place: for a property the function, for a
// variable what was just assigned.
func (m member) inferred(typ string) string {
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

func (m member) method() query.Method {
	return query.Method{Name: m.name, Type: m.typ, Doc: m.doc, PromotedFrom: m.from, File: m.at.Path, Line: m.at.Range.Start.Line}
}

// members returns what the class itself declares, in the order of the file. Nested classes are no members.
func (c class) members() (fields, methods []member) {
	declared := slices.Clone(c.symbol.Children)
	slices.SortStableFunc(declared, func(a, b lsp.DocumentSymbol) int {
		return query.CompareSpots(query.SpotOf(c.own(a)), query.SpotOf(c.own(b)))
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

func (c class) function(s lsp.DocumentSymbol) member {
	def := function(c.head.file, s.NameRange.Start)
	decorators := decoratorsOf(def)
	at := c.own(s)
	if decorated(decorators, "setter", "deleter", "getter") {
		def, at = c.getter(def, at)
		decorators = decoratorsOf(def)
	}
	m := member{
		name: s.Name, at: at, typ: signatureOf(def),
		property: decorated(decorators, "property", "cached_property", "abstractproperty", "computed_field"),
		abstract: decorated(decorators, "abstractmethod", "abstractproperty"),
	}
	for first := range block(def) {
		m.doc = doc(first)
		break
	}
	if m.property {
		_, m.typ, _ = strings.Cut(m.typ, " -> ")
		m.value = "property"
	}
	return m
}

// getter returns the def of the property to which a setter belongs, itself if there is none.
func (c class) getter(setter statement, at lsp.Location) (statement, lsp.Location) {
	name := setter.head().Next().Text()
	for s := range members(c.head) {
		if s.head().Is("def") && s.head().Next().Is(name) && decorated(decoratorsOf(s), "property", "cached_property") {
			return s, placeOf(s.file, s.head().Next())
		}
	}
	return setter, at
}

// signatureOf returns what stands behind the name of a def: "(self, n: int) -> int".
func signatureOf(def statement) string {
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

// variable returns an attribute, declared in the body of the class or by an assignment to self.x in a method.
func (c class) variable(s lsp.DocumentSymbol) member {
	f := c.head.file
	t := f.At(s.NameRange.Start.Line, s.NameRange.Start.Column)
	m := member{name: s.Name, at: c.own(s)}
	stated := statementAt(f, t)
	next := t.Next()
	last := stated.tokens[len(stated.tokens)-1]
	if next.Is(":") {
		equals := find(stated, next, "=")
		end := last
		if equals.Kind() != 0 {
			end = equals.Prev()
		}
		m.typ = textOf(f, next.Next(), end)
		next = equals
	}
	if t.Kind() == lexer.String {
		m.value = "slot"
	}
	if next.Is("=") && outermost(next) && stated.first() == t {
		for later := find(stated, next.Next(), "="); later.Kind() != 0; later = find(stated, next.Next(), "=") {
			next = later // a = b = value
		}
		m.value = "= " + textOf(f, next.Next(), last)
	}
	m.doc = c.documented(stated)
	return m
}

// chainStart returns the first token of the dotted name that t ends.
func chainStart(t lexer.Token) lexer.Token {
	for t.Prev().Is(".") && t.Prev().Prev().Kind() == lexer.Name {
		t = t.Prev().Prev()
	}
	return t
}

// find returns the next token of a statement outside of brackets that is written so.
func find(s statement, from lexer.Token, text string) lexer.Token {
	for _, t := range s.tokens {
		if t.Start() >= from.Start() && t.Is(text) && outermost(t) {
			return t
		}
	}
	return lexer.Token{}
}

// documented returns the comment at an assignment, or the string below it.
func (c class) documented(s statement) string {
	if comment := comment(s); comment != "" {
		return comment
	}
	below := 0
	for next := range statements(s.file, s.first()) {
		if below++; below == 2 {
			if next.indent == s.indent {
				return doc(next)
			}
			break
		}
	}
	return ""
}
