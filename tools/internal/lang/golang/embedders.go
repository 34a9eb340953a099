package golang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// embedders lists the types that have a method because they embed the type that declares it, or are made of one that does.
func (w *walk) embedders(ctx context.Context, q *query.Query, method lsp.Symbol) ([]typeDecl, error) {
	f, err := w.Files.Open(method.Location.Path)
	if err != nil {
		return nil, err
	}
	name, ok := f.Owner(place(method.Location))
	if !ok {
		return nil, nil
	}
	typ := ownerName(f, method)
	made, err := w.mayBeMadeOf(ctx, q, typ)
	if err != nil {
		return nil, err
	}
	if !made {
		w.passOver(q, []string{typ}, method.Name)
		return nil, nil
	}
	owner, ok, err := w.typeTarget(ctx, q, typeDecl{file: f}, name)
	if err != nil || !ok {
		return nil, err
	}
	if owner, _, err = w.aliased(ctx, q, owner); err != nil {
		return nil, err
	}
	var all []typeDecl
	defer func() { w.passOver(q, namesOfTypes(append(all, owner)), method.Name) }()
	seen := map[query.Spot]bool{query.SpotOf(owner.at()): true}
	for queue := []typeDecl{owner}; len(queue) > 0; queue = queue[1:] {
		uses, err := w.namesOf(ctx, q, queue[0])
		if err != nil {
			return nil, err
		}
		for _, t := range w.madeOf(uses, queue[0].decl.Form) {
			if seen[query.SpotOf(t.at())] || t.decl.Form == syntax.Interface {
				continue
			}
			if seen[query.SpotOf(t.at())] = true; len(all) == maxEmbedders {
				q.Doubt(fmt.Sprintf("more than %d types embed %s; only those were looked at", maxEmbedders, owner.decl.Name))
				return all, nil
			}
			has, err := w.promotes(ctx, q, t, method)
			if err != nil {
				return nil, err
			}
			if has {
				all, queue = append(all, t), append(queue, t)
			}
		}
	}
	return all, nil
}

// ownerName returns the name of the type that declares a method in its file, "" if none does.
func ownerName(f *syntax.File, method lsp.Symbol) string {
	declared, _ := f.Declares(place(method.Location))
	name, _, _ := strings.Cut(declared.Name, ".")
	return name
}

// mayBeMadeOf reports whether a file of the tree may embed a type of a name, or make another one of it, as the texts look.
func (w *walk) mayBeMadeOf(ctx context.Context, q *query.Query, name string) (bool, error) {
	return w.typing.MayMake(ctx, name, q.View.TreeRevision(), func() ([]string, error) { return mentions(ctx, q, name) })
}

func namesOfTypes(all []typeDecl) []string {
	var names []string
	for _, t := range all {
		names = append(names, t.decl.Name)
	}
	return names
}

// passOver reads the files that gopls does not load and that mention types: one that neither embeds any of the types nor mentions
// the method makes the answer no less complete.
func (w *walk) passOver(q *query.Query, of []string, method string) {
	if q.View.Completeness().State != lsp.Partial {
		return
	}
	called := q.View.WrittenIn("go", method)
	embeds := func(f *syntax.File) bool {
		return slices.ContainsFunc(of, f.MayEmbed)
	}
	for _, name := range of {
		for _, path := range q.View.WrittenIn("go", name) {
			if !w.isLeftOut(path) || slices.Contains(called, path) {
				continue
			}
			if f, err := w.Files.Open(path); err == nil && !embeds(f) {
				q.View.MarkRead(path)
			}
		}
	}
}

// namesOf returns the references to a type and to its aliases, each place once.
func (w *walk) namesOf(ctx context.Context, q *query.Query, t typeDecl) ([]lsp.Location, error) {
	var all []lsp.Location
	seen := make(map[query.Spot]bool)
	for queue := []typeDecl{t}; len(queue) > 0 && len(seen) < query.MaxFollowed; queue = queue[1:] {
		if seen[query.SpotOf(queue[0].at())] {
			continue
		}
		seen[query.SpotOf(queue[0].at())] = true
		references, err := q.View.References(ctx, queue[0].at(), false)
		if err != nil {
			return nil, fmt.Errorf("finding references of %s: %w", queue[0].decl.Name, err)
		}
		all, queue = append(all, references...), append(queue, w.aliasesAmong(references)...)
	}
	return query.Distinct(all), nil
}

// aliasesAmong returns the aliases of a type that are declared at references to it.
func (w *walk) aliasesAmong(references []lsp.Location) []typeDecl {
	var all []typeDecl
	for _, r := range references {
		f, err := w.Files.Open(r.Path)
		if err != nil {
			continue // the file has just gone
		}
		if !f.MayMakeAt(place(r)) {
			continue // a type may have tens of thousands of references in generated code
		}
		if use, _ := f.Use(place(r)); use.Kind != syntax.Definition {
			continue
		}
		if decl, ok := f.TypeAround(place(r)); ok && decl.Alias && decl.Form == syntax.Named && decl.Target == place(r) {
			all = append(all, typeDecl{file: f, decl: decl})
		}
	}
	return all
}

// madeOf returns the types that embed a type of a form at references to it, and, if that is a struct, those that are defined
// by it: they have what it embeds.
func (w *walk) madeOf(references []lsp.Location, form syntax.Form) []typeDecl {
	var all []typeDecl
	for _, r := range references {
		f, err := w.Files.Open(r.Path)
		if err != nil || !f.MayMakeAt(place(r)) {
			continue
		}
		use, _ := f.Use(place(r))
		if use.Kind != syntax.Embedded && (use.Kind != syntax.Definition || form != syntax.Struct) {
			continue
		}
		if decl, ok := f.TypeAround(place(r)); ok && !decl.Alias {
			all = append(all, typeDecl{file: f, decl: decl})
		}
	}
	return all
}

// promotes reports whether a type has a method from what it embeds.
func (w *walk) promotes(ctx context.Context, q *query.Query, t typeDecl, method lsp.Symbol) (bool, error) {
	t, _, err := w.follow(ctx, q, t)
	if err != nil {
		return false, err
	}
	p, err := w.promote(ctx, q, t)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.methods, func(m query.Method) bool {
		return lsp.At(m.File, m.Line, m.Column).Range.Start == method.Location.Range.Start && m.File == method.Location.Path
	}), nil
}
