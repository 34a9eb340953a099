package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// pythonKin adds to what calls a method the calls that name one which it overrides: pyright counts a reference for the
// method of the type that the receiver is declared with, and for no other. Making a value calls __init__. It returns
// the references to all of them.
func pythonKin(ctx context.Context, q *inquiry, symbol lsp.Symbol, references []lsp.Location, found *callSites) ([]lsp.Location, error) {
	w := pyKin{q: q, method: symbol.Name, found: found}
	if c, ok, err := pyClassAt(ctx, q, symbol.Location); ok || err != nil {
		return nil, errors.Join(err, w.bySelf(ctx, c))
	}
	c, ok, err := pyOwner(ctx, q, symbol.Location)
	if err != nil || !ok {
		return nil, err
	}
	method, ok := c.method(symbol.Name)
	if !ok {
		return nil, nil
	}
	line, err := pyLineageOf(ctx, q, c)
	if err != nil {
		return nil, err
	}
	if c.function(method).property {
		found.sites = nil
		if err := w.read(references, ""); err != nil {
			return nil, err
		}
	}
	if err := w.above(ctx, line); err != nil {
		return nil, err
	}
	if err := w.below(ctx, line, c.function(method)); err != nil {
		return nil, err
	}
	q.doubt(pyUnfollowed(line))
	w.sort()
	return w.references, nil
}

func (w *pyKin) sort() {
	found := w.found
	slices.SortFunc(found.sites, func(a, b site) int { return compareSpots(spotOf(a.at), spotOf(b.at)) })
	found.sites = slices.CompactFunc(found.sites, func(a, b site) bool { return spotOf(a.at) == spotOf(b.at) })
}

// pyOwner is the class in whose body a place declares a method.
func pyOwner(ctx context.Context, q *inquiry, at lsp.Location) (pyClass, bool, error) {
	symbols, err := q.outline(ctx, at.Path)
	if err != nil {
		return pyClass{}, false, err
	}
	owner, ok := pyHolder(symbols, at.Range.Start)
	if !ok {
		return pyClass{}, false, nil
	}
	return pyClassAt(ctx, q, lsp.Location{Path: at.Path, Range: owner.NameRange})
}

func pyHolder(symbols []lsp.DocumentSymbol, at lsp.Position) (lsp.DocumentSymbol, bool) {
	for _, s := range symbols {
		for _, child := range s.Children {
			if child.NameRange.Start == at {
				return s, s.Kind == lsp.KindClass
			}
		}
		if found, ok := pyHolder(s.Children, at); ok {
			return found, true
		}
	}
	return lsp.DocumentSymbol{}, false
}

// pyKin collects what calls the relatives of a method.
type pyKin struct {
	q          *inquiry
	method     string
	found      *callSites
	references []lsp.Location
}

// above adds the calls through the methods that this one overrides, but for those by super().
func (w *pyKin) above(ctx context.Context, line pyLineage) error {
	for _, base := range line.classes[1:] {
		s, ok := base.method(w.method)
		if !ok || !w.q.within(base.at.Path) {
			continue
		}
		contract := base.name + "." + w.method
		w.found.contracts = append(w.found.contracts, contract)
		if w.method == "__init__" || w.method == "__new__" {
			continue
		}
		references, err := w.q.view.References(ctx, base.own(s), false)
		if err != nil {
			return fmt.Errorf("finding references of %s: %w", contract, err)
		}
		w.references = append(w.references, references...)
		w.found.references += len(references)
		if err := w.read(distinct(references), contract); err != nil {
			return err
		}
	}
	return nil
}

// read turns references into sites; contract is the method that they name, if it is another one.
func (w *pyKin) read(references []lsp.Location, contract string) error {
	for _, at := range references {
		f, err := w.q.lexed.Open(at.Path)
		if err != nil {
			return err
		}
		t := f.At(at.Range.Start.Line, at.Range.Start.Column)
		u := pyUse(f, t)
		u.test = pythonTest(at.Path)
		reads := u.called || u.taken || u.kind == "write" || u.kind == "qualifier" && !pyStatementAt(f, t).head().Is("@")
		if !reads || contract != "" && pyOfSuper(t) {
			continue
		}
		s := site{at: at, use: u, via: u.passed}
		if contract != "" {
			s.use.kind, s.via = "interface "+u.kind, contract
		}
		w.found.sites = append(w.found.sites, s)
	}
	return nil
}

// pyOfSuper says whether a name is that of an attribute of super().
func pyOfSuper(t lexer.Token) bool {
	closing := t.Prev().Prev()
	return t.Prev().Is(".") && closing.Is(")") && closing.Match().Prev().Is("super")
}

// below counts what overrides the method if it has no body, and adds what makes values if it is __init__.
func (w *pyKin) below(ctx context.Context, line pyLineage, m pyMember) error {
	c := line.classes[0]
	making := w.method == "__init__" || w.method == "__new__"
	w.found.abstract = m.abstract || line.form() == "protocol"
	if !making && !w.found.abstract {
		return nil
	}
	derived, err := pySubclasses(ctx, w.q, c)
	if err != nil {
		return err
	}
	makers := []pyClass{c}
	for _, child := range derived {
		if _, overrides := child.method(w.method); overrides {
			w.found.related++
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
func (w *pyKin) bySelf(ctx context.Context, c pyClass) error {
	line, err := pyLineageOf(ctx, w.q, c)
	if err != nil {
		return err
	}
	for _, from := range line.classes {
		for s := range pyBlock(from.head) {
			for _, t := range s.tokens {
				if t.Is("cls") && t.Next().Is("(") && !t.Prev().Is(".", "def") && w.q.within(from.at.Path) {
					u := use{kind: "new", called: true, test: pythonTest(from.at.Path)}
					w.found.sites = append(w.found.sites, site{at: pyAt(s.file, t), use: u, via: "cls"})
					w.found.references++
				}
			}
		}
	}
	w.sort()
	return nil
}

// made adds the places that make a value of a class.
func (w *pyKin) made(ctx context.Context, c pyClass) error {
	references, err := w.q.view.References(ctx, c.at, false)
	if err != nil {
		return fmt.Errorf("finding out what makes a %s: %w", c.name, err)
	}
	for _, at := range distinct(references) {
		f, err := w.q.lexed.Open(at.Path)
		if err != nil {
			return err
		}
		u := pyUse(f, f.At(at.Range.Start.Line, at.Range.Start.Column))
		if u.kind != "call" && u.kind != "raise" {
			continue
		}
		u.kind, u.test = "new", pythonTest(at.Path)
		w.found.sites = append(w.found.sites, site{at: at, use: u, via: c.name})
		w.found.references++
	}
	return nil
}
