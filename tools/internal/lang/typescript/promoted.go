package typescript

import (
	"context"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// promoted finds the member that a type inherits, nearest first.
func promoted(ctx context.Context, q *query.Query, typ lsp.Symbol, member string) (lsp.Symbol, bool, error) {
	t, ok := typeAt(q, typ.Location)
	if !ok {
		return lsp.Symbol{}, false, nil
	}
	return inherited(ctx, q, t, member, query.MaxFollowed)
}

func inherited(ctx context.Context, q *query.Query, t typeDecl, member string, depth int) (lsp.Symbol, bool, error) {
	names := t.bases
	for _, part := range t.parts("&") {
		names = append(names, lastName(part))
	}
	if name := lastName(t.value); name.Kind() != 0 {
		names = append(names, name)
	}
	for _, name := range names {
		if name.Kind() == 0 || depth == 0 {
			continue
		}
		base, ok, err := target(ctx, q, t.path, name)
		if err != nil {
			return lsp.Symbol{}, false, err
		}
		if !ok {
			continue
		}
		if found, ok := base.member(member); ok {
			return found, true, nil
		}
		if found, ok, err := inherited(ctx, q, base, member, depth-1); ok || err != nil {
			return found, ok, err
		}
	}
	return lsp.Symbol{}, false, nil
}

// member returns what a type itself declares by a name.
func (t typeDecl) member(name string) (lsp.Symbol, bool) {
	if t.body.Kind() == 0 {
		return lsp.Symbol{}, false
	}
	for _, m := range membersIn(t.file, t.body) {
		if m.label != name || m.name.Kind() == 0 {
			continue
		}
		s := lsp.Symbol{Name: name, Receiver: t.name.Text(), Kind: lsp.KindField, Language: "typescript", Location: placeOf(t.path, m.name)}
		s.Location.Range.End = s.Location.Range.Start
		s.Location.Range.End.Column += len(m.name.Text())
		if m.method() {
			s.Kind = lsp.KindMethod
		}
		return s, true
	}
	return lsp.Symbol{}, false
}
