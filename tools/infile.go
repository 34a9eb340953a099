package tools

import (
	"context"
	"path/filepath"
	"slices"

	"tidepool/lsp"
	"tidepool/tools/internal/wording"
)

// inFile returns the declarations of a file that name means. Unlike a search for symbols it finds all: what is local
// to a function, and what servers list only so many of.
func (q *inquiry) inFile(ctx context.Context, name name) ([]lsp.Symbol, error) {
	all, err := q.allInFile(ctx, name)
	if name.line == 0 {
		all = q.withoutOverloads(all)
	}
	return slices.DeleteFunc(all, func(s lsp.Symbol) bool {
		return name.plain != "" && !means(name.plain, s) || name.line > 0 && s.Location.Range.Start.Line != name.line
	}), err
}

// withoutOverloads leaves out the declarations that are a part of the one behind them.
func (q *inquiry) withoutOverloads(all []lsp.Symbol) []lsp.Symbol {
	whole := make([]lsp.Symbol, 0, len(all))
	for i, s := range all {
		known := q.languages(s.Language)
		if known.overloaded != nil && i+1 < len(all) && s.Location.Path == all[i+1].Location.Path && known.overloaded(s, all[i+1]) {
			continue
		}
		whole = append(whole, s)
	}
	return whole
}

func (q *inquiry) allInFile(ctx context.Context, name name) ([]lsp.Symbol, error) {
	paths, err := q.filesNamed(name.file)
	if err != nil {
		return nil, err
	}
	var all []lsp.Symbol
	for _, path := range paths {
		found, err := q.declarations(ctx, path)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// filesNamed returns the source files that a path means: that file below the project, or else all that end so.
func (q *inquiry) filesNamed(file string) ([]string, error) {
	if filepath.IsAbs(file) {
		file = q.relative(file)
	}
	paths := q.view.Sources(file)
	if len(paths) == 0 {
		return nil, &hintedError{
			what:   "there is no source file " + file + " in the project",
			advice: "write the path below the project before the name, web/src/user.ts:User.rename, or the name alone",
		}
	}
	for _, path := range paths {
		if q.relative(path) == file {
			return []string{path}, nil
		}
	}
	return paths, nil
}

// declarations lists what a file declares, in its order.
func (q *inquiry) declarations(ctx context.Context, path string) ([]lsp.Symbol, error) {
	id := lsp.LanguageOf(path)
	known := q.languages(id)
	if known.declared != nil {
		if err := q.view.Await(ctx, path); err != nil {
			return nil, err
		}
		return known.declared(ctx, q, path)
	}
	symbols, err := q.outline(ctx, path)
	if err != nil {
		return nil, err
	}
	return flattened(path, id, known.naming, symbols), nil
}

// flattened lists the declarations of a file in a language with an ID, each before those within it.
func flattened(path, language string, n naming, symbols []lsp.DocumentSymbol) []lsp.Symbol {
	l := listing{path: path, language: language, naming: n}
	l.add(symbols, "")
	return l.all
}

// A listing flattens what a file declares.
type listing struct {
	path     string
	language string
	naming   naming
	all      []lsp.Symbol
}

func (l *listing) add(symbols []lsp.DocumentSymbol, receiver string) {
	for _, found := range symbols {
		name, _ := l.naming.of(found)
		below := receiver
		if name != "" {
			s := lsp.Symbol{
				Name: baseOf(name), Kind: found.Kind, Language: l.language, Location: lsp.Location{Path: l.path, Range: found.NameRange},
			}
			below = joined(receiver, name)
			s.Receiver = below[:max(len(below)-len(s.Name)-1, 0)]
			l.all = append(l.all, s)
		}
		l.add(found.Children, below)
	}
}

func joined(receiver, name string) string {
	if receiver == "" {
		return name
	}
	return receiver + "." + name
}

// nearInFile returns the names of a file that look like name.
func (q *inquiry) nearInFile(ctx context.Context, name name) ([]string, error) {
	all, err := q.allInFile(ctx, name)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range all {
		names = append(names, q.displayName(s), s.Name)
	}
	slices.Sort(names)
	return wording.Nearest(name.plain, slices.Compact(names), maxNearest), nil
}
