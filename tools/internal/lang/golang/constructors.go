package golang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

func (w *walk) constructors(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Construction) error {
	asked, ok := w.typeAt(q, symbol.Location)
	if !ok {
		return query.Undeclared(symbol)
	}
	t, steps, err := w.aliased(ctx, q, asked)
	if err != nil {
		return err
	}
	out.Head = query.Head{Path: asked.file.Path, Line: asked.decl.At.Line, Kind: kind(t.decl), Doc: excerpt.OneLine(asked.decl.Doc), Raw: asked.decl.Raw, Followed: steps}
	references, err := w.namesOf(ctx, q, t)
	if err != nil {
		return err
	}
	made := maker{w: w}
	if err := made.collect(references); err != nil {
		return err
	}
	constants, err := w.constantsAmong(q, references)
	if err != nil {
		return err
	}
	implementations, err := w.implementations(ctx, q, t)
	if err != nil {
		return err
	}
	if literal(t.decl.Form) {
		out.Literals = made.literals
	}
	out.List("constant", constructorsOf(constants))
	out.List("implementation", implementations)
	out.List("function", made.functions)
	return nil
}

// kind returns what a type is: "struct", "defined as int".
func kind(d *syntax.TypeDecl) string {
	if d.Form == syntax.Named {
		return "defined as " + d.Underlying
	}
	return string(d.Form)
}

// literal reports whether T{…} can make a value of a type.
func literal(form syntax.Form) bool {
	switch form {
	case syntax.Struct, syntax.Map, syntax.Slice, syntax.Array:
		return true
	}
	return false
}

// aliased follows aliases: an alias and what it stands for are one type, unlike a type defined by another.
func (w *walk) aliased(ctx context.Context, q *query.Query, t typeDecl) (typeDecl, []string, error) {
	steps := []string{}
	for range query.MaxFollowed {
		if !t.decl.Alias || t.decl.Form != syntax.Named {
			break
		}
		next, ok, err := w.typeTarget(ctx, q, t, t.decl.Target)
		if err != nil {
			return t, steps, err
		}
		if !ok {
			break
		}
		steps = append(steps, step(q, t, " = ", next))
		t = next
	}
	return t, steps, nil
}

// A maker sorts the references to a type by what they make of it.
type maker struct {
	w         *walk
	functions []query.Constructor
	literals  int
}

func (m *maker) collect(references []lsp.Location) error {
	for _, r := range references {
		f, err := m.w.Files.Open(r.Path)
		if err != nil {
			return fmt.Errorf("classifying a reference: %w", err)
		}
		m.reference(f, place(r))
	}
	return nil
}

func (m *maker) reference(f *syntax.File, p syntax.Position) {
	use, ok := f.Use(p)
	if !ok {
		return
	}
	switch use.Kind {
	case syntax.Literal, syntax.New:
		m.literals++
	case syntax.Result:
		if fn, _, ok := f.ResultOf(p); ok {
			m.function(f, fn)
		}
	}
}

func (m *maker) function(f *syntax.File, fn syntax.Function) {
	made := query.Constructor{
		Name: fn.Name, Fields: append([]string{}, fn.Params...), Detail: results(fn), Doc: excerpt.OneLine(fn.Doc),
		Test: f.Test(), File: f.Path, Line: fn.At.Line,
	}
	if last := len(m.functions) - 1; last >= 0 && m.functions[last].File == made.File && m.functions[last].Line == made.Line {
		return // the type stands twice among its results
	}
	m.functions = append(m.functions, made)
}

func results(fn syntax.Function) string {
	if len(fn.Results) == 1 {
		return fn.Results[0]
	}
	return "(" + strings.Join(fn.Results, ", ") + ")"
}

// A constant of a type, and the file that declares it.
type constant struct {
	file *syntax.File
	syntax.Constant
}

// constantsAmong returns the constants whose type, written or implied, is one of the references to it.
func (w *walk) constantsAmong(q *query.Query, references []lsp.Location) ([]constant, error) {
	uses := make(map[query.Spot]bool)
	var paths []string
	for _, r := range references {
		uses[query.SpotOf(r)] = true
		paths = append(paths, r.Path)
	}
	slices.Sort(paths)
	var all []constant
	for _, path := range slices.Compact(paths) {
		f, err := w.Files.Open(path)
		if err != nil {
			return nil, fmt.Errorf("looking for constants: %w", err)
		}
		for _, c := range f.Constants() {
			if c.Of != "" && uses[query.SpotOf(at(f, c.Type))] {
				all = append(all, constant{file: f, Constant: c})
			}
		}
	}
	return all, nil
}

func constructorsOf(constants []constant) []query.Constructor {
	var all []query.Constructor
	for _, c := range constants {
		all = append(all, query.Constructor{
			Name: c.Name, Fields: []string{}, Detail: constantValue(c.Constant), Doc: excerpt.OneLine(c.Doc + " " + c.Comment),
			Test: c.file.Test(), File: c.file.Path, Line: c.At.Line,
		})
	}
	return all
}

// constantValue shows what iota is where it decides the value.
func constantValue(c syntax.Constant) string {
	if strings.Contains(c.Value, "iota") {
		return fmt.Sprintf("%s (iota is %d)", c.Value, c.Iota)
	}
	return c.Value
}

// implementations lists the types that implement an interface, none for any other type.
func (w *walk) implementations(ctx context.Context, q *query.Query, t typeDecl) ([]query.Constructor, error) {
	if t.decl.Form != syntax.Interface {
		return nil, nil
	}
	places, err := q.View.Implementations(ctx, t.at())
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", t.decl.Name, err)
	}
	var all []query.Constructor
	for _, l := range query.Distinct(places) {
		impl, ok := w.typeAt(q, l)
		if !ok || !q.Within(l.Path) {
			continue
		}
		made := query.Constructor{
			Name: w.pointered(q, impl, t), Fields: []string{}, IsRecord: impl.decl.Form == syntax.Struct, Detail: kind(impl.decl),
			Doc: excerpt.OneLine(impl.decl.Doc), Test: impl.file.Test(), File: impl.file.Path, Line: impl.decl.At.Line,
		}
		if made.IsRecord {
			for _, m := range impl.decl.Members {
				made.Fields = append(made.Fields, m.Type)
			}
		}
		all = append(all, made)
	}
	return all, nil
}

// pointered writes *T if a method that the interface asks for has a pointer receiver, so that T alone does not
// implement it.
func (w *walk) pointered(q *query.Query, impl, contract typeDecl) string {
	name := impl.decl.Name
	if pkg := impl.file.Package; pkg != contract.file.Package {
		name = pkg + "." + name
	}
	for _, fn := range w.methodsOf(q, impl) {
		asked := slices.ContainsFunc(contract.decl.Members, func(m syntax.Member) bool { return m.Name == query.BaseOf(fn.Name) })
		if fn.Pointer && asked {
			return "*" + name
		}
	}
	return name
}
