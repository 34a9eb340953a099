package main

import (
	"context"
	"path/filepath"

	"tidepool/internal/checkout"
)

// typescriptSuite are questions about projects of our own, to which tsc has the answers; -typescript-truth makes them.
func typescriptSuite(testdata string) suite {
	return suite{
		language: "TypeScript", cases: filepath.Join(testdata, "typescript.jsonl"), pattern: "*.ts*", bounds: typescriptBounds,
		lay: func(_ context.Context, m *checkout.Checkout, name string) error {
			return m.Copy(filepath.Join(testdata, name))
		},
	}
}

// typescriptBounds returns those of cases of all kinds of changes.
func typescriptBounds(results []result) []bound {
	letters := ""
	for _, k := range kinds() {
		letters += k.letter
	}
	all := askers(false)
	least := func(what string, of func(score) float64, hold float64) bound {
		return leastBound(what, hold, meanOfKinds(results, letters, all[1], of), meanOfKinds(results, letters, all[2], of))
	}
	return []bound{
		least("F1, mean over kinds", score.f, 0.85),
		least("core recall", score.c, 0.90),
		least("recall in the first ten", score.r10, 0.85),
	}
}
