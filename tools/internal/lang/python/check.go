package python

import (
	"context"
	"fmt"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// check refuses a variant of a class that is no Enum. Nothing is tried out: what Python refuses shows when it runs.
func check(ctx context.Context, g *graph.Graph, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
	untried := scout.Verdict{Refusal: fmt.Sprintf("changes of %s are not tried out", roots[0].Path)}
	if c.Kind != scout.AddVariant {
		return untried, nil
	}
	for _, n := range roots {
		class, ok, err := classAt(ctx, &g.Query, g.Located(n))
		if err != nil {
			return scout.Verdict{}, err
		}
		if n.Kind != string(lsp.KindClass) || !ok {
			return untried, nil
		}
		line, err := lineageOf(ctx, &g.Query, class)
		if err != nil {
			return scout.Verdict{}, err
		}
		if line.form() == "enum" || len(line.unknown) > 0 {
			return untried, nil
		}
	}
	return scout.Verdict{}, &graph.Refusal{Reason: "it is no Enum; a subclass more is add_implementation", Senseless: true}
}
