package tools

import (
	"context"
	"fmt"
	"go/build"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/gopackage"
	"tidepool/internal/gosyntax"
	"tidepool/lsp"
	"tidepool/scout"
)

// Bounds of how long an answer waits for nothing but the files that the server does not load. What packages beyond the
// project declare is kept, so that the next one gets further.
const (
	maxElsewhere = 250 * time.Millisecond
	maxEnding    = 100 * time.Millisecond // for the package at hand
)

// A goTrial is a change that is being tried out in the files that the server does not load, because other systems build
// them. Its goroutine ends soon after it has been dropped. nil: there are no such files.
type goTrial struct {
	edits []lsp.Edit
	files []string // that may depend on what is changed
	drop  context.CancelFunc
	done  chan struct{} // closed once the rest is known
	made  gopackage.Trial
	err   error
}

// goTryElsewhere begins to try edits of roots. mentioning are files that may depend on them. drop must be called.
func (g *graph) goTryElsewhere(ctx context.Context, roots []scout.Node, edits []lsp.Edit, mentioning []string) (*goTrial, error) {
	near, err := g.goLeftOutNear(ctx, roots, mentioning)
	if err != nil || len(near) == 0 {
		return nil, err
	}
	var dirs []string
	for _, path := range near {
		dirs = append(dirs, filepath.Dir(path))
	}
	slices.Sort(dirs)
	if g.packages == nil {
		g.packages = new(gopackage.Packages)
	}
	same := make([]gopackage.Edit, len(edits))
	for i, e := range edits {
		same[i] = gopackage.Edit(e)
	}
	t := &goTrial{edits: edits, files: near, done: make(chan struct{})}
	ctx, t.drop = context.WithCancel(ctx)
	packages, files, sources := g.packages, g.files, g.goSources()
	go func() {
		defer close(t.done)
		work := packages.Begin(files, sources)
		defer work.End()
		t.made, t.err = work.Try(ctx, slices.Compact(dirs), same)
	}()
	return t, nil
}

// end ends a trial that may be none.
func (t *goTrial) end() {
	if t != nil {
		t.drop()
	}
}

// wait reports whether what is known, and that may be a part of it, can be read.
func (t *goTrial) wait(ctx context.Context) bool {
	for _, patience := range []time.Duration{maxElsewhere, maxEnding} {
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

// goBrokenElsewhere waits a moment for what breaks. seen are the files in which nothing is missed.
func (g *graph) goBrokenElsewhere(ctx context.Context, t *goTrial) (problems []lsp.Problem, seen map[string]bool, err error) {
	if t == nil {
		return nil, nil, nil
	}
	if !t.wait(ctx) {
		g.goDoubt(t.files)
		return nil, nil, nil
	}
	if t.err != nil {
		return nil, nil, fmt.Errorf("trying the change out for other systems: %w", t.err)
	}
	for _, p := range t.made.Problems {
		if g.within(p.At.Path) {
			at := lsp.Position{Line: p.At.Line, Column: p.At.Column}
			problems = append(problems, lsp.Problem{Path: p.At.Path, At: at, Message: strings.Join(strings.Fields(p.Message), " ")})
		}
	}
	g.goDoubt(slices.DeleteFunc(slices.Clone(t.files), func(path string) bool { return t.made.Seen[path] }))
	return problems, t.made.Seen, nil
}

// goDoubt says that those of files that are part of a build may hold more than the answer does.
func (g *graph) goDoubt(files []string) {
	files = slices.DeleteFunc(slices.Clone(files), func(path string) bool {
		f, err := g.files.Open(path)
		return err == nil && !gopackage.Builds(f)
	})
	if len(files) == 0 {
		return
	}
	doubt := g.relative(files[0])
	if more := len(files) - 1; more > 0 {
		doubt += fmt.Sprintf(" and %d more files", more)
	}
	g.doubts = append(g.doubts, doubt+" for other systems could not wholly be type-checked")
}

// goLeftOutNear lists the files that the server does not load and that may depend on nodes: those in the directories of
// the nodes' packages, of what imports them, and of such files that mention them.
func (g *graph) goLeftOutNear(ctx context.Context, nodes []scout.Node, mentioning []string) ([]string, error) {
	depends := make(map[string]bool)
	for _, path := range mentioning {
		depends[filepath.Dir(path)] = goLeftOut(path) || depends[filepath.Dir(path)]
	}
	for _, n := range nodes {
		of, err := g.files.Open(g.located(n).Path)
		if err != nil {
			return nil, err
		}
		depends[filepath.Dir(of.Path)] = true
		for _, name := range []string{of.Package, path.Base(filepath.ToSlash(filepath.Dir(of.Path)))} {
			importing, err := g.goMention(ctx, name)
			if err != nil {
				return nil, err
			}
			for _, path := range importing {
				if dir := filepath.Dir(path); !depends[dir] {
					depends[dir] = g.goSeesPackage(path, of)
				}
			}
		}
	}
	return slices.DeleteFunc(g.goSources(), func(path string) bool {
		return !depends[filepath.Dir(path)] || goPassedOver(g.relative(path)) || !goLeftOut(path)
	}), nil
}

// A goLacking is a type, by the directory of its package, that no longer implements an interface.
type goLacking struct{ dir, name string }

// goLeftOutFollowers lists the declarations that have to follow n, an interface or a method of one, in files that the
// server does not load: types of those that lack something, or their methods.
func (g *graph) goLeftOutFollowers(n scout.Node, s goSubject, lacks map[goLacking]bool) []scout.Edge {
	dirs := make(map[string]bool)
	for lacking := range lacks {
		dirs[lacking.dir] = true
	}
	var edges []scout.Edge
	for _, path := range g.goSources() {
		if !dirs[filepath.Dir(path)] || !goLeftOut(path) {
			continue
		}
		f, err := g.files.Open(path)
		if err != nil {
			continue
		}
		role := scout.RoleImplementation
		if f.Test() {
			role = scout.RoleMock
		}
		for _, d := range f.Declarations() {
			if typ := goFollowing(d, s); lacks[goLacking{filepath.Dir(path), typ}] {
				edges = append(edges, g.goEdge(n, f, d.At, role, ""))
			}
		}
	}
	return edges
}

// goFollowing is the type for which a declaration may have to follow a changed interface or method of one: itself, or
// that of the method; "" if it never has to.
func goFollowing(d gosyntax.Decl, s goSubject) string {
	typ, method, _ := strings.Cut(d.Name, ".")
	switch {
	case s.kind == goInterface && d.Sort == gosyntax.SortType,
		s.kind == goInterfaceMethod && d.Sort == gosyntax.SortMethod && method == s.name:
		return typ
	}
	return ""
}

// goShared reports whether those files of a directory that the server does not load are compiled together with a file:
// it is left out itself, or common to the systems that differ most.
func goShared(path string) bool {
	if goLeftOut(path) {
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
