package python

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// constructors lists the members of an Enum, the signature by which a class is called, the functions and class
// methods that return one, and the classes derived from it.
func constructors(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Construction) error {
	c, ok, err := classAt(ctx, q, symbol.Location)
	if err != nil {
		return err
	}
	if !ok { // an alias, or a class that is made by a call such as namedtuple("NT", …), is shown as it is written
		out.Head, out.Problem, err = noClass(q, symbol)
		return err
	}
	line, err := lineageOf(ctx, q, c)
	if err != nil {
		return err
	}
	out.Head = c.headed(line.form())
	q.Doubt(unfollowed(line))
	if out.Kind == "enum" {
		out.List("member", c.enumMembers())
	}
	called, err := calledAs(ctx, q, line)
	if err != nil {
		return err
	}
	out.List("constructor", called)
	m := maker{q: q, class: c}
	if err := m.collect(ctx); err != nil {
		return err
	}
	out.Literals = m.calls
	out.List("class method", append(m.methods, m.selves(line)...))
	out.List("function", m.functions)
	derived, err := subclasses(ctx, q, c)
	if err != nil {
		return err
	}
	out.List("descendant", descendants(q, derived))
	return nil
}

// enumerated returns the assignments in the body of an Enum that make its members.
func (c class) enumerated() []member {
	fields, _ := c.members()
	return slices.DeleteFunc(fields, func(m member) bool {
		return !strings.HasPrefix(m.value, "= ") || strings.HasPrefix(m.name, "_") || m.typ != ""
	})
}

func (c class) enumMembers() []query.Constructor {
	var all []query.Constructor
	for _, m := range c.enumerated() {
		value := strings.TrimPrefix(m.value, "= ")
		all = append(all, query.Constructor{
			Name: m.name, Fields: []string{}, Detail: value, Doc: m.doc, Test: test(m.at.Path), File: m.at.Path,
			Line: m.at.Range.Start.Line, Shown: c.name + "." + m.name + " = " + value,
		})
	}
	return all
}

// calledAs returns the signature of calling the class, as pyright computes it: that of __init__ or __new__ wherever it is
// inherited from, or the generated one of a dataclass, a named tuple or a model.
func calledAs(ctx context.Context, q *query.Query, line lineage) ([]query.Constructor, error) {
	c := line.classes[0]
	if form := line.form(); form == "protocol" {
		return nil, nil
	}
	hover, err := q.View.Hover(ctx, c.at)
	if err != nil {
		return nil, fmt.Errorf("asking how %s is called: %w", c.name, err)
	}
	_, signature, _ := strings.Cut(hover, "```python\n")
	signature, _, _ = strings.Cut(signature, "\n```")
	if signature = callable(signature); signature == "" {
		signature = line.generated()
	}
	if signature == "" {
		return nil, nil
	}
	made := query.Constructor{
		Name: c.name, Fields: parameters(signature), IsRecord: line.form() != "class", Test: test(c.at.Path),
		File: c.at.Path, Line: c.at.Range.Start.Line, Shown: signature,
	}
	made.Detail, made.Doc = "generated", ""
	for _, from := range line.classes {
		for _, name := range []string{"__init__", "__new__"} {
			if s, ok := from.method(name); ok && q.Within(from.at.Path) && made.Detail == "generated" {
				m := from.function(s)
				made.Detail, made.Doc, made.File, made.Line = from.name+"."+name, m.doc, m.at.Path, m.at.Range.Start.Line
			}
		}
	}
	if line.form() == "enum" {
		made.Detail = "looks a member up by its value"
	}
	made.Shown += "  (" + made.Detail + ")"
	return []query.Constructor{made}, nil
}

// callable returns the last signature that a hover over a class shows, on one line; "" if it shows none.
func callable(hover string) string {
	at := strings.LastIndex(hover, "class ")
	if at < 0 || !strings.Contains(hover, "(") || strings.HasPrefix(hover, "(class)") {
		return ""
	}
	signature := excerpt.OneLine(strings.TrimPrefix(hover[at:], "class "))
	return strings.TrimSuffix(strings.NewReplacer("( ", "(", " )", ")").Replace(signature), ": ...")
}

// generated returns the signature that a model has by its annotated fields, "" for other classes.
func (l lineage) generated() string {
	if l.form() != "model" {
		return ""
	}
	var parameters []string
	for _, c := range slices.Backward(l.classes) {
		fields, _ := c.members()
		for _, m := range fields {
			if m.typ != "" && !m.property && !strings.HasPrefix(m.typ, "ClassVar") {
				parameters = append(parameters, strings.TrimSpace(m.name+": "+m.typ+" "+m.value))
			}
		}
	}
	return l.classes[0].name + "(" + strings.Join(parameters, ", ") + ")"
}

// parameters returns the types of the parameters in "C(a: int, b: str = "x")", the name where there is none; without the
// value or class that a method is called on.
func parameters(signature string) []string {
	f := lexer.Parse("signature.py", []byte(signature))
	types := []string{}
	for _, t := range f.Tokens() {
		if !t.Is("(") {
			continue
		}
		for i, part := range split(inside(t)) {
			if len(part) > 1 || !part[0].Is("*", "/") && !(i == 0 && part[0].Is("self", "cls")) {
				types = append(types, parameter(f, part))
			}
		}
		break
	}
	return types
}

func parameter(f *lexer.File, part []lexer.Token) string {
	outer := part[0].Outer()
	from, to := part[0], part[len(part)-1]
	for _, t := range part {
		switch {
		case t.Outer() == outer && t.Is(":") && t.Next().Kind() != 0:
			from = t.Next()
		case t.Outer() == outer && t.Is("="):
			return textOf(f, from, t.Prev())
		}
	}
	return textOf(f, from, to)
}

// A maker sorts the references to a class by what makes one.
type maker struct {
	q                  *query.Query
	class              class
	calls              int
	methods, functions []query.Constructor
	seen               []query.Spot
}

func (m *maker) collect(ctx context.Context) error {
	references, err := m.q.View.References(ctx, m.class.at, false)
	if err != nil {
		return fmt.Errorf("finding references of %s: %w", m.class.name, err)
	}
	for _, r := range query.Distinct(references) {
		f, err := m.q.Lexed.Open(r.Path)
		if err != nil {
			return fmt.Errorf("classifying a reference: %w", err)
		}
		t := f.At(r.Range.Start.Line, r.Range.Start.Column)
		s, u := statementAt(f, t), useOf(f, t)
		switch {
		case u.Kind == "call":
			m.calls++
			if s.head().Is("return") && chainStart(t) == s.tokens[min(1, len(s.tokens)-1)] {
				err = m.within(ctx, f, r)
			}
		case u.Kind == "type" && s.head().Is("def") && behindArrow(s, t):
			err = m.add(ctx, f, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// behindArrow reports whether a token of a def stands in the type of its result.
func behindArrow(def statement, t lexer.Token) bool {
	arrow := find(def, def.first(), "->")
	return arrow.Kind() != 0 && t.Start() > arrow.Start()
}

// within adds the function that a return statement stands in.
func (m *maker) within(ctx context.Context, f *lexer.File, at lsp.Location) error {
	outer, err := m.q.Enclosing(ctx, at)
	if err != nil || outer.Name == "" {
		return err
	}
	if s := function(f, outer.At.Range.Start); s.head().Is("def") {
		return m.add(ctx, f, s)
	}
	return nil
}

func (m *maker) add(ctx context.Context, f *lexer.File, def statement) error {
	at := placeOf(f, def.head().Next())
	if slices.Contains(m.seen, query.SpotOf(at)) {
		return nil
	}
	m.seen = append(m.seen, query.SpotOf(at))
	outer, err := m.q.Enclosing(ctx, at)
	if err != nil {
		return err
	}
	made := factory(f, def, outer.Name)
	if decorated(decoratorsOf(def), "classmethod", "staticmethod") {
		m.methods = append(m.methods, made)
	} else {
		m.functions = append(m.functions, made)
	}
	return nil
}

// selves returns the class methods, its own and inherited ones, that return the class they are called on.
func (m *maker) selves(line lineage) []query.Constructor {
	var all []query.Constructor
	for _, c := range line.classes {
		_, methods := c.members()
		for _, method := range methods {
			f := c.head.file
			def := function(f, method.at.Range.Start)
			_, result, _ := strings.Cut(method.typ, " -> ")
			bare := strings.Trim(result, `"'`)
			if decorated(decoratorsOf(def), "classmethod") && (bare == "Self" || bare == "" && returns(def, "cls")) &&
				m.q.Within(f.Path) && !slices.Contains(m.seen, query.SpotOf(method.at)) {
				all = append(all, factory(f, def, c.name+"."+method.name))
			}
		}
	}
	return all
}

// returns reports whether a function returns what calling a name gives.
func returns(def statement, name string) bool {
	for s := range block(def) {
		if s.first().Is("return") && len(s.tokens) > 2 && s.tokens[1].Is(name) && s.tokens[2].Is("(") {
			return true
		}
	}
	return false
}

func factory(f *lexer.File, def statement, name string) query.Constructor {
	signature := signatureOf(def)
	made := query.Constructor{
		Name: name, Fields: parameters(signature), Test: test(f.Path), File: f.Path, Line: def.head().Next().Line(),
		Shown: "def " + name + signature,
	}
	_, made.Detail, _ = strings.Cut(signature, " -> ")
	for s := range block(def) {
		made.Doc = doc(s)
		break
	}
	return made
}

func descendants(q *query.Query, classes []class) []query.Constructor {
	var all []query.Constructor
	for _, c := range classes {
		all = append(all, query.Constructor{
			Name: c.name, Fields: []string{}, Detail: "class", Doc: c.doc(), Test: test(c.at.Path), File: c.at.Path,
			Line: c.at.Range.Start.Line, Shown: c.head.text(c.head.first(), c.head.tokens[len(c.head.tokens)-1]),
		})
	}
	return all
}
