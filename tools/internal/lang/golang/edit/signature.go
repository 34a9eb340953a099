package edit

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// addParameter adds a parameter that no argument fits, where the change says; without that, before the others. A signature
// that is written out says more.
func (e *editor) addParameter() (Revision, error) {
	if signature := behindName(e.change.Words, e.name); strings.Contains(signature, "...") { // it may be left out
		if made, ok, err := e.written(signature); ok {
			return made, err
		}
	}
	if Optional(e.change) {
		return e.made(e.file.AddOptional(e.at))
	}
	at := e.change.Terms.Position
	now, err := e.file.SignatureOf(e.at)
	if err != nil || at == 0 || at == 1 || len(now.Params) == 0 {
		return e.made(e.file.AddParameter(e.at))
	}
	if at < 0 || at > len(now.Params) {
		at = len(now.Params) + 1
	}
	if last := now.Params[len(now.Params)-1]; strings.HasPrefix(last.Type, "...") {
		at = min(at, len(now.Params))
	}
	name := ""
	if now.Params[0].Name != "" {
		name = "_"
	}
	now.Params = slices.Insert(now.Params, at-1, syntax.Item{Name: name, Type: syntax.Unfit})
	return e.made(e.file.Signature(e.at, now.String()))
}

// signature changes parameters and results as the change says.
func (e *editor) signature() (Revision, error) {
	if made, ok, err := e.written(e.change.Terms.To, e.change.Detail, behindName(e.change.Words, e.name)); ok {
		return made, err
	}
	now, err := e.file.SignatureOf(e.at)
	if err != nil {
		return Revision{}, err
	}
	if list := resultsIn(e.change.Words); list != "" {
		now.Results = nil
		if made, ok, err := e.written(now.String() + " " + list); ok {
			return made, err
		}
		return Revision{}, graph.Unclear("its results are %s already", list)
	}
	if to := e.change.Terms.To; to != "" && says(e.change.Words, "return", "result", "yield") {
		if len(now.Results) == 0 || furtherResult().MatchString(e.change.Words) {
			return e.furtherResult(now, to)
		}
		return e.retyped(now, now.Results, to)
	}
	if says(e.change.Detail, "another", "additional", "one more", "extra") && says(e.change.Detail, "result", "return") {
		return e.made(e.file.AddResult(e.at, syntax.Unfit))
	}
	return Revision{}, graph.Unclear("the new signature is not said")
}

// written gives the declaration the first signature that texts write out and that it does not have; ok is false if they
// write none.
func (e *editor) written(texts ...string) (made Revision, ok bool, err error) {
	now, _ := e.file.SignatureOf(e.at)
	for _, said := range texts {
		signature, found := signatureIn(said)
		if !found || signature == now.String() {
			continue
		}
		qualifiers, _ := e.readType(&signature)
		imports, err := e.imports(signature, qualifiers)
		if err != nil {
			return Revision{}, true, err
		}
		made, err := e.made(e.file.Signature(e.at, signature))
		made.Add(imports)
		made.Unread = e.meansNothing(strings.TrimPrefix(signature, "func"))
		return made, true, err
	}
	return Revision{}, false, nil
}

// behindName returns what words write behind the last mention of a function with brackets that have types in them: "F(a
// int) error, so that" of F. "" if they have none, since F(a) may only be how it is called.
func behindName(words, name string) string {
	at := strings.LastIndex(words, name+"(")
	if at < 0 {
		return ""
	}
	signature, ok := signatureIn(words[at:])
	if !ok {
		return ""
	}
	expr, err := parser.ParseExpr(signature)
	if err != nil || !typed(expr) {
		return ""
	}
	return signature
}

// reshape changes the parameters or results that there are.
func (e *editor) reshape() (Revision, error) {
	now, err := e.file.SignatureOf(e.at)
	if err != nil {
		return Revision{}, err
	}
	switch e.change.Kind {
	case scout.RemoveParameter:
		at, err := e.pick(now.Params)
		if err != nil {
			return Revision{}, err
		}
		now.Params = slices.Delete(now.Params, at, at+1)
	case scout.RemoveResult:
		at, err := e.pick(now.Results)
		if err != nil {
			return Revision{}, err
		}
		now.Results = slices.Delete(now.Results, at, at+1)
	case scout.RenameParameter:
		at, err := e.pick(now.Params)
		if err != nil {
			return Revision{}, err
		}
		now.Params[at].Name = e.parameterName(now.Params, now.Params[at].Name)
	case scout.RetypeParameter:
		return e.retyped(now, now.Params, e.change.Terms.To)
	case scout.MakeVariadic:
		if err := makeVariadic(now.Params); err != nil {
			return Revision{}, err
		}
	case scout.ReorderParameters:
		if now.Params, err = e.reordered(now.Params); err != nil {
			return Revision{}, err
		}
	}
	return e.made(e.file.Signature(e.at, now.String()))
}

// retyped gives the one of items, which belong to a signature, that the change is about another type.
func (e *editor) retyped(now syntax.Signature, items []syntax.Item, to string) (Revision, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(e.change.Detail), " ")
	at, said := -1, []string{to, e.change.Detail}
	if name != "" && rest != "" {
		at = slices.IndexFunc(items, func(item syntax.Item) bool { return item.Name == name })
	}
	if at >= 0 {
		said = []string{strings.TrimPrefix(rest, "to ")}
	} else if picked, err := e.pick(items); err != nil {
		return Revision{}, err
	} else {
		at = picked
	}
	typ, imports, err := e.typed(said...)
	if err != nil {
		return Revision{}, err
	}
	if items[at].Type == typ {
		return Revision{}, graph.Unclear("it is %s already", typ)
	}
	items[at].Type = typ
	made, err := e.made(e.file.Signature(e.at, now.String()))
	made.Add(imports)
	made.Unread = e.meansNothing(typ)
	return made, err
}

// parameterName returns the new name of a parameter: what the change says, or one that no other has.
func (e *editor) parameterName(all []syntax.Item, old string) string {
	_, behind, _ := strings.Cut(e.change.Detail, " to ")
	for _, to := range []string{e.change.Terms.To, strings.TrimSpace(behind), strings.TrimSpace(e.change.Detail)} {
		taken := slices.ContainsFunc(all, func(p syntax.Item) bool { return p.Name == to })
		if token.IsIdentifier(to) && !taken {
			return to
		}
	}
	return old + "Renamed"
}

func (e *editor) pick(items []syntax.Item) (int, error) {
	params := make([]graph.Param, len(items))
	for i, item := range items {
		params[i] = graph.Param(item)
	}
	return graph.Pick(params, e.change)
}

// reordered puts parameters in the order that the change says: all of their names, two that change places, or one that
// becomes the first or the last. Of two it is the other order.
func (e *editor) reordered(items []syntax.Item) ([]syntax.Item, error) {
	params := make([]graph.Param, len(items))
	for i, item := range items {
		params[i] = graph.Param(item)
	}
	named := graph.Named(params, e.change.Detail)
	if len(named) == len(items) {
		sorted := make([]syntax.Item, len(items))
		for i, at := range named {
			sorted[i] = items[at]
		}
		return sorted, nil
	}
	if named = graph.Named(params, e.change.Words); len(items) == 2 {
		named = []int{0, 1}
	}
	moved := slices.Clone(items)
	switch at := e.change.Terms.Position; {
	case len(named) == 2:
		moved[named[0]], moved[named[1]] = moved[named[1]], moved[named[0]]
	case len(named) == 1 && at != 0 && at <= len(items):
		moved = slices.Delete(moved, named[0], named[0]+1)
		if at < 0 {
			at = len(items)
		}
		moved = slices.Insert(moved, at-1, items[named[0]])
	default:
		return nil, graph.Unclear("the new order is not said")
	}
	return moved, nil
}

// makeVariadic lets the last of parameters take any number of arguments.
func makeVariadic(items []syntax.Item) error {
	if len(items) == 0 {
		return graph.Unclear("it has no parameter that could take any number")
	}
	last := &items[len(items)-1]
	if strings.HasPrefix(last.Type, "...") {
		return graph.Unclear("it takes any number of arguments already")
	}
	last.Type = "..." + strings.TrimPrefix(last.Type, "[]")
	return nil
}
