package python

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// related adds to what calls a method the calls that name one which it overrides: pyright counts a reference for the
// method of the type that the receiver is declared with, and for no other. Making a value calls __init__. It returns
// the references to all of them.
func related(ctx context.Context, q *query.Query, symbol lsp.Symbol, references []lsp.Location, found *query.CallSites) ([]lsp.Location, error) {
	w := relatives{q: q, method: symbol.Name, found: found}
	switch c, ok, err := classAt(ctx, q, symbol.Location); {
	case err != nil:
		return nil, err
	case ok:
		return nil, w.bySelf(ctx, c)
	}
	c, ok, err := owner(ctx, q, symbol.Location)
	if err != nil || !ok {
		return nil, err
	}
	method, ok := c.method(symbol.Name)
	if !ok {
		return nil, nil
	}
	line, err := lineageOf(ctx, q, c)
	if err != nil {
		return nil, err
	}
	if c.function(method).property {
		found.Sites = nil
		if err := w.read(references, ""); err != nil {
			return nil, err
		}
	}
	outside, err := w.above(ctx, line)
	if err != nil {
		return nil, err
	}
	if len(outside) > 0 {
		if err := w.outside(ctx, symbol, references, outside); err != nil {
			return nil, err
		}
	}
	if err := w.below(ctx, line, c.function(method)); err != nil {
		return nil, err
	}
	q.Doubt(unfollowed(line))
	q.Doubt(implicit(symbol.Name))
	w.sort()
	return w.references, nil
}

// implicit says that a method is called by operators and statements that do not name it; "" for one that is not. What makes a
// value names the class, and is found.
func implicit(method string) string {
	special := len(method) > 4 && strings.HasPrefix(method, "__") && strings.HasSuffix(method, "__")
	if !special || method == "__init__" || method == "__new__" {
		return ""
	}
	return fmt.Sprintf("Python calls %s without naming it", method)
}

func (w *relatives) sort() {
	found := w.found
	slices.SortFunc(found.Sites, func(a, b query.Site) int { return query.CompareSpots(query.SpotOf(a.At), query.SpotOf(b.At)) })
	found.Sites = slices.CompactFunc(found.Sites, func(a, b query.Site) bool { return query.SpotOf(a.At) == query.SpotOf(b.At) })
}

// owner returns the class in whose body a place declares a method.
func owner(ctx context.Context, q *query.Query, at lsp.Location) (class, bool, error) {
	symbols, err := q.Outline(ctx, at.Path)
	if err != nil {
		return class{}, false, err
	}
	owner, ok := holder(symbols, at.Range.Start)
	if !ok {
		return class{}, false, nil
	}
	return classAt(ctx, q, lsp.Location{Path: at.Path, Range: owner.NameRange})
}

func holder(symbols []lsp.DocumentSymbol, at lsp.Position) (lsp.DocumentSymbol, bool) {
	for _, s := range symbols {
		for _, child := range s.Children {
			if child.NameRange.Start == at {
				return s, s.Kind == lsp.KindClass
			}
		}
		if found, ok := holder(s.Children, at); ok {
			return found, true
		}
	}
	return lsp.DocumentSymbol{}, false
}

// relatives collects what calls the relatives of a method.
type relatives struct {
	q          *query.Query
	method     string
	found      *query.CallSites
	references []lsp.Location
}

// above adds the calls through the methods that this one overrides, but for those by super(). It returns the overridden methods of
// classes outside of the project.
func (w *relatives) above(ctx context.Context, line lineage) (outside map[query.Spot]string, err error) {
	outside = map[query.Spot]string{}
	for _, base := range line.classes[1:] {
		s, ok := base.method(w.method)
		if !ok {
			continue
		}
		contract := base.name + "." + w.method
		if !w.q.Within(base.at.Path) {
			if !strings.HasPrefix(w.method, "__") { // or else the language calls it
				outside[query.SpotOf(base.own(s))] = contract
				w.found.Contracts = append(w.found.Contracts, contract)
			}
			continue
		}
		w.found.Contracts = append(w.found.Contracts, contract)
		if w.method == "__init__" || w.method == "__new__" {
			continue
		}
		references, err := w.q.View.References(ctx, base.own(s), false)
		if err != nil {
			return nil, fmt.Errorf("finding references of %s: %w", contract, err)
		}
		w.references = append(w.references, references...)
		w.found.References += len(references)
		if err := w.read(query.Distinct(references), contract); err != nil {
			return nil, err
		}
	}
	return outside, nil
}

// read turns references into sites; contract is the method that they name, if it is another one.
func (w *relatives) read(references []lsp.Location, contract string) error {
	for _, at := range references {
		f, err := w.q.Lexed.Open(at.Path)
		if err != nil {
			return err
		}
		t := f.At(at.Range.Start.Line, at.Range.Start.Column)
		u := useOf(f, t)
		u.Test = test(at.Path)
		reads := u.Called || u.Taken || u.Kind == "write" || u.Kind == "qualifier" && !statementAt(f, t).head().Is("@")
		if !reads || contract != "" && ofSuper(t) {
			continue
		}
		s := query.Site{At: at, Use: u, Via: u.Passed}
		if contract != "" {
			s.Use.Kind, s.Via = "interface "+u.Kind, contract
		}
		w.found.Sites = append(w.found.Sites, s)
	}
	return nil
}

// ofSuper reports whether a name is that of an attribute of super().
func ofSuper(t lexer.Token) bool {
	closing := t.Prev().Prev()
	return t.Prev().Is(".") && closing.Is(")") && closing.Match().Prev().Is("super")
}

// below counts what overrides the method if it has no body, and adds what makes values if it is __init__.
func (w *relatives) below(ctx context.Context, line lineage, m member) error {
	c := line.classes[0]
	making := w.method == "__init__" || w.method == "__new__"
	w.found.Abstract = m.abstract || line.form() == "protocol"
	if !making && !w.found.Abstract {
		return nil
	}
	derived, err := subclasses(ctx, w.q, c)
	if err != nil {
		return err
	}
	makers := []class{c}
	for _, child := range derived {
		if _, overrides := child.method(w.method); overrides {
			w.found.Related++
		} else {
			makers = append(makers, child)
		}
	}
	if !making {
		return nil
	}
	for _, maker := range makers {
		if err := w.made(ctx, maker); err != nil {
			return err
		}
	}
	return w.bySelf(ctx, c)
}

// bySelf adds the places where class methods make a value of the class that they are called on.
func (w *relatives) bySelf(ctx context.Context, c class) error {
	line, err := lineageOf(ctx, w.q, c)
	if err != nil {
		return err
	}
	for _, from := range line.classes {
		for s := range block(from.head) {
			for _, t := range s.tokens {
				if t.Is("cls") && t.Next().Is("(") && !t.Prev().Is(".", "def") && w.q.Within(from.at.Path) {
					u := query.Use{Kind: "new", Called: true, Test: test(from.at.Path)}
					w.found.Sites = append(w.found.Sites, query.Site{At: placeOf(s.file, t), Use: u, Via: "cls"})
					w.found.References++
				}
			}
		}
	}
	w.sort()
	return nil
}

// made adds the places that make a value of a class.
func (w *relatives) made(ctx context.Context, c class) error {
	references, err := w.q.View.References(ctx, c.at, false)
	if err != nil {
		return fmt.Errorf("finding out what makes a %s: %w", c.name, err)
	}
	for _, at := range query.Distinct(references) {
		f, err := w.q.Lexed.Open(at.Path)
		if err != nil {
			return err
		}
		u := useOf(f, f.At(at.Range.Start.Line, at.Range.Start.Column))
		if u.Kind != "call" && u.Kind != "raise" {
			continue
		}
		u.Kind, u.Test = "new", test(at.Path)
		w.found.Sites = append(w.found.Sites, query.Site{At: at, Use: u, Via: c.name})
		w.found.References++
	}
	return nil
}
