package golang

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/lang/golang/typing"
	"tidepool/tools/internal/query"
)

// Bounds of what a method may be called through.
const (
	maxContracts = 32  // methods of interfaces whose calls are asked for
	maxEmbedders = 128 // types that embed the method's type
	maxOpen      = 256 // places at which gopls is asked what they name, rather than for all uses of an interface's method
)

// A contract is a method of an interface through which another method may be called.
type contract struct {
	at    lsp.Location
	name  string // as the method's package writes it: "Notifier.Notify"
	asked bool   // gopls' references of the method may lack calls through it
}

// related adds the calls of a method through interfaces whose calls are not among gopls' references of the method: those that
// only a type which embeds the method's own type implements, those that are declared outside of the tree, which packages
// that do not import the method's package call, too, and those without a name.
func (w *walk) related(ctx context.Context, q *query.Query, method lsp.Symbol, references []lsp.Location, found *query.CallSites) ([]lsp.Location, error) {
	switch {
	case method.Kind == lsp.KindFunction:
		w.exempt(q, method, w.typing.Imports)
		return nil, nil
	case method.Kind != lsp.KindMethod || w.abstract(ctx, q, method.Location) != "":
		return nil, nil
	}
	all, err := w.contracts(ctx, q, method, found.Relatives)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 { // else what calls it through an interface need not know its type
		w.exempt(q, method, w.typing.Reaches)
	}
	places, told, err := w.usesBeyond(ctx, q, method, all, references)
	if err != nil {
		return nil, err
	}
	sites, err := w.sitesAmong(ctx, q, places, references)
	if err != nil {
		return nil, err
	}
	kept, unsure, err := q.Dispatched(ctx, method, w.through(all, told), sites)
	if err != nil {
		return nil, err
	}
	found.Sites, found.References = append(found.Sites, kept...), found.References+len(kept)
	slices.SortFunc(found.Sites, func(a, b query.Site) int { return query.CompareSpots(query.SpotOf(a.At), query.SpotOf(b.At)) })
	found.Unresolved = append(found.Unresolved, unsure...)
	found.Contracts = nil
	for _, c := range all {
		found.Contracts = append(found.Contracts, c.name)
	}
	slices.Sort(found.Contracts)
	found.Contracts = slices.Compact(found.Contracts)
	return places, nil
}

// ahead reads what related and alone ask of the text, which keeps it. Errors they meet again.
func (w *walk) ahead(ctx context.Context, q *query.Query, method lsp.Symbol) {
	_, _ = w.unnamedInterfaces(ctx, q, method.Name)
	if f, err := w.Files.Open(method.Location.Path); err == nil {
		_, _ = w.mayBeMadeOf(ctx, q, ownerName(f, method))
	}
}

// contracts lists through which methods of interfaces a method may be called, each place once.
func (w *walk) contracts(ctx context.Context, q *query.Query, method lsp.Symbol, implemented []lsp.Location) ([]contract, error) {
	s := contracts{walk: w, q: q, method: method}
	local, err := w.localInterfaces(ctx, q, method)
	if err != nil {
		return nil, err
	}
	for _, at := range local {
		s.add(ctx, at, true)
	}
	for _, at := range implemented {
		if err := s.implemented(ctx, at); err != nil {
			return nil, err
		}
	}
	embedders, err := w.embedders(ctx, q, method)
	if err != nil {
		return nil, err
	}
	for _, t := range embedders {
		if err := s.promoted(ctx, t); err != nil {
			return nil, err
		}
	}
	return s.all, nil
}

// The contracts of a method, as they are found.
type contracts struct {
	*walk
	q      *query.Query
	method lsp.Symbol
	all    []contract
}

// add adds what is declared at a place, if it is a method of an interface and not among them.
func (s *contracts) add(ctx context.Context, at lsp.Location, asked bool) {
	name := s.abstract(ctx, s.q, at)
	if name == "" || slices.ContainsFunc(s.all, func(c contract) bool { return query.SpotOf(c.at) == query.SpotOf(at) }) {
		return
	}
	s.all = append(s.all, contract{at: at, name: s.beside(s.method, at, name) + "." + s.method.Name, asked: asked})
}

// implemented adds a method that gopls says is implemented.
func (s *contracts) implemented(ctx context.Context, at lsp.Location) error {
	switch {
	case s.q.Within(at.Path):
		s.add(ctx, at, false)
	case isBuiltin(at):
		member, ok, err := s.memberOf(ctx, s.q, at, s.method.Name)
		if err != nil {
			return err
		}
		if ok {
			at = member
		}
		s.add(ctx, at, true)
	case s.usable(ctx, s.q, at):
		s.add(ctx, at, true)
	}
	return nil
}

// promoted adds what a type implements that has the method by embedding.
func (s *contracts) promoted(ctx context.Context, t typeDecl) error {
	interfaces, err := s.q.View.Implementations(ctx, t.at())
	if err != nil {
		return fmt.Errorf("finding what %s implements: %w", t.decl.Name, err)
	}
	for _, of := range interfaces {
		at, ok, err := s.memberOf(ctx, s.q, of, s.method.Name)
		if err != nil {
			return err
		}
		if ok {
			s.add(ctx, at, s.q.Within(at.Path) || s.usable(ctx, s.q, at))
		}
	}
	return nil
}

// usable reports whether the tree may have values of an interface that is declared beyond it.
func (w *walk) usable(ctx context.Context, q *query.Query, at lsp.Location) bool {
	return isExported(query.BaseOf(w.abstract(ctx, q, at))) && !internal(at.Path)
}

// localInterfaces lists where interfaces without a name of their own in a package declare a method through which another one may
// be called: gopls looks for them only in packages that import the method's, and x.(interface{ Close() }) stands anywhere.
func (w *walk) localInterfaces(ctx context.Context, q *query.Query, method lsp.Symbol) ([]lsp.Location, error) {
	all, err := w.unnamedInterfaces(ctx, q, method.Name)
	if err != nil {
		return nil, err
	}
	if len(all) > maxContracts {
		q.Doubt(fmt.Sprintf("%d interfaces without a name declare %s; calls through the first %d were looked for", len(all), method.Name, maxContracts))
		all = all[:maxContracts]
	}
	return w.implementedBy(ctx, q, method, all)
}

// unnamedInterfaces lists where interfaces without a name of their own in a package declare a method of a name.
func (w *walk) unnamedInterfaces(ctx context.Context, q *query.Query, method string) ([]lsp.Location, error) {
	all, err := w.typing.UnnamedInterfaces(ctx, method, q.View.TreeRevision(), func() ([]string, error) { return mentions(ctx, q, method) })
	return slices.Clone(all), err
}

// implementedBy keeps those methods of interfaces that a method implements.
func (w *walk) implementedBy(ctx context.Context, q *query.Query, method lsp.Symbol, all []lsp.Location) ([]lsp.Location, error) {
	implements := make([]bool, len(all))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(query.Concurrent)
	for i, at := range all {
		group.Go(func() error {
			methods, err := q.View.Implementations(asking, at)
			implements[i] = slices.ContainsFunc(methods, func(of lsp.Location) bool { return query.SpotOf(of) == query.SpotOf(method.Location) })
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding what implements interfaces that declare %s: %w", method.Name, err)
	}
	var kept []lsp.Location
	for i, at := range all {
		if implements[i] {
			kept = append(kept, at)
		}
	}
	return kept, nil
}

// internal reports whether a file belongs to packages that only their neighbours may import.
func internal(path string) bool { return strings.Contains(filepath.ToSlash(path), "/internal/") }

// memberOf returns where an interface, or one that it embeds, declares a method.
func (w *walk) memberOf(ctx context.Context, q *query.Query, of lsp.Location, method string) (lsp.Location, bool, error) {
	t, ok := w.typeAt(q, of)
	if !ok || t.decl.Form != syntax.Interface {
		return lsp.Location{}, false, nil
	}
	for _, m := range t.decl.Members {
		if m.Name == method && !m.Embedded {
			return at(t.file, m.At), true, nil
		}
	}
	p, err := w.promote(ctx, q, t)
	if err != nil {
		return lsp.Location{}, false, err
	}
	for _, m := range p.methods {
		if m.Name == method {
			return lsp.At(m.File, m.Line, m.Column), true, nil
		}
	}
	return lsp.Location{}, false, nil
}

// usesOf lists where the contracts that are asked for are used, each place once, and other methods of that name with them.
func (w *walk) usesOf(ctx context.Context, q *query.Query, method lsp.Symbol, all []contract) ([]lsp.Location, error) {
	asked := slices.DeleteFunc(slices.Clone(all), func(c contract) bool { return !c.asked })
	if len(asked) > maxContracts {
		q.Doubt(fmt.Sprintf("%s implements methods of %d interfaces that are not among gopls' references; calls through the first %d were looked for", q.DisplayName(method), len(asked), maxContracts))
		asked = asked[:maxContracts]
	}
	found := make([][]lsp.Location, len(asked))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(query.Concurrent)
	for i, c := range asked {
		group.Go(func() (err error) {
			if isBuiltin(c.at) { // gopls lists no references of what Go itself declares
				found[i], err = w.niladic(asking, q, method.Name)
				return err
			}
			found[i], err = q.View.References(asking, c.at, false)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding calls of %s through interfaces: %w", q.DisplayName(method), err)
	}
	return query.Distinct(slices.Concat(found...)), nil
}

// usesBeyond lists where the contracts that are asked for may be used, each place once: where the text leaves open what a place
// names, or says that it is one of them. If there are many of the first, only where gopls knows a use of a contract: to ask it for the uses
// of a method that thousands implement is to have it look for those of all of them. What is known of a place is in told.
func (w *walk) usesBeyond(ctx context.Context, q *query.Query, method lsp.Symbol, all []contract, known []lsp.Location) (
	places []lsp.Location, told map[query.Spot]query.Spot, err error,
) {
	if !slices.ContainsFunc(all, func(c contract) bool { return c.asked }) {
		return nil, nil, nil
	}
	open, err := w.openUses(ctx, q, method)
	if err != nil {
		return nil, nil, err
	}
	told = make(map[query.Spot]query.Spot)
	seen, names := spotsOf(known), w.contractNames(all)
	var untold []lsp.Location
	for _, u := range open {
		at := query.SpotOf(u.At)
		if u.Names == (query.Spot{}) {
			u.Names, _ = w.typing.Definition(q.View.TreeRevision(), u.At)
		}
		switch {
		case seen[at]:
		case u.Names == query.Spot{}:
			untold = append(untold, u.At)
		case names[u.Names] != "":
			places, told[at] = append(places, u.At), u.Names
		}
	}
	if len(untold) > maxOpen {
		uses, err := w.usesOf(ctx, q, method, all)
		if err != nil {
			return nil, nil, err
		}
		used := spotsOf(uses)
		untold = slices.DeleteFunc(untold, func(at lsp.Location) bool { return !used[query.SpotOf(at)] })
	}
	return query.Distinct(append(places, untold...)), told, nil
}

// openUses lists the places of the tree at which the text leaves open whether they name a method of an interface with the name and, if
// it has none, the parameters of a method. The caller must not change them.
func (w *walk) openUses(ctx context.Context, q *query.Query, method lsp.Symbol) ([]typing.OpenUse, error) {
	f, err := w.Files.Open(method.Location.Path)
	if err != nil {
		return nil, err
	}
	named := typing.Named{Name: method.Name, Niladic: f.IsNiladic(place(method.Location), method.Name)}
	return w.typing.OpenUses(ctx, named, q.View.TreeRevision(), func() ([]string, error) {
		files, err := mentions(ctx, q, method.Name)
		return slices.DeleteFunc(slices.Clone(files), func(path string) bool { return !q.Within(path) || passedOver(q.Relative(path)) }), err
	})
}

// mentions lists the Go files of the tree that mention a name.
func mentions(ctx context.Context, q *query.Query, name string) ([]string, error) {
	files, err := q.View.Mentions(ctx, "go", name)
	if err != nil {
		return nil, fmt.Errorf("finding the files that mention %s: %w", name, err)
	}
	return files, nil
}

func spotsOf(all []lsp.Location) map[query.Spot]bool {
	spots := make(map[query.Spot]bool, len(all))
	for _, at := range all {
		spots[query.SpotOf(at)] = true
	}
	return spots
}

// niladic lists the places of the tree at which a method without parameters may be used.
func (w *walk) niladic(ctx context.Context, q *query.Query, name string) ([]lsp.Location, error) {
	files, err := mentions(ctx, q, name)
	if err != nil {
		return nil, err
	}
	var all []lsp.Location
	for _, path := range files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f, err := w.Files.Open(path)
		if err != nil {
			return nil, err
		}
		for _, p := range f.Niladic(name) {
			all = append(all, at(f, p))
		}
	}
	return all, nil
}

// sitesAmong returns the calls among places, and what is taken as a value there, without those that are known already.
func (w *walk) sitesAmong(ctx context.Context, q *query.Query, places, known []lsp.Location) ([]query.Site, error) {
	seen := spotsOf(known)
	var sites []query.Site
	for _, at := range places {
		if seen[query.SpotOf(at)] || !q.Within(at.Path) {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		u, err := w.useAt(ctx, q, at)
		if err != nil {
			return nil, err
		}
		if u.Called || u.Taken {
			sites = append(sites, query.Site{At: at, Use: u, Via: u.Passed})
		}
	}
	return sites, nil
}

// contractNames returns the names of contracts by where they are declared.
func (w *walk) contractNames(all []contract) map[query.Spot]string {
	names := make(map[query.Spot]string, len(all))
	for _, c := range all {
		names[w.declaredAt(c.at)] = c.name
	}
	return names
}

// declaredAt returns the spot at which a method is declared, [typing.ErrorMethod] for the one that Go itself declares.
func (w *walk) declaredAt(at lsp.Location) query.Spot {
	if isBuiltin(at) && w.abstract(context.Background(), nil, at) == "error" { // a project may have a file of that name
		return typing.ErrorMethod()
	}
	return query.SpotOf(at)
}

// through says of a call whether it names one of the contracts. What some places name is known.
func (w *walk) through(all []contract, known map[query.Spot]query.Spot) query.Runs {
	names := w.contractNames(all)
	return func(ctx context.Context, q *query.Query, method lsp.Symbol, at lsp.Location) (_ string, _ bool, err error) {
		definition, ok := known[query.SpotOf(at)]
		if !ok {
			definition, _, err = w.definition(ctx, q, method.Name, at)
		}
		name, ok := names[definition]
		return name, ok, err
	}
}
