package golang

import (
	"context"
	"fmt"
	"go/build"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/lang/golang/edit"
	"tidepool/tools/internal/query"
)

// maxSought bounds the methods of an interface by which those who implement it are sought.
const maxSought = 8

// builtFiles remembers for one query which files the build that the server looks at leaves out: a walk over ten declarations that a
// thousand files mention would open each of these ten times. The zero value is ready. Safe for concurrent use.
type builtFiles struct {
	mu      sync.Mutex
	leftOut map[string]bool // by path
}

// isLeftOut reports whether the build leaves a file out.
func (b *builtFiles) isLeftOut(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	is, known := b.leftOut[path]
	if !known {
		is = isLeftOut(path)
		if b.leftOut == nil {
			b.leftOut = make(map[string]bool)
		}
		b.leftOut[path] = is
	}
	return is
}

// isLeftOut reports whether the build leaves a file out, which it opens.
func isLeftOut(path string) bool {
	match, err := build.Default.MatchFile(filepath.Dir(path), filepath.Base(path))
	return err != nil || !match
}

// passedOver reports whether a file below the project is in a directory that no build of Go looks into.
func passedOver(path string) bool {
	dirs := strings.Split(path, "/")
	return slices.ContainsFunc(dirs[:len(dirs)-1], func(dir string) bool {
		return dir == "testdata" || strings.HasPrefix(dir, "_") || strings.HasPrefix(dir, ".")
	})
}

// otherPlatformUses lists where n is named in files that the server does not load, because another system builds them.
func (g explorer) otherPlatformUses(ctx context.Context, n scout.Node) ([]lsp.Location, error) {
	files, err := g.dependents(ctx, n)
	if err != nil {
		return nil, err
	}
	files, err = g.narrowed(ctx, n, slices.DeleteFunc(files, func(path string) bool { return !g.isLeftOut(path) }))
	if err != nil || len(files) == 0 {
		return nil, err
	}
	var dirs []string
	for _, path := range files {
		dirs = append(dirs, filepath.Dir(path))
	}
	search := analysis.Search{Dirs: slices.Compact(dirs), For: placeOf(g.Located(n))}
	found, ok, err := askTypes(ctx, g, "where files for other systems use it", func(ctx context.Context, c *analysis.Client) (analysis.Found, error) {
		return c.OtherPlatformUses(ctx, g.whole(), search)
	})
	if !ok {
		return nil, err
	}
	all := make([]lsp.Location, len(found.Places))
	for i, p := range found.Places {
		all[i] = locationOf(p)
	}
	if s, _ := g.subjectOf(n); s.BoundByUses() {
		g.View.MarkRead(found.Seen...)
	}
	return all, ctx.Err()
}

// exempt has the answer not call itself incomplete for files that servers do not load and that mention the name of a function or method,
// but cannot mean it: sees reports whether a file may know what the package in a directory declares.
func (w *walk) exempt(q *query.Query, callee lsp.Symbol, sees func(file, dir string) bool) {
	dir := filepath.Dir(callee.Location.Path)
	for _, path := range q.View.Unread() {
		if filepath.Ext(path) == ".go" && filepath.Dir(path) != dir && w.isLeftOut(path) && (!isExported(callee.Name) || !sees(path, dir)) {
			q.View.MarkRead(path)
		}
	}
}

// dependents lists the files that may depend on nodes, sorted: those that mention the name of one; of an interface also
// those that mention all of its methods; of an embedded field all, since what it promotes is used without its name.
func (g explorer) dependents(ctx context.Context, nodes ...scout.Node) ([]string, error) {
	var files []string
	for _, n := range nodes {
		if s, _ := g.subjectOf(n); s.Kind == edit.Embedded {
			files = append(files, g.sources()...)
			continue
		}
		for _, names := range [][]string{{query.BaseOf(n.Name)}, g.methodsOf(n)} {
			mentioning, err := g.mention(ctx, names...)
			if err != nil {
				return nil, err
			}
			files = append(files, mentioning...)
		}
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(path string) bool { return passedOver(g.Relative(path)) }), nil
}

// narrowed leaves those files out that mention the name of n and can only mean something else, which takes to parse
// them.
func (g explorer) narrowed(ctx context.Context, n scout.Node, files []string) ([]string, error) {
	of, err := g.Files.Open(g.Located(n).Path)
	if err != nil {
		return nil, err
	}
	switch s, _ := g.subjectOf(n); s.Kind {
	case edit.Embedded, edit.Field, edit.Method, edit.InterfaceMethod:
		return files, nil
	}
	implementing, err := g.mention(ctx, g.methodsOf(n)...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(files), func(path string) bool {
		return !slices.Contains(implementing, path) && !g.typing.Imports(path, filepath.Dir(of.Path))
	}), nil
}

// methodsOf returns the names of the first methods that n declares itself, if it is an interface.
func (g explorer) methodsOf(n scout.Node) []string {
	t, ok := g.typeAt(&g.Query, g.Located(n))
	if !ok || t.decl.Form != syntax.Interface {
		return nil
	}
	var names []string
	for _, m := range t.decl.Members {
		if !m.Embedded && len(names) < maxSought {
			names = append(names, m.Name)
		}
	}
	return names
}

// mention lists the files of the project that mention all of names; none without names.
func (g explorer) mention(ctx context.Context, names ...string) ([]string, error) {
	var all []string
	for i, name := range names {
		files, err := g.View.Mentions(ctx, "go", name)
		if err != nil {
			return nil, fmt.Errorf("finding the files that mention %s: %w", name, err)
		}
		if i == 0 {
			all = slices.DeleteFunc(slices.Clone(files), func(path string) bool { return !g.Within(path) })
			continue
		}
		too := make(map[string]bool)
		for _, path := range files {
			too[path] = true
		}
		all = slices.DeleteFunc(all, func(path string) bool { return !too[path] })
	}
	return all, nil
}
