package tools

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"tidepool/internal/gopackage"
	"tidepool/lsp"
	"tidepool/scout"
)

// maxGoFiles bounds the Go files of a tree that are type-checked together. Of a larger tree only the packages that
// mention a name are.
const maxGoFiles = 4000

// goFacts are what type-checking tells of the packages of a tree.
type goFacts struct {
	functions    []*gopackage.Function
	switches     []gopackage.Switch
	typeSwitches []gopackage.TypeSwitch
	types        map[gopackage.Place]*gopackage.Type
	interfaces   []gopackage.Type // of other modules
	at           map[gopackage.Place]*gopackage.Function
	uses         map[gopackage.Place][]goUseIn // by what is used
	words        map[*gopackage.Function]map[string]bool
	graph        *goCalls // nil: not made yet
}

// A goUseIn is one use of a declaration.
type goUseIn struct {
	by  *gopackage.Function
	use *gopackage.Use
}

// goFacts type-checks the tree, once for a walk. name is what a tree that is too large is searched for.
func (g *graph) goFacts(ctx context.Context, name string) (*goFacts, error) {
	if g.facts != nil {
		return g.facts, nil
	}
	if g.packages == nil {
		g.packages = new(gopackage.Packages)
	}
	work := g.packages.Begin(g.files, g.goSources())
	defer work.End()
	dirs := work.Directories()
	some, err := g.goMentioning(ctx, name)
	if err != nil {
		return nil, err
	}
	if some != nil {
		dirs = some
	}
	g.facts, err = readGoFacts(ctx, work, dirs)
	return g.facts, err
}

// readGoFacts collects what is known of the packages in directories.
func readGoFacts(ctx context.Context, work *gopackage.Work, dirs []string) (*goFacts, error) {
	facts := &goFacts{
		types: make(map[gopackage.Place]*gopackage.Type), at: make(map[gopackage.Place]*gopackage.Function),
		uses: make(map[gopackage.Place][]goUseIn),
	}
	for _, dir := range dirs {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		facts.add(work.Facts(dir))
	}
	facts.interfaces = work.Interfaces()
	return facts, nil
}

func (g *graph) goSources() []string {
	return slices.DeleteFunc(g.view.Sources(""), func(path string) bool { return filepath.Ext(path) != ".go" || !g.within(path) })
}

// goMentioning are the directories of a large tree that mention a name; nil for a tree that is not large.
func (g *graph) goMentioning(ctx context.Context, name string) ([]string, error) {
	if len(g.goSources()) <= maxGoFiles {
		return nil, nil
	}
	files, err := g.view.Mentions(ctx, "go", baseOf(name))
	if err != nil {
		return nil, err
	}
	dirs := []string{}
	for _, path := range files[:min(len(files), maxGoFiles)] {
		dirs = append(dirs, filepath.Dir(path))
	}
	slices.Sort(dirs)
	g.doubt("of more than 4,000 Go files only the packages that mention " + baseOf(name) + " were looked through")
	return slices.Compact(dirs), nil
}

func (f *goFacts) add(of *gopackage.Facts) {
	f.switches = append(f.switches, of.Switches...)
	f.typeSwitches = append(f.typeSwitches, of.TypeSwitches...)
	for i := range of.Types {
		f.types[of.Types[i].At] = &of.Types[i]
	}
	for i := range of.Functions {
		fn := &of.Functions[i]
		f.functions = append(f.functions, fn)
		f.at[fn.At] = fn
		for j := range fn.Uses {
			f.uses[fn.Uses[j].To] = append(f.uses[fn.Uses[j].To], goUseIn{fn, &fn.Uses[j]})
		}
	}
}

func placeOf(l lsp.Location) gopackage.Place {
	return gopackage.Place{Path: l.Path, Line: l.Range.Start.Line, Column: l.Range.Start.Column}
}

func locationOf(p gopackage.Place) lsp.Location { return lsp.At(p.Path, p.Line, p.Column) }

// factEdge makes the edge from n to a place in a declaration.
func (g *graph) factEdge(n scout.Node, at gopackage.Place, in gopackage.Place, name, kind string, role scout.Role, reason string) scout.Edge {
	return g.edge(n, locationOf(at), declaration{name: name, kind: kind, at: locationOf(in)}, role, reason)
}

// ranked numbers edges in the order of less.
func ranked[T any](all []T, less func(a, b T) int, edge func(T) scout.Edge) []scout.Edge {
	slices.SortStableFunc(all, less)
	edges := make([]scout.Edge, len(all))
	for i, one := range all {
		edges[i] = edge(one)
		edges[i].Rank = i
	}
	return edges
}

func comparePlaces(a, b gopackage.Place) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
