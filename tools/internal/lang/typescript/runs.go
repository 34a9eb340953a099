package typescript

import (
	"context"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// abstract returns what declares the method at a place without a body: an interface, an object type, or a class of
// which it is an abstract method.
func abstract(ctx context.Context, q *query.Query, at lsp.Location) string {
	name := token(q, at)
	body := name.Outer()
	if !body.Is("{") {
		return ""
	}
	owner, word := owner(body)
	switch word {
	case "interface", "type":
		return owner
	case "class":
		for before := name.Prev(); modifier(before); before = before.Prev() {
			if before.Is("abstract") {
				return owner
			}
		}
	}
	return ""
}

// runs asks which method a call names. tsserver's references to a method include those to the methods that it
// overrides or implements, which may run it, and to those of other classes that do the same, which do not.
func runs(ctx context.Context, q *query.Query, method lsp.Symbol, at lsp.Location) (contract string, ok bool, err error) {
	definitions, err := q.View.Definition(ctx, at)
	if err != nil || len(definitions) == 0 {
		return "", false, err
	}
	for _, d := range definitions {
		if query.SpotOf(d) == query.SpotOf(method.Location) || d.Path == method.Location.Path && overload(q, d, method.Location) {
			return "", true, nil
		}
	}
	if chainHead(token(q, at)).Is("super") {
		return "", false, nil
	}
	owner, err := q.Enclosing(ctx, definitions[0])
	if err != nil {
		return "", false, err
	}
	above, err := declaredAbove(ctx, q, method, definitions[0])
	if err != nil || !above {
		return "", false, err
	}
	return owner.Name, true, nil
}
