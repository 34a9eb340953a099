package generic

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// A reader reads files in the language of its table.
type reader struct{ table }

// Rust returns what the tools know of Rust beyond what rust-analyzer tells.
func Rust() graph.Language {
	l := language(rust())
	l.Abstract = rust().abstract
	return l
}

// Haskell returns what the tools know of Haskell beyond what its language server tells.
func Haskell() graph.Language {
	l := language(haskell())
	l.Declared = haskell().declared
	return l
}

// language returns what both have. Switches are hidden because the use of a pattern may be unknown.
func language(r reader) graph.Language {
	without := []scout.Role{scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample}
	return graph.Language{
		Language: query.Language{
			Use: r.use, Outlined: true, Related: r.unread, Fields: r.fields, Constructors: r.constructors,
			Naming:     query.Naming{Separator: r.separator, Qualifiers: query.DottedQualifiers, Named: r.named, Made: r.kinds},
			Reading:    query.Reading{Test: r.test},
			Explaining: query.Explaining{Functional: true},
		},
		Edges: graph.EdgesOf, Hidden: append([]scout.Role{scout.RoleSwitch}, without...),
		Without: append([]scout.Role{
			scout.RoleEmbedding, scout.RolePromotion, scout.RoleAssertion, scout.RoleStringMethod, scout.RoleUsed,
		}, without...),
		Traits: []scout.TraitName{scout.TraitGenerated, scout.TraitTest},
		Member: func(of, s lsp.Symbol) bool { return s.Kind == lsp.KindConstructor && of.Kind == lsp.KindStruct },
	}
}

func (r reader) test(path string) bool {
	path = filepath.ToSlash(path)
	for part := range strings.FieldsSeq(string(r.tests)) {
		if strings.HasSuffix(path, part) || strings.HasSuffix(part, "/") && strings.Contains(path, part) {
			return true
		}
	}
	return false
}

// declared returns what the server lists, with the places of the names: of most declarations the server gives the whole. A function
// begins with its signature.
func (r reader) declared(ctx context.Context, q *query.Query, path string) ([]lsp.Symbol, error) {
	symbols, err := q.Outline(ctx, path)
	if err != nil {
		return nil, err
	}
	f, err := q.Lexed.Open(path)
	if err != nil {
		return nil, err
	}
	all := query.Flattened(path, r.id, query.Naming{Named: r.named}, symbols)
	for i, s := range all {
		at := &all[i].Location.Range
		name := f.At(at.Start.Line, at.Start.Column)
		for name.Kind() != 0 && name.Text() != s.Name && name.Start() < f.Offset(at.End.Line, at.End.Column) {
			name = name.Next()
		}
		if above := name.Prev().Statement(); above.Text() == s.Name && above.Next().Is(r.mark) {
			name = above
		}
		if name.Text() == s.Name {
			at.Start.Line, at.Start.Column = name.Position()
		}
	}
	return all, nil
}

// unread lists the references whose use is unknown: they may be calls. Those that reach a method through its trait, which
// rust-analyzer keeps apart, are not looked for.
func (r reader) unread(ctx context.Context, q *query.Query, symbol lsp.Symbol, references []lsp.Location, found *query.CallSites) ([]lsp.Location, error) {
	for _, at := range references {
		u, err := r.use(ctx, q, at)
		if err != nil {
			return nil, err
		}
		if u.Kind == query.Unknown {
			found.Unresolved = append(found.Unresolved, at)
		}
	}
	if n := len(found.Unresolved); n > 0 {
		found.Unread = true
		found.References -= n
		q.Doubt(fmt.Sprintf("how %s is used at %s is unknown", symbol.Name, wording.Count(n, "place")))
	}
	if t, err := r.at(q, symbol.Location); err == nil && r.keyword(t.Outer()).Is("impl") && find(r.keyword(t.Outer()), t.Outer(), "for").Kind() != 0 {
		q.Doubt("calls of " + symbol.Name + " through its trait are not looked for")
	}
	return nil, nil
}

// abstract returns the trait of a method without a body.
func (r reader) abstract(_ context.Context, q *query.Query, at lsp.Location) string {
	name, err := r.at(q, at)
	trait := r.keyword(name.Outer())
	if err != nil || !name.Prev().Is("fn") || !trait.Is("trait") || !r.last(name).Is(";") {
		return ""
	}
	return trait.Next().Text()
}
