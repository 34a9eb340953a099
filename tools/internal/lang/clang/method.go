package clang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// abstract returns the class of a pure virtual method.
func abstract(ctx context.Context, q *query.Query, l lsp.Location) string {
	f, err := open(q.Lexed, l.Path)
	if err != nil {
		return ""
	}
	parameters := f.At(l.Range.Start.Line, l.Range.Start.Column).Next()
	if !parameters.Is("(") {
		return ""
	}
	for t := parameters.Match().Next(); t.Kind() != 0 && !t.Is(";", "{", ":", ","); t = t.Next() {
		if t.Is("=") && t.Next().Text() == "0" {
			return class(ctx, q, l)
		}
	}
	return ""
}

// class returns the class that the method at a place belongs to, with those around it, "" if none.
func class(ctx context.Context, q *query.Query, l lsp.Location) string {
	outer, err := q.Enclosing(ctx, l)
	if err != nil {
		return ""
	}
	at := strings.LastIndex(outer.Name, "::")
	return outer.Name[:max(at, 0)]
}

// runs says whether a call can run a method. The references to one that overrides another include those to that
// other, which run it if the object is of its class.
func runs(ctx context.Context, q *query.Query, method lsp.Symbol, at lsp.Location) (contract string, ok bool, err error) {
	named, err := q.View.Definition(ctx, at)
	if err != nil {
		return "", false, err
	}
	if len(named) == 0 || slices.ContainsFunc(named, func(l lsp.Location) bool { return query.SpotOf(l) == query.SpotOf(method.Location) }) {
		return "", true, nil
	}
	class := class(ctx, q, named[0])
	receiver := strings.ReplaceAll(method.Receiver, ".", "::")
	if class == "" || class == receiver || strings.HasSuffix(class, "::"+receiver) || strings.HasSuffix(receiver, "::"+class) {
		return "", true, nil
	}
	if f, err := open(q.Lexed, at.Path); err == nil && f.At(at.Range.Start.Line, at.Range.Start.Column).Prev().Is("::") {
		return "", false, nil // Base::m() runs that of the class it names, whatever the object is
	}
	below, err := q.View.Implementations(ctx, method.Location)
	if err != nil {
		return "", false, err
	}
	if slices.ContainsFunc(below, func(l lsp.Location) bool { return query.SpotOf(l) == query.SpotOf(named[0]) }) {
		return "", false, nil // it names a method that overrides this one
	}
	return class + "::" + method.Name, true, nil
}

// promoted finds the method that a class inherits.
func promoted(ctx context.Context, q *query.Query, typ lsp.Symbol, method string) (lsp.Symbol, bool, error) {
	t, ok, err := typeAt(ctx, q, typ.Location)
	if err != nil || !ok {
		return lsp.Symbol{}, false, err
	}
	line, _, err := lineage(ctx, q, t)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	for _, base := range line[min(1, len(line)):] {
		for _, s := range base.symbol.Children {
			if s.Name == method && s.Kind == lsp.KindMethod {
				at := lsp.Location{Path: base.file.Path, Range: s.NameRange}
				if defined, err := q.View.Definition(ctx, at); err == nil && len(defined) > 0 && q.Within(defined[0].Path) {
					at = defined[0]
				}
				return lsp.Symbol{
					Name: method, Receiver: base.symbol.Name, Package: typ.Package, Kind: lsp.KindMethod, Location: at, Language: typ.Language,
				}, true, nil
			}
		}
	}
	return lsp.Symbol{}, false, nil
}

// bases returns the last names of the bases in the header of a class, before its body.
func (t typeDecl) bases() []lexer.Token {
	var all []lexer.Token
	begun := false
	for at := t.name.Next(); at.Kind() != 0 && at != t.body && !at.Is(";"); at = at.Next() {
		switch {
		case at.Is(":"):
			begun = true
		case at.Is("<"):
			if end := at.Angles(); end.Kind() != 0 {
				at = end
			}
		case begun && at.Kind() == lexer.Name && !at.Next().Is("::"):
			all = append(all, at)
		}
	}
	return all
}

// lineage returns a class with all that it inherits from, the nearest first, and the names of bases that cannot be found.
func lineage(ctx context.Context, q *query.Query, t typeDecl) (line []typeDecl, unknown []string, err error) {
	line = []typeDecl{t}
	for i := 0; i < len(line) && i < query.MaxFollowed; i++ {
		for _, name := range line[i].bases() {
			base, ok, err := target(ctx, q, line[i].file, name)
			if err != nil {
				return nil, nil, fmt.Errorf("looking for the base %s: %w", name.Text(), err)
			}
			switch {
			case !ok:
				unknown = append(unknown, name.Text())
			case !slices.ContainsFunc(line, func(known typeDecl) bool { return query.SpotOf(known.at()) == query.SpotOf(base.at()) }):
				line = append(line, base)
			}
		}
	}
	return line, unknown, nil
}
