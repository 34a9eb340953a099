package typescript

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// maxTSRounds bounds how often imports are followed that no longer find what they name.
const maxTSRounds = 6

// check makes a change in a draft and lists what the compiler then refuses. Where a module no longer exports a name, its
// imports are changed as well, so that the uses behind them are seen. Of several roots those count that can be changed so.
func check(ctx context.Context, g *graph.Graph, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
	var verdict scout.Verdict
	var unseen []string
	var first *graph.Refusal
	for _, n := range roots {
		at := lsp.At(filepath.Join(g.Root, filepath.FromSlash(n.Path)), n.Line, n.Column)
		t := &trial{g: g, change: c, root: n, at: at, found: make(map[query.Spot]bool)}
		var why *graph.Refusal
		err := t.run(ctx)
		switch {
		case errors.As(err, &why) && first == nil:
			first = why
		case err != nil && why == nil:
			return verdict, err
		}
		verdict.Broken, verdict.Rounds = append(verdict.Broken, t.broken...), max(verdict.Rounds, t.rounds)
		unseen = append(unseen, t.unseen...)
	}
	if verdict.Rounds == 0 && first != nil {
		return verdict, first
	}
	verdict.Unseen = g.Among(unseen)
	return verdict, nil
}

// A trial is one change of one declaration, tried in rounds.
type trial struct {
	g      *graph.Graph
	change scout.Change
	root   scout.Node
	at     lsp.Location // of the root
	edits  []lsp.Edit   // made so far
	rounds int
	found  map[query.Spot]bool // lines that are in broken
	broken []scout.Edge
	unseen []string // paths of files in which no errors are found
}

// run tries the change as the words give it. It fails with a *graph.Refusal if the compiler cannot read those.
func (t *trial) run(ctx context.Context) error {
	r, err := revise(ctx, &t.g.Query, t.change, t.at)
	if err != nil {
		return err
	}
	unread, err := t.try(ctx, r)
	if err == nil && unread && r.unread != "" {
		t.broken, t.rounds = nil, 0
		return graph.Unclear("%s", r.unread)
	}
	return err
}

// try makes the edits of a revision, then those that its errors ask for. unread says that there are errors in the text of
// the edits.
func (t *trial) try(ctx context.Context, r revision) (unread bool, err error) {
	draft, err := t.g.View.Draft(ctx, "typescript")
	if err != nil {
		return false, err
	}
	defer draft.Close()
	t.unseen = slices.DeleteFunc(sources(t.g), draft.Sees)
	for edits := r.edits; ; {
		problems, err := draft.Try(ctx, edits)
		if err != nil {
			return false, err
		}
		t.rounds++
		t.edits = append(t.edits, edits...)
		places, inside, err := t.places(problems)
		if err != nil {
			return false, err
		}
		if err := t.report(ctx, places); err != nil {
			return false, err
		}
		edits = t.follow(r, places)
		switch {
		case len(edits) == 0:
			return unread || inside, nil
		case t.rounds == maxTSRounds:
			return unread, &graph.Refusal{Reason: fmt.Sprintf("modules export %s to each other more than %d times", t.root.Name, maxTSRounds)}
		}
		unread = unread || inside
	}
}

// sources returns the source files of the tree in this language.
func sources(g *graph.Graph) []string {
	return slices.DeleteFunc(g.View.Sources(""), func(path string) bool { return lsp.LanguageOf(path) != "typescript" })
}

// A complaint is an error at a place of a file on the disk.
type complaint struct {
	at      lsp.Location
	token   lexer.Token
	message string
}

// places returns those of problems in what is on the disk. inside says that there are some in the text of edits.
func (t *trial) places(problems []lsp.Problem) (all []complaint, inside bool, err error) {
	for _, p := range problems {
		if !t.g.Within(p.Path) {
			continue
		}
		f, err := t.g.Lexed.Open(p.Path)
		if err != nil {
			return nil, false, err
		}
		offset := f.Offset(p.At.Line, p.At.Column)
		if slices.ContainsFunc(t.edits, func(e lsp.Edit) bool { return e.Path == p.Path && e.Start == offset && e.New != "" }) {
			inside = true
			continue
		}
		at := lsp.At(p.Path, p.At.Line, p.At.Column)
		all = append(all, complaint{at, tokenIn(f, at), p.Message})
	}
	return all, inside, nil
}

// follow lists the edits that let imports do without what is gone, or with its new name.
func (t *trial) follow(r revision, complaints []complaint) []lsp.Edit {
	if !r.exported {
		return nil
	}
	var edits []lsp.Edit
	for _, c := range complaints {
		made, ok := followed(c, query.BaseOf(t.root.Name), r.renamed)
		if ok && !slices.Contains(t.edits, made) && !slices.Contains(edits, made) {
			edits = append(edits, made)
		}
	}
	return edits
}

// followed changes the name in an import, or in a list of exports; false for other places.
func followed(c complaint, name, instead string) (lsp.Edit, bool) {
	t := c.token
	edit := lsp.Edit{Path: c.at.Path, Start: t.Start(), End: t.End(), New: instead}
	switch {
	case module(t) == "" || t.Kind() != lexer.Name:
		return edit, false
	case instead != "":
		return edit, t.Text() == name && t.Outer().Is("{")
	case t.Prev().Is("import") && t.Next().Is("from"):
		edit.New = "{}"
		return edit, true
	case !t.Outer().Is("{"):
		return edit, false
	}
	first, last := t, t
	if first.Prev().Is("type") {
		first = first.Prev()
	}
	if last.Next().Is("as") {
		last = last.Next().Next()
	}
	if last.Next().Is(",") {
		last = last.Next()
	}
	edit.Start, edit.End = first.Start(), last.End()
	return edit, true
}

// written returns what becomes of the declaration that n is under a change, on one line; "" if it is not known.
func written(ctx context.Context, g *graph.Graph, c scout.Change, n scout.Node) string {
	at := lsp.At(filepath.Join(g.Root, filepath.FromSlash(n.Path)), n.Line, n.Column)
	f, err := g.Lexed.Open(at.Path)
	if err != nil {
		return ""
	}
	e := editor{q: &g.Query, path: at.Path, file: f, name: tokenIn(f, at)}
	switch c.Kind {
	case scout.Delete, scout.RemoveField:
		first, last := e.head()
		if last.End() <= first.Start() {
			return ""
		}
		return oneLine(f.Text(first.Start(), last.End())) + " → (removed)"
	case scout.Move, scout.Deprecate, scout.ChangeValue, scout.ReturnError:
		return ""
	}
	r, err := revise(ctx, &g.Query, c, at)
	if err != nil {
		return ""
	}
	return e.written(r.edits)
}
