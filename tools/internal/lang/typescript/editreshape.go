package typescript

import (
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// reshape changes the parameters that there are, in every signature that has them. What no words say is a *graph.Refusal
// that is unclear.
func (e editor) reshape(c scout.Change) (revision, error) {
	signatures, err := e.signatures()
	if err != nil {
		return revision{}, err
	}
	var edits []lsp.Edit
	for _, s := range signatures {
		if s.open.Kind() == 0 {
			return revision{}, refuse("the parameter of %s stands without brackets", e.name.Text())
		}
		more, err := e.reshaped(c, params(e.file, s.open))
		if err != nil {
			return revision{}, err
		}
		edits = append(edits, more...)
	}
	r := revision{edits: edits}
	if c.Kind == scout.RetypeParameter {
		r.unread = meaningless(parameterType(c))
	}
	return r, nil
}

func (e editor) reshaped(c scout.Change, all []param) ([]lsp.Edit, error) {
	switch c.Kind {
	case scout.ReorderParameters:
		return e.reordered(c, all)
	case scout.MakeVariadic:
		return e.variadic(all)
	}
	at, err := graph.Pick(e.picked(all), c)
	if err != nil {
		return nil, err
	}
	p := all[at]
	if c.Kind == scout.RemoveParameter {
		last := e.lastOf(p)
		if last.Next().Is(",") {
			last = last.Next()
		}
		return []lsp.Edit{e.replace(p.first.Start(), last.End(), "")}, nil
	}
	typ := parameterType(c)
	if typ == "" || !madeOf(typ) {
		return nil, graph.Unclear("the new type is not said")
	}
	return []lsp.Edit{e.annotate(p.member, p.name, typ)}, nil
}

// picked are parameters as words may name them.
func (e editor) picked(all []param) []graph.Param {
	picked := make([]graph.Param, len(all))
	for i, p := range all {
		picked[i] = graph.Param{Name: p.label, Type: p.typ.in(e.file)}
	}
	return picked
}

// parameterType returns the type that a change gives a parameter: "int" of "n: int"; "" if it says none.
func parameterType(c scout.Change) string {
	if _, typ, ok := strings.Cut(c.Detail, ":"); ok {
		return strings.TrimSpace(typ)
	}
	if c.Terms.To != "" {
		return c.Terms.To
	}
	return strings.TrimSpace(c.Detail)
}

// reordered puts two parameters in each other's place: those that words name, or the only two.
func (e editor) reordered(c scout.Change, all []param) ([]lsp.Edit, error) {
	order := graph.Named(e.picked(all), c.Detail)
	if len(order) != len(all) {
		swapped := graph.Named(e.picked(all), c.Words)
		if len(all) == 2 {
			swapped = []int{0, 1}
		}
		if len(swapped) != 2 {
			return nil, graph.Unclear("the new order is not said")
		}
		order = make([]int, len(all))
		for i := range order {
			order[i] = i
		}
		order[swapped[0]], order[swapped[1]] = swapped[1], swapped[0]
	}
	var edits []lsp.Edit
	for i, from := range order {
		if from != i {
			text := e.file.Text(all[from].first.Start(), e.lastOf(all[from]).End())
			edits = append(edits, e.replace(all[i].first.Start(), e.lastOf(all[i]).End(), strings.Join(strings.Fields(text), " ")))
		}
	}
	return edits, nil
}

// variadic lets the last parameter take any number of arguments.
func (e editor) variadic(all []param) ([]lsp.Edit, error) {
	if len(all) == 0 || all[len(all)-1].first.Is("...") {
		return nil, graph.Unclear("it has no parameter that could take any number")
	}
	p := all[len(all)-1]
	typ := p.typ.in(e.file)
	if typ == "" {
		typ = "any"
	}
	if !strings.HasSuffix(typ, "[]") && !strings.Contains(typ, "Array<") {
		typ = "(" + typ + ")[]"
	}
	return []lsp.Edit{e.replace(p.first.Start(), e.lastOf(p).End(), "..."+p.label+": "+typ)}, nil
}

// addField gives a type a property that what makes or implements it must have.
func (e editor) addField(c scout.Change) (revision, error) {
	t, ok := typeNamed(e.file, e.path, e.name)
	if !ok {
		return revision{}, senseless("%s is no type that has fields", e.name.Text())
	}
	open, err := t.object()
	if err != nil {
		return revision{}, err
	}
	name, typ, _ := strings.Cut(c.Detail, ":")
	if name = nameOr(strings.TrimSpace(name), nameOr(c.Terms.Member, added)); !madeOf(typ) {
		typ = unfit
	}
	if slices.ContainsFunc(membersIn(t.file, open), func(m member) bool { return m.label == name }) {
		return revision{}, refuse("%s has a member %s already", t.name.Text(), name)
	}
	mark := ""
	if strings.HasSuffix(t.kind(), "class") { // that it has no value is no matter of others
		mark = "!"
	}
	return revision{edits: []lsp.Edit{e.insert(open.End(), " "+name+mark+": "+strings.TrimSpace(typ)+";")}, unread: meaningless(typ)}, nil
}

// generic gives a type a type parameter.
func (e editor) generic() (revision, error) {
	t, ok := typeNamed(e.file, e.path, e.name)
	switch {
	case !ok:
		return revision{}, graph.Unclear("the generic signature is not said")
	case t.word == "enum":
		return revision{}, senseless("%s is an enum", e.name.Text())
	case e.name.Next().Is("<"):
		return revision{}, graph.Unclear("it has type parameters already")
	}
	return revision{edits: []lsp.Edit{e.insert(e.name.End(), "<__T>")}}, nil
}

// written is the head of the declaration before and after edits, on one line; "" if they leave it as it is.
func (e editor) written(edits []lsp.Edit) string {
	first, last := e.head()
	if last.End() <= first.Start() {
		return ""
	}
	before, text := e.file.Text(first.Start(), last.End()), ""
	at := first.Start()
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b lsp.Edit) int { return a.Start - b.Start })
	for _, edit := range edits {
		if edit.Path == e.path && edit.Start >= at && edit.End <= last.End() {
			text, at = text+e.file.Text(at, edit.Start)+edit.New, edit.End
		}
	}
	text += e.file.Text(at, last.End())
	if text == before {
		for _, edit := range edits {
			text += " + " + strings.Trim(edit.New, " ;,")
		}
	}
	text = strings.NewReplacer(unfit, "NEW", added, "added", renamed, "renamed", "__T", "T").Replace(text)
	before, text = oneLine(before), oneLine(text)
	if text == before || text == "" {
		return ""
	}
	return before + " → " + text
}

// head returns the first and the last token of what a declaration is known by: all before its body or its value.
func (e editor) head() (first, last lexer.Token) {
	first = e.name
	for !first.Prev().Is(";", "{", "}", ",", "(") && first.Prev().Kind() != 0 && first.Prev().Line() == e.name.Line() {
		first = first.Prev()
	}
	signatures, _ := e.signatures() // of what has none, the name says it all
	for _, s := range signatures {
		if last = s.open.Match(); last.Kind() == 0 || s.open.Start() < e.name.Start() { // of another overload
			continue
		}
		if last.Next().Is(":") {
			last = endOf(last.Next().Next(), lexer.Token{}, "{", "=>", "=")
		}
		return first, last
	}
	if t, ok := typeNamed(e.file, e.path, e.name); ok {
		if t.word == "type" && t.value.is() && t.value.last.Line() == e.name.Line() {
			return first, t.value.last
		}
		return first, endOf(e.name, lexer.Token{}, "{", "=")
	}
	return first, endOf(e.name, lexer.Token{}, "{", "=")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
