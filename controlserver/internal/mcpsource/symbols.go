package mcpsource

import (
	"context"
	"strings"

	"tidepool/internal/mcpfeature"
	"tidepool/lsp"
)

// Symbols are the declarations that running language servers know. None is started, and none that loads is waited for longer than the
// caller's context lasts.
type Symbols struct {
	Caller  Caller
	Project *lsp.Project
}

// List returns the names that begin with the text, in any case, as the tools take them: F, T.M.
func (s *Symbols) List(ctx context.Context, q mcpfeature.Query) (mcpfeature.Found, error) {
	if q.Text == "" {
		return mcpfeature.Found{Lacks: "a name has at least one letter"}, nil
	}
	options := lsp.ViewOptions{Budget: -1} // do not wait
	if q.Caller != nil {
		options.Dir = s.Caller(ctx, q.Caller).Dir
	}
	view, err := s.Project.View(ctx, options)
	if err != nil {
		return mcpfeature.Found{}, err
	}
	symbols, whole := view.KnownSymbols(ctx, q.Text)
	var found mcpfeature.Found
	if !whole {
		found.Lacks = "language servers that do not run, or list only the first names, may know others"
	}
	seen := map[string]bool{}
	for _, symbol := range symbols {
		name := nameOf(symbol, q.Text)
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		if found.Total++; found.Total <= q.Limit {
			found.Items = append(found.Items, mcpfeature.Item{ID: name})
		}
	}
	return found, nil
}

// nameOf returns the shortest form of a symbol's name that begins with what is typed; "" if none does.
func nameOf(s lsp.Symbol, typed string) string {
	name, pkg := s.Name, s.Package[strings.LastIndexByte(s.Package, '/')+1:]
	forms := []string{name}
	if s.Receiver != "" {
		name = s.Receiver + "." + name
		forms = append(forms, name)
	}
	for _, form := range append(forms, pkg+"."+name) {
		if len(form) >= len(typed) && strings.EqualFold(form[:len(typed)], typed) {
			return form
		}
	}
	return ""
}
