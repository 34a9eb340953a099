package python

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// outside adds the calls through methods of classes outside of the project that a method overrides: contracts names these by where
// they are declared. pyright lists no references of what it reads from installed packages, so each mention is asked about.
func (w *relatives) outside(ctx context.Context, symbol lsp.Symbol, references []lsp.Location, contracts map[query.Spot]string) error {
	mentions, err := mentions(ctx, w.q, symbol, append(references, w.references...))
	if err != nil {
		return err
	}
	asked := mentions[:min(len(mentions), maxMentions)]
	meant := make([]query.Spot, len(asked)) // the zero Spot: not known
	patient, cancel := context.WithTimeout(ctx, mentionsPatience)
	defer cancel()
	group, asking := errgroup.WithContext(patient)
	group.SetLimit(query.Concurrent)
	for i, m := range asked {
		group.Go(func() error {
			found, err := w.q.View.Definition(asking, m.at)
			if err != nil && patient.Err() != nil {
				return ctx.Err() // nil, if only the patience has ended
			}
			meant[i].Line = -1
			for _, l := range found {
				if contracts[query.SpotOf(l)] != "" {
					meant[i] = query.SpotOf(l)
				}
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("finding out which mentions of %s are calls through a base: %w", symbol.Name, err)
	}
	left := len(mentions) - len(asked)
	for i, m := range asked {
		switch contract := contracts[meant[i]]; {
		case meant[i] == (query.Spot{}):
			left++
		case contract != "":
			w.references = append(w.references, m.at)
			w.found.References++
			if err := w.read([]lsp.Location{m.at}, contract); err != nil {
				return err
			}
		}
	}
	if left > 0 {
		w.q.Doubt(fmt.Sprintf("%s of %s may call it through a class outside of the project and were not looked at",
			wording.Count(left, "mention"), symbol.Name))
	}
	return nil
}
