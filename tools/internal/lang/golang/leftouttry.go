package golang

import (
	"context"
	"fmt"
	"go/build"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/lang/golang/edit"
)

// Bounds of how long an answer waits for nothing but what other systems see. What packages beyond the project declare is
// kept, so that the next one gets further.
const (
	maxOthers = 2 * time.Second        // a tenth of that is common
	maxEnding = 100 * time.Millisecond // for the package at hand
)

// A trial is a change that is being tried out as other systems see the code. Its goroutine ends soon after it has been
// dropped.
type trial struct {
	planned edit.Revision
	extent  fact.Extent
	near    near
	drop    context.CancelFunc
	done    chan struct{} // closed once the rest is known
	made    fact.Trial
	err     error
}

// tryOtherPlatforms begins to try what is planned for roots. mentioning are files that may depend on them. end must be
// called.
func (g explorer) tryOtherPlatforms(ctx context.Context, roots []scout.Node, planned edit.Revision, mentioning []string, extent fact.Extent) (*trial, error) {
	near, err := g.near(ctx, roots, mentioning)
	if err != nil {
		return nil, err
	}
	edits := make([]fact.Edit, len(planned.Edits))
	for i, e := range planned.Edits {
		edits[i] = fact.Edit(e)
	}
	t := &trial{planned: planned, extent: extent, near: near, done: make(chan struct{})}
	ctx, t.drop = context.WithCancel(ctx)
	if extent == fact.LeftOut && len(near.leftOut) == 0 {
		close(t.done)
		return t, nil
	}
	client, tree := g.memory.Analysis, g.whole()
	go func() {
		defer close(t.done)
		t.made, t.err = client.Try(ctx, tree, analysis.Attempt{Dirs: near.dirs, Edits: edits, Extent: extent})
	}()
	return t, nil
}

// tries reports whether a trial is of what is planned.
func (t *trial) tries(planned edit.Revision, extent fact.Extent) bool {
	return slices.Equal(t.planned.Edits, planned.Edits) && t.extent == extent
}

// end ends a trial that may be none.
func (t *trial) end() {
	if t != nil {
		t.drop()
	}
}

// wait reports whether what is known, and that may be a part of it, can be read.
func (t *trial) wait(ctx context.Context) bool {
	for _, patience := range []time.Duration{maxOthers, maxEnding} {
		select {
		case <-t.done:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(patience):
			t.drop()
		}
	}
	return false
}

// brokenOnOtherPlatforms waits a moment for what breaks. seen are the files that the server does not load and in which nothing
// is missed.
func (g explorer) brokenOnOtherPlatforms(ctx context.Context, t *trial) (problems []lsp.Problem, seen map[string]bool, err error) {
	if !t.wait(ctx) {
		g.Doubt("what other systems build could not be type-checked in time")
		return nil, nil, nil
	}
	made, ok, err := askTypes(ctx, g, "what breaks on other systems", func(_ context.Context, _ *analysis.Client) (fact.Trial, error) { return t.made, t.err })
	if !ok {
		return nil, nil, err
	}
	for _, p := range made.Problems {
		at := lsp.Position{Line: p.At.Line, Column: p.At.Column}
		problem := lsp.Problem{Path: p.At.Path, At: at, Message: strings.Join(strings.Fields(p.Message), " ")}
		if !g.Within(p.At.Path) || !t.planned.Breaks(problem) {
			continue
		}
		if !g.isLeftOut(p.At.Path) {
			problem.Message += " (on " + strings.Join(p.Systems, " and ") + ")"
		}
		problems = append(problems, problem)
	}
	unseen := slices.DeleteFunc(slices.Clone(t.near.leftOut), func(path string) bool { return made.Seen[path] || made.Unbuilt[path] })
	for path, ok := range made.Seen {
		if ok {
			g.View.MarkRead(path)
		}
	}
	g.doubt(unseen)
	g.doubtPackages(t, unseen)
	return problems, made.Seen, nil
}

// doubt says that those of files that are part of a build may hold more than the answer does.
func (g explorer) doubt(files []string) {
	if len(files) > 0 {
		g.Doubt(g.andMore(files, "file") + " for other systems could not wholly be type-checked")
	}
}

// doubtPackages says in which packages other systems may see more than the answer holds, but for those of files that
// are in doubt already.
func (g explorer) doubtPackages(t *trial, files []string) {
	if t.extent != fact.Whole {
		return
	}
	var dirs, systems []string
	for dir, of := range t.made.Missed {
		if slices.ContainsFunc(files, func(path string) bool { return filepath.Dir(path) == dir }) {
			continue
		}
		dirs, systems = append(dirs, dir), append(systems, of...)
	}
	slices.Sort(dirs)
	slices.Sort(systems)
	if len(dirs) > 0 {
		g.Doubt("what " + strings.Join(slices.Compact(systems), " and ") + " build of " + g.andMore(dirs, "package") + " could not wholly be type-checked")
	}
}

// andMore returns the first of paths and the number of the others.
func (g explorer) andMore(paths []string, noun string) string {
	first := g.Relative(paths[0])
	if paths[0] == g.Root {
		first = "the top directory"
	}
	switch more := len(paths) - 1; more {
	case 0:
		return first
	case 1:
		return first + " and 1 more " + noun
	default:
		return fmt.Sprintf("%s and %d more %ss", first, more, noun)
	}
}

// near is where something may depend on declarations.
type near struct {
	dirs    []string // of packages
	leftOut []string // files that the server does not load
}

// near lists what may depend on nodes: the directories of the nodes' packages, of what imports them, and of what
// mentions them; and the files that the server does not load in the former, and in those where such a file mentions them.
func (g explorer) near(ctx context.Context, nodes []scout.Node, mentioning []string) (near, error) {
	depends, mentions := make(map[string]bool), make(map[string]bool)
	for _, path := range mentioning {
		mentions[filepath.Dir(path)] = true
		depends[filepath.Dir(path)] = g.isLeftOut(path) || depends[filepath.Dir(path)]
	}
	for _, n := range nodes {
		of, err := g.Files.Open(g.Located(n).Path)
		if err != nil {
			return near{}, err
		}
		depends[filepath.Dir(of.Path)] = true
		for _, name := range []string{of.Package, path.Base(filepath.ToSlash(filepath.Dir(of.Path)))} {
			importing, err := g.mention(ctx, name)
			if err != nil {
				return near{}, err
			}
			for _, path := range importing {
				if dir := filepath.Dir(path); !depends[dir] {
					depends[dir] = g.typing.Imports(path, filepath.Dir(of.Path))
				}
			}
		}
	}
	var near near
	for _, path := range g.sources() {
		dir := filepath.Dir(path)
		if !depends[dir] && !mentions[dir] || passedOver(g.Relative(path)) {
			continue
		}
		near.dirs = append(near.dirs, dir)
		if depends[dir] && g.isLeftOut(path) {
			near.leftOut = append(near.leftOut, path)
		}
	}
	slices.Sort(near.dirs)
	near.dirs = slices.Compact(near.dirs)
	return near, nil
}

// A lackingIn is a type, by the directory of its package, that no longer implements an interface.
type lackingIn struct{ dir, name string }

// leftOutFollowers lists the declarations that have to follow n, an interface or a method of one, in files that the
// server does not load: types of those that lack something, or their methods.
func (g explorer) leftOutFollowers(n scout.Node, s edit.Subject, lacks map[lackingIn]bool) []scout.Edge {
	dirs := make(map[string]bool)
	for lacking := range lacks {
		dirs[lacking.dir] = true
	}
	var edges []scout.Edge
	for _, path := range g.sources() {
		if !dirs[filepath.Dir(path)] || !g.isLeftOut(path) {
			continue
		}
		f, err := g.Files.Open(path)
		if err != nil {
			continue
		}
		role := scout.RoleImplementation
		if f.Test() {
			role = scout.RoleMock
		}
		for _, d := range f.Declarations() {
			if typ := following(d, s); lacks[lackingIn{filepath.Dir(path), typ}] {
				edges = append(edges, g.edge(n, f, d.At, role, ""))
			}
		}
	}
	return edges
}

// following returns the type for which a declaration may have to follow a changed interface or method of one: itself, or
// that of the method; "" if it never has to.
func following(d syntax.Decl, s edit.Subject) string {
	typ, method, _ := strings.Cut(d.Name, ".")
	switch {
	case s.Kind == edit.Interface && d.Sort == syntax.SortType,
		s.Kind == edit.InterfaceMethod && d.Sort == syntax.SortMethod && method == s.Name:
		return typ
	}
	return ""
}

// shared reports whether those files of a directory that the server does not load are compiled together with a file:
// it is left out itself, or common to the systems that differ most.
func shared(path string) bool {
	if isLeftOut(path) {
		return true
	}
	for _, os := range []string{"linux", "darwin", "windows"} {
		system := build.Default
		system.GOOS = os
		if match, err := system.MatchFile(filepath.Dir(path), filepath.Base(path)); err != nil || !match {
			return false
		}
	}
	return true
}
