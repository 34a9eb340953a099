package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// Check makes a change in a draft of the code and lists what its compiler then refuses. Of roots in several languages
// those in that of the first are changed.
func (g *Graph) Check(ctx context.Context, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
	if len(roots) == 0 {
		return scout.Verdict{Refusal: "nothing is named that could be changed"}, nil
	}
	language := lsp.LanguageOf(roots[0].Path)
	known := g.known(language)
	if known.Check == nil {
		return scout.Verdict{Refusal: fmt.Sprintf("changes of %s are not tried out", roots[0].Path)}, nil
	}
	own := slices.DeleteFunc(slices.Clone(roots), func(n scout.Node) bool { return lsp.LanguageOf(n.Path) != language })
	verdict, err := known.Check(ctx, g, c, own)
	var why *Refusal
	if errors.As(err, &why) {
		return scout.Verdict{Refusal: why.Reason, Senseless: why.Senseless, Unclear: why.Unclear}, nil
	}
	if len(own) < len(roots) {
		verdict.Refusal = strings.TrimPrefix(verdict.Refusal+"; only what is written in "+language+" was changed", "; ")
	}
	return verdict, err
}

// A Refusal is why a change cannot be tried out.
type Refusal struct {
	Reason    string
	Senseless bool // the change cannot be made to such a declaration at all
	Unclear   bool // nobody has said what exactly the change is
}

// Unclear refuses a change of which nobody has said what exactly it is.
func Unclear(format string, args ...any) error {
	return &Refusal{Reason: fmt.Sprintf(format, args...), Unclear: true}
}

// Written returns what becomes of a declaration under a change, on one line; "" where nobody knows.
func (g *Graph) Written(ctx context.Context, c scout.Change, n scout.Node) string {
	if known := g.known(lsp.LanguageOf(n.Path)); known.Written != nil {
		return known.Written(ctx, g, c, n)
	}
	return ""
}

// Error returns the reason.
func (e *Refusal) Error() string { return e.Reason }

// Among returns whether a path below the project is one of paths; nil if there are none.
func (g *Graph) Among(paths []string) func(path string) bool {
	if len(paths) == 0 {
		return nil
	}
	listed := make(map[string]bool)
	for _, path := range paths {
		listed[g.Relative(path)] = true
	}
	return func(path string) bool { return listed[path] }
}
