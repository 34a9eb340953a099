package teach

import (
	"cmp"
	"context"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// toldShare is how much of the budget goes at most to what tests tell. On the 48 topics that make bench-teach tunes with, more was always
// better: 15 functions had 70 % of the telling ones, 17 had 73 %, 20 had 75 %, 25 had 78 %; a share of .9 a point more than .8, there and on
// topics of larger modules. The rest is for the types that these need.
const toldShare = .9

// Observed is what is known of the tests of a topic.
type Observed struct {
	Tests []string `json:"tests,omitempty"` // those that were run one by one, the nearest to the topic first
	Ran   int      `json:"ran"`             // units that they ran and most others did not
	Doubt string   `json:"doubt,omitempty"` // why that is not all; "": it is
}

// of counts what of a plan tests chose.
func (o Observed) of(plan *teach.Plan) Observed {
	for _, u := range plan.Units {
		if u.How == teach.Ran {
			o.Ran++
		}
	}
	return o
}

// observe adds to a topic what tests tell of it. What goes wrong is the doubt.
func (c *codeSource) observe(ctx context.Context, topic *teach.Topic, seeds []lsp.Symbol) (seen Observed) {
	if len(seeds) == 0 {
		return seen
	}
	known := c.Languages(seeds[0].Language)
	if known.TestRecord == nil {
		return seen
	}
	o := observation{TestRecord: known.TestRecord(ctx, c.Query, seeds[0].Location.Path), codeSource: c}
	seen.Doubt = o.Doubt
	if len(o.Tests) == 0 {
		return seen
	}
	functions, tests, err := o.telling(ctx, topic.Text, seeds)
	for _, t := range tests {
		seen.Tests = append(seen.Tests, o.Tests[t].Name)
	}
	if err == nil {
		topic.Told, err = o.told(ctx, functions, tests, seeds, int(toldShare*float64(cmp.Or(max(topic.Budget, 0), teach.DefaultBudget))))
	}
	if err != nil {
		seen.Doubt = excerpt.OneLine(err.Error())
	}
	return seen
}

// isOf reports whether a function that ran is a symbol of its file, as far as names tell.
func isOf(s lsp.Symbol, name string) bool {
	return query.Dotted(s) == name || s.Receiver != "" && s.Name == name
}

// functionOf returns the declaration of a function that ran; false if there is none any more, or only tests use it.
func (c *codeSource) functionOf(ctx context.Context, fn query.RanFunction) (found lsp.Symbol, ok bool, err error) {
	if !c.Within(fn.Path) || c.IsTest(fn.Path) || isTestSupport(fn.Path) {
		return lsp.Symbol{}, false, nil
	}
	all, err := c.declaredInFile(ctx, fn.Path)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	for _, s := range all {
		line := s.Location.Range.Start.Line
		if !query.Callable(s.Kind) || !isOf(s, fn.Name) || fn.Line > 0 && line > fn.Line {
			continue
		}
		if !ok || line > found.Location.Range.Start.Line {
			found, ok = s, true
		}
	}
	return found, ok, nil
}
