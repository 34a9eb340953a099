package golang

import (
	"context"
	"path/filepath"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// A promotion collects what the embedded types of a struct or interface give it, level by level: a name hides the same
// name on deeper levels, and a name that comes twice on one level is nobody's, or, in an interface, one method.
type promotion struct {
	w       *walk
	q       *query.Query
	union   bool                // the outermost type is an interface
	dir     string              // package of the outermost type: it sees its own unexported members only
	taken   map[string]bool     // names of this level and those above
	visited map[query.Spot]bool // types of the levels above, so that a circle ends
	fields  []query.Field
	methods []query.Method
	hidden  int
}

// An embedded type, and the names of the fields that lead to it.
type embedded struct {
	typeDecl
	path string
}

// A member of one level, before it is known whether its name is the only one.
type promoted struct {
	field  *query.Field
	method *query.Method
}

// promote walks the types that t embeds.
func (w *walk) promote(ctx context.Context, q *query.Query, t typeDecl) (*promotion, error) {
	p := &promotion{
		w: w, q: q, dir: filepath.Dir(t.file.Path), union: t.decl.Form == syntax.Interface,
		taken: make(map[string]bool), visited: map[query.Spot]bool{query.SpotOf(t.at()): true},
	}
	for _, m := range t.decl.Members {
		p.taken[m.Name] = true
	}
	for _, fn := range w.methodsOf(q, t) {
		p.taken[query.BaseOf(fn.Name)] = true
	}
	level, err := p.embeddedBy(ctx, embedded{typeDecl: t})
	for depth := 0; err == nil && len(level) > 0 && depth < query.MaxFollowed; depth++ {
		level, err = p.descend(ctx, level)
	}
	return p, err
}

// embeddedBy returns the types that e embeds and that no level above has.
func (p *promotion) embeddedBy(ctx context.Context, e embedded) ([]embedded, error) {
	var all []embedded
	for _, m := range e.decl.Members {
		if !m.Embedded {
			continue
		}
		next, ok, err := p.w.typeTarget(ctx, p.q, e.typeDecl, m.Target)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		next.args = instantiated(m.Args, e.typeDecl)
		if next, _, err = p.w.follow(ctx, p.q, next); err != nil {
			return nil, err
		}
		if !p.visited[query.SpotOf(next.at())] {
			all = append(all, embedded{typeDecl: next, path: strings.TrimPrefix(e.path+"."+m.Name, ".")})
		}
	}
	return all, nil
}

// descend takes the members of one level and returns the next one.
func (p *promotion) descend(ctx context.Context, level []embedded) ([]embedded, error) {
	byName := make(map[string][]promoted)
	var order []string
	var below []embedded
	for _, e := range level {
		p.visited[query.SpotOf(e.at())] = true
	}
	for _, e := range level {
		for name, m := range p.members(e) {
			if len(byName[name]) == 0 {
				order = append(order, name)
			}
			byName[name] = append(byName[name], m)
		}
		next, err := p.embeddedBy(ctx, e)
		if err != nil {
			return nil, err
		}
		below = append(below, next...)
	}
	for _, name := range order {
		if !p.taken[name] && (p.union || len(byName[name]) == 1) {
			p.keep(name, byName[name][0])
		}
	}
	for name := range byName {
		p.taken[name] = true
	}
	return below, nil
}

// members yields what e declares itself, by name.
func (p *promotion) members(e embedded) func(yield func(string, promoted) bool) {
	return func(yield func(string, promoted) bool) {
		for _, m := range e.decl.Members {
			made := promoted{field: fieldOf(e, m)}
			if e.decl.Form == syntax.Interface {
				made = promoted{method: interfaceMethod(e, m)}
				if m.Embedded {
					continue // what it asks for comes with the next level
				}
			}
			if !yield(m.Name, made) {
				return
			}
		}
		for _, fn := range p.w.methodsOf(p.q, e.typeDecl) {
			name := query.BaseOf(fn.Name)
			method := &query.Method{Name: name, Type: signatureOf(fn), Doc: fn.Doc, PromotedFrom: e.path, File: e.file.Path, Line: fn.At.Line, Column: fn.At.Column}
			if !yield(name, promoted{method: method}) {
				return
			}
		}
	}
}

func (p *promotion) keep(name string, m promoted) {
	path := ""
	switch {
	case m.field != nil:
		path = m.field.File
	case m.method != nil:
		path = m.method.File
	}
	if filepath.Dir(path) != p.dir && !isExported(name) {
		p.hidden++
		return
	}
	if m.field != nil {
		p.fields = append(p.fields, *m.field)
		return
	}
	p.methods = append(p.methods, *m.method)
}

func fieldOf(e embedded, m syntax.Member) *query.Field {
	return &query.Field{
		Name: m.Name, Type: syntax.Instantiate(m.Type, e.decl.Params, e.args), Strict: true, Tag: m.Tag,
		Doc: excerpt.OneLine(m.Doc + " " + m.Comment), Embedded: m.Embedded, PromotedFrom: e.path, File: e.file.Path, Line: m.At.Line,
	}
}

func interfaceMethod(e embedded, m syntax.Member) *query.Method {
	return &query.Method{
		Name: m.Name, Type: syntax.Instantiate(m.Type, e.decl.Params, e.args), Doc: excerpt.OneLine(m.Doc + " " + m.Comment),
		PromotedFrom: e.path, File: e.file.Path, Line: m.At.Line, Column: m.At.Column,
	}
}

// promotedMethod finds the method that a type has from one it embeds.
func (w *walk) promotedMethod(ctx context.Context, q *query.Query, typ lsp.Symbol, method string) (lsp.Symbol, bool, error) {
	t, ok := w.typeAt(q, typ.Location)
	if !ok {
		return lsp.Symbol{}, false, nil
	}
	t, _, err := w.follow(ctx, q, t)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	p, err := w.promote(ctx, q, t)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	for _, m := range p.methods {
		if m.Name == method {
			return lsp.Symbol{
				Name: method, Receiver: query.BaseOf(m.PromotedFrom), Package: typ.Package, Kind: lsp.KindMethod,
				Location: lsp.At(m.File, m.Line, m.Column), Language: typ.Language,
			}, true, nil
		}
	}
	return lsp.Symbol{}, false, nil
}
