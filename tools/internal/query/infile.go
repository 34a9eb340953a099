package query

import (
	"context"
	"path/filepath"
	"slices"

	"tidepool/internal/wording"
	"tidepool/lsp"
)

// inFile returns the declarations of a file that name means. Unlike a search for symbols it finds all: what is local
// to a function, and what servers list only so many of.
func (q *Query) inFile(ctx context.Context, name Name) ([]lsp.Symbol, error) {
	all, err := q.allInFile(name, func(path string) ([]lsp.Symbol, error) { return q.declarationsNamed(ctx, path, name.Plain) })
	if name.Line == 0 {
		all = q.withoutOverloads(all)
	}
	if err != nil {
		return nil, err
	}
	those := func(accept func(lsp.Symbol) bool) []lsp.Symbol {
		return slices.DeleteFunc(slices.Clone(all), func(s lsp.Symbol) bool {
			return name.Plain != "" && !accept(s) || name.Line > 0 && s.Location.Range.Start.Line != name.Line
		})
	}
	found := those(func(s lsp.Symbol) bool { return means(name.Plain, s) })
	if len(found) == 0 {
		found = those(func(s lsp.Symbol) bool { return q.scoped(name.Plain, s) })
	}
	if len(found) == 0 && name.Plain != "" {
		if found, err = q.insideFunctions(ctx, name); err != nil {
			return nil, err
		}
	}
	return q.merged(ctx, once(found))
}

// insideFunctions returns the symbols of a file that name means and that a server knows though it does not list them among the
// file's declarations: those of classes inside of functions.
func (q *Query) insideFunctions(ctx context.Context, name Name) ([]lsp.Symbol, error) {
	paths, err := q.FilesNamed(name.File)
	if err != nil {
		return nil, err
	}
	return q.declared(ctx, name.Plain, func(s lsp.Symbol) bool {
		return slices.Contains(paths, s.Location.Path) && means(name.Plain, s) && (name.Line == 0 || s.Location.Range.Start.Line == name.Line)
	})
}

// once leaves out what is listed at one place again. It changes all.
func once(all []lsp.Symbol) []lsp.Symbol {
	seen := make(map[Spot]bool)
	return slices.DeleteFunc(all, func(s lsp.Symbol) bool {
		at := SpotOf(s.Location)
		again := seen[at]
		seen[at] = true
		return again
	})
}

// withoutOverloads leaves out the declarations that are a part of the one behind them.
func (q *Query) withoutOverloads(all []lsp.Symbol) []lsp.Symbol {
	whole := make([]lsp.Symbol, 0, len(all))
	for i, s := range all {
		known := q.Languages(s.Language)
		if known.Overloaded != nil && i+1 < len(all) && s.Location.Path == all[i+1].Location.Path && known.Overloaded(s, all[i+1]) {
			continue
		}
		whole = append(whole, s)
	}
	return whole
}

// allInFile returns what list returns of the files that a name means.
func (q *Query) allInFile(name Name, list func(path string) ([]lsp.Symbol, error)) ([]lsp.Symbol, error) {
	paths, err := q.FilesNamed(name.File)
	if err != nil {
		return nil, err
	}
	var all []lsp.Symbol
	for _, path := range paths {
		found, err := list(path)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// FilesNamed returns the source files that a path means: that file below the project, or else all that end so.
func (q *Query) FilesNamed(file string) ([]string, error) {
	if filepath.IsAbs(file) {
		file = q.Relative(file)
	}
	paths := q.View.Sources(file)
	if len(paths) == 0 {
		return nil, &HintedError{
			What:   "there is no source file " + file + " in the project",
			Advice: "write the path below the project before the name, web/src/user.ts:User.rename, or the name alone",
		}
	}
	for _, path := range paths {
		if q.Relative(path) == file {
			return []string{path}, nil
		}
	}
	return paths, nil
}

// Declarations lists what a file declares, in its order.
func (q *Query) Declarations(ctx context.Context, path string) ([]lsp.Symbol, error) {
	id := lsp.LanguageOf(path)
	known := q.Languages(id)
	if known.Declared != nil {
		if err := q.View.Await(ctx, path); err != nil {
			return nil, err
		}
		return known.Declared(ctx, q, path)
	}
	symbols, err := q.Outline(ctx, path)
	if err != nil {
		return nil, err
	}
	return Flattened(path, id, known.Naming, symbols), nil
}

// declarationsNamed lists what a file declares under a plain name, in its order, and maybe more; "": all of it.
func (q *Query) declarationsNamed(ctx context.Context, path, name string) ([]lsp.Symbol, error) {
	known := q.Languages(lsp.LanguageOf(path))
	if name == "" || known.DeclaredAs == nil {
		return q.Declarations(ctx, path)
	}
	if err := q.View.Await(ctx, path); err != nil {
		return nil, err
	}
	return known.DeclaredAs(ctx, q, path, BaseOf(name))
}

// DeclaredAt returns what is declared at a place; false if a name is only used there.
func DeclaredAt(all []lsp.Symbol, p lsp.Position) (lsp.Symbol, bool) {
	i := slices.IndexFunc(all, func(s lsp.Symbol) bool { return s.Location.Range.Start == p })
	if i < 0 {
		i = slices.IndexFunc(all, func(s lsp.Symbol) bool { return Covers(s.Location.Range, p) })
	}
	if i < 0 {
		return lsp.Symbol{}, false
	}
	return all[i], true
}

// Flattened lists the declarations of a file in a language with an ID, each before those within it.
func Flattened(path, language string, n Naming, symbols []lsp.DocumentSymbol) []lsp.Symbol {
	l := listing{path: path, language: language, naming: n}
	l.add(symbols, "")
	return l.all
}

// A listing flattens what a file declares.
type listing struct {
	path     string
	language string
	naming   Naming
	all      []lsp.Symbol
}

func (l *listing) add(symbols []lsp.DocumentSymbol, receiver string) {
	for _, found := range symbols {
		name, _ := l.naming.of(found)
		below := receiver
		if name != "" {
			s := lsp.Symbol{
				Name: BaseOf(name), Kind: found.Kind, Language: l.language, Location: lsp.Location{Path: l.path, Range: found.NameRange},
			}
			below = Joined(receiver, name)
			s.Receiver = below[:max(len(below)-len(s.Name)-1, 0)]
			l.all = append(l.all, s)
		}
		l.add(found.Children, below)
	}
}

// Joined writes the name of what stands in a receiver: "T.M", or "M" where that is "".
func Joined(receiver, name string) string {
	if receiver == "" {
		return name
	}
	return receiver + "." + name
}

// nearInFile returns the names of a file that look like name.
func (q *Query) nearInFile(ctx context.Context, name Name) ([]string, error) {
	all, err := q.allInFile(name, func(path string) ([]lsp.Symbol, error) { return q.Declarations(ctx, path) })
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range all {
		names = append(names, q.DisplayName(s), s.Name)
	}
	slices.Sort(names)
	return wording.Nearest(name.Plain, slices.Compact(names), maxNearest), nil
}
