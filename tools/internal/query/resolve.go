package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidepool/internal/wording"
	"tidepool/lsp"
)

// maxNearest bounds the list of near names.
const maxNearest = 5

// A Resolution is what a name means: one symbol, several, or none.
type Resolution struct {
	Symbol     lsp.Symbol // with found
	Found      bool
	Candidates []Candidate      // more than one, at most MaxCandidates
	ambiguous  int              // how many there are in all
	other      lsp.Kind         // there is such a name, but of this kind
	Nearest    []string         // names that look like it, qualified
	searched   lsp.Completeness // of the search for the name, not of that for the nearest
	Unread     bool             // with found: what it is was not known in time
}

// A Group says whether a symbol is of the kinds that a tool looks for.
type Group func(lsp.Symbol) bool

// OfKind returns the group of the symbols of any of kinds.
func OfKind(kinds ...lsp.Kind) Group {
	return func(s lsp.Symbol) bool { return slices.Contains(kinds, s.Kind) }
}

// Resolve finds what written means: F, T.M, pkg.F, pkg.T.M, and what a name and a language make of that; file:F means
// those of that file. Of the symbols with that name those of the first of groups that has any are taken.
func (q *Query) Resolve(ctx context.Context, written string, groups ...Group) (Resolution, error) {
	name := ParseName(written)
	symbols, err := q.Lookup(ctx, name)
	if q.Late("what "+written+" means", err) {
		return Resolution{searched: q.Doubted(q.View.Completeness())}, nil
	}
	if err != nil {
		return Resolution{}, err
	}
	if len(symbols) == 0 {
		symbols, err = q.unseen(ctx, name)
		if err != nil && !q.Late("what declares "+written, err) {
			return Resolution{}, err
		}
	}
	if len(symbols) == 0 {
		searched := q.Doubted(q.View.Completeness())
		near, err := q.Near(ctx, name)
		if lsp.Unanswered(err) {
			near, err = nil, nil
		}
		return Resolution{Nearest: near, searched: searched}, err
	}
	for _, fits := range groups {
		wanted := slices.DeleteFunc(slices.Clone(symbols), func(s lsp.Symbol) bool { return !fits(s) })
		switch {
		case len(wanted) == 1:
			return Resolution{Symbol: wanted[0], Found: true}, nil
		case len(wanted) > 1:
			return Resolution{Candidates: q.candidates(wanted, name.File != ""), ambiguous: len(wanted)}, nil
		}
	}
	return Resolution{other: symbols[0].Kind}, nil
}

// TypeNamed resolves the name of a type, and has describe say what it is if it means one.
func (q *Query) TypeNamed(ctx context.Context, name string, describe func(Language, lsp.Symbol) error) (Resolution, error) {
	r, err := q.Resolve(ctx, name, ofType)
	if err != nil || !r.Found {
		return r, err
	}
	known, err := q.languageOf(r.Symbol)
	if err != nil {
		return r, err
	}
	err = describe(known, r.Symbol)
	if r.Unread = q.Late("what "+name+" is made of", err); r.Unread {
		err = nil
	}
	return r, err
}

// IsType reports whether symbols of a kind are types.
func IsType(kind lsp.Kind) bool {
	switch kind {
	case lsp.KindStruct, lsp.KindInterface, lsp.KindType, lsp.KindClass, lsp.KindEnum:
		return true
	}
	return false
}

func ofType(s lsp.Symbol) bool { return IsType(s.Kind) }

// listed returns the declarations that name means and that the servers know, each place once.
func (q *Query) listed(ctx context.Context, name Name) ([]lsp.Symbol, error) {
	if name.File != "" {
		return q.inFile(ctx, name)
	}
	plain := name.Plain
	found, err := q.declared(ctx, plain, func(s lsp.Symbol) bool { return means(plain, s) })
	if err == nil && len(found) == 0 {
		found, err = q.declared(ctx, plain, func(s lsp.Symbol) bool { return q.scoped(plain, s) })
	}
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(found, func(s lsp.Symbol) bool { return !q.byDirectory(plain, s) }) {
		return q.merged(ctx, found)
	}
	if len(found) == 0 {
		if found, err = q.unlisted(ctx, plain); err != nil || len(found) > 0 {
			return found, err
		}
	}
	_, rest, qualified := strings.Cut(plain, ".")
	if !qualified {
		return nil, nil
	}
	// A package may be called otherwise than its directory, and the name of a directory be that of another package.
	named, err := q.declared(ctx, rest, func(s lsp.Symbol) bool { return q.inPackage(plain, s) })
	if err != nil || len(named) > 0 {
		return named, err
	}
	if len(found) > 0 {
		return found, nil
	}
	return q.promoted(ctx, plain)
}

// maxUnlisted bounds the files whose declarations are looked through for a name.
const maxUnlisted = 8

// unlisted looks for a name among the declarations of the files that mention it, in languages whose server does not list all.
func (q *Query) unlisted(ctx context.Context, name string) ([]lsp.Symbol, error) {
	var all []lsp.Symbol
	for _, language := range lsp.Languages() {
		if !q.Languages(language.ID).Unlisted {
			continue
		}
		paths, err := q.View.Mentions(ctx, language.ID, BaseOf(name))
		if err != nil {
			return nil, err
		}
		for _, path := range paths[:min(len(paths), maxUnlisted)] {
			found, err := q.Declarations(ctx, path)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
		if len(paths) > maxUnlisted {
			q.Doubt(fmt.Sprintf("%d files mention %s, and only %d were looked through for its declaration", len(paths), BaseOf(name), maxUnlisted))
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(s lsp.Symbol) bool { return !means(name, s) })
	if len(found) == 0 {
		found = slices.DeleteFunc(all, func(s lsp.Symbol) bool { return !q.scoped(name, s) })
	}
	return q.merged(ctx, once(found))
}

// scoped reports whether name, which has dots between its parts, means a symbol that is not called so.
func (q *Query) scoped(name string, s lsp.Symbol) bool {
	known := q.Languages(s.Language)
	return known.Scoped != nil && BaseOf(name) == s.Name && known.Scoped(q, s, name)
}

// merged leaves out the symbols that declare again what others do.
func (q *Query) merged(ctx context.Context, symbols []lsp.Symbol) ([]lsp.Symbol, error) {
	if len(symbols) < 2 {
		return symbols, nil
	}
	known := q.Languages(symbols[0].Language)
	other := func(s lsp.Symbol) bool { return s.Language != symbols[0].Language }
	if known.Merged == nil || slices.ContainsFunc(symbols, other) {
		return symbols, nil
	}
	return known.Merged(ctx, q, symbols)
}

// byDirectory reports whether name means a symbol only by the directory of its package, which the files call otherwise.
func (q *Query) byDirectory(name string, s lsp.Symbol) bool {
	qualifier, rest, _ := strings.Cut(name, ".")
	pkg := q.packageOf(s)
	return rest == Dotted(s) && pkg != "" && pkg != qualifier
}

// promoted looks for T.M where T has M from a type that it embeds. The symbol is the method as it is declared there.
func (q *Query) promoted(ctx context.Context, name string) ([]lsp.Symbol, error) {
	dot := strings.LastIndexByte(name, '.')
	types, err := q.declared(ctx, name[:dot], func(s lsp.Symbol) bool {
		return means(name[:dot], s) && IsType(s.Kind)
	})
	if err != nil || len(types) != 1 {
		return nil, err
	}
	known := q.Languages(types[0].Language)
	if known.Promoted == nil {
		return nil, nil
	}
	method, ok, err := known.Promoted(ctx, q, types[0], name[dot+1:])
	if err != nil || !ok {
		return nil, err
	}
	return []lsp.Symbol{method}, nil
}

// declared returns the symbols that a query finds and accept takes.
func (q *Query) declared(ctx context.Context, query string, accept func(lsp.Symbol) bool) ([]lsp.Symbol, error) {
	symbols, err := q.View.Symbols(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("looking up %s: %w", query, err)
	}
	for i, s := range symbols {
		if known := q.Languages(s.Language); known.Settled != nil {
			symbols[i] = known.Settled(q, s)
		}
	}
	return slices.DeleteFunc(once(symbols), func(s lsp.Symbol) bool { return !accept(s) || q.elsewhere(ctx, s) }), nil
}

func (q *Query) elsewhere(ctx context.Context, s lsp.Symbol) bool {
	known := q.Languages(s.Language)
	return known.Elsewhere != nil && known.Elsewhere(ctx, q, s)
}

// Near asks for names like the last component of name, in the server's own way and by its first letters, since a
// server's notion of likeness rarely forgives a letter too many.
func (q *Query) Near(ctx context.Context, name Name) ([]string, error) {
	if name.File != "" {
		return q.nearInFile(ctx, name)
	}
	last := BaseOf(name.Plain)
	named := make(map[string][]string) // what a name may mean, qualified
	letters := []rune(last)
	for _, query := range []string{last, string(letters[:min(len(letters), max(2, len(letters)/2))])} {
		symbols, err := q.declared(ctx, query, func(lsp.Symbol) bool { return true })
		if err != nil {
			return nil, err
		}
		for _, s := range symbols {
			if full := q.qualifiedName(s); !slices.Contains(named[s.Name], full) {
				named[s.Name] = append(named[s.Name], full)
			}
		}
	}
	var names []string
	for _, like := range wording.Nearest(last, slices.Sorted(maps.Keys(named)), maxNearest) {
		names = append(names, named[like]...)
	}
	return names[:min(len(names), maxNearest)], nil
}

// Completeness returns what an answer is worth after a resolution.
func (q *Query) Completeness(r Resolution) lsp.Completeness {
	if r.searched.State != "" {
		return r.searched
	}
	return q.Doubted(q.View.Completeness())
}

// NotFound words what a resolution without a symbol means. want is what the tool looks for: "function or method".
func (q *Query) NotFound(r Resolution, name, want string) string {
	missing := "not found: no %s named %s in the project"
	if r.searched.State == lsp.Indexing {
		missing = "not known yet: no %s named %s in what the language servers know so far"
	}
	switch {
	case r.ambiguous > 0:
		return fmt.Sprintf("%s is ambiguous: it means %d things; ask for one of the candidates", name, r.ambiguous)
	case r.other != "":
		return fmt.Sprintf("%s is a %s, not a %s", name, r.other, want)
	case len(r.Nearest) > 0:
		return fmt.Sprintf(missing+"; near it: %s", want, name, strings.Join(r.Nearest, ", "))
	case r.searched.State == lsp.Indexing:
		return fmt.Sprintf(missing, want, name)
	}
	return fmt.Sprintf(missing+", and nothing like it", want, name)
}

// CompareSpots orders spots by path, line and column: below 0 if a comes first, above if b does.
func CompareSpots(a, b Spot) int {
	if c := strings.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}
