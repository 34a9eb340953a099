package golang

import (
	"context"
	"errors"

	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// sense fails with a *graph.Refusal if a change that no compiler looks through cannot be made to any of roots: a variant to
// what has no constants, an implementation of what asks for nothing.
func (g explorer) sense(ctx context.Context, c scout.Change, roots []scout.Node) error {
	var reason string
	for _, n := range roots {
		at := placeOf(g.Located(n))
		index, err := g.indexOf(ctx, n, at)
		if err != nil {
			return err
		}
		switch c.Kind {
		case scout.AddVariant:
			if index.Enum(at) != nil {
				return nil
			}
			reason = "there are no constants of such a type that a switch or a table could list"
		case scout.AddImplementation:
			if t := index.Type(at); t != nil && t.Interface && len(t.Methods) > 0 {
				return nil
			}
			reason = "it is no interface with methods"
		}
	}
	return &graph.Refusal{Reason: reason, Senseless: true}
}

// plainest is the refusal that says most of why a change could not be written: one that other declarations might not have
// met.
func plainest(failures []error) error {
	for _, err := range failures {
		var why *graph.Refusal
		if errors.As(err, &why) && !why.Senseless {
			return err
		}
	}
	return failures[0]
}
