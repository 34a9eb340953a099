package rust

import (
	"context"
	"fmt"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
)

// abstract returns the trait of a method without a body.
func abstract(_ context.Context, q *code.Inquiry, l lsp.Location) string {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return ""
	}
	name := f.At(l.Range.Start.Line, l.Range.Start.Column)
	if item, ok := itemAt(f, name); !ok || item.keyword != "fn" || item.body.Kind() != 0 {
		return ""
	}
	trait := keywordOf(name.Outer())
	if !trait.Is("trait") {
		return ""
	}
	return trait.Next().Text()
}

// kin adds the calls of the trait's method to those of a method in "impl Trait for T": rust-analyzer keeps calls
// through the trait, which may run it, apart.
func kin(ctx context.Context, q *code.Inquiry, symbol lsp.Symbol, _ []lsp.Location, found *code.CallSites) ([]lsp.Location, error) {
	contract, trait, ok, err := contract(ctx, q, symbol)
	if err != nil || !ok {
		return nil, err
	}
	references, err := q.View.References(ctx, contract, false)
	if err != nil {
		return nil, fmt.Errorf("finding references of %s::%s: %w", trait, symbol.Name, err)
	}
	references = code.Distinct(references)
	found.Contracts = append(found.Contracts, trait+"::"+symbol.Name)
	for _, at := range references {
		u, err := use(ctx, q, at)
		if err != nil {
			return nil, err
		}
		if u.Called || u.Taken {
			u.Kind = "interface " + u.Kind
			found.Sites = append(found.Sites, code.Site{At: at, Use: u, Via: trait + "::" + symbol.Name})
			found.References++
		}
	}
	slices.SortFunc(found.Sites, func(a, b code.Site) int { return code.CompareSpots(code.SpotOf(a.At), code.SpotOf(b.At)) })
	return references, nil
}

// contract finds the method of the trait that a method in an impl implements.
func contract(ctx context.Context, q *code.Inquiry, method lsp.Symbol) (at lsp.Location, trait string, ok bool, err error) {
	f, err := q.Lexed.Open(method.Location.Path)
	if err != nil {
		return lsp.Location{}, "", false, err
	}
	start := method.Location.Range.Start
	body := f.At(start.Line, start.Column).Outer()
	name := traitOf(body)
	if name.Kind() == 0 {
		return lsp.Location{}, "", false, nil
	}
	line, column := name.Position()
	declared, err := q.View.Definition(ctx, lsp.At(f.Path, line, column))
	if err != nil || len(declared) == 0 {
		return lsp.Location{}, "", false, err
	}
	in, err := q.Lexed.Open(declared[0].Path)
	if err != nil {
		return lsp.Location{}, "", false, err
	}
	start = declared[0].Range.Start
	item, ok := itemAt(in, in.At(start.Line, start.Column))
	if !ok || item.keyword != "trait" {
		return lsp.Location{}, "", false, nil
	}
	for _, fn := range functions(in, item.body) {
		if fn.name.Text() == method.Name {
			line, column := fn.name.Position()
			return lsp.At(in.Path, line, column), item.name.Text(), true, nil
		}
	}
	return lsp.Location{}, "", false, nil
}

// traitOf is the last name of the trait in "impl a::Trait<X> for T {", given the brace.
func traitOf(body lexer.Token) lexer.Token {
	head := keywordOf(body)
	if !body.Is("{") || !head.Is("impl") {
		return lexer.Token{}
	}
	var trait lexer.Token
	depth := 0
	for t := head.Next(); t.Kind() != 0 && t != body; t = t.Next() {
		switch {
		case t.Is("<"):
			depth++
		case t.Is(">"):
			depth--
		case t.Is("for") && depth == 0:
			return trait
		case t.Kind() == lexer.Name && depth == 0:
			trait = t
		}
	}
	return lexer.Token{}
}
