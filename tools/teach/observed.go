package teach

import (
	"cmp"
	"context"
	"slices"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// How much of the budget goes at most to what tests of the topic ran, and how much if most tests run the seeds: what they run then
// tells of little but of themselves. The topics for tuning of make bench-teach chose the first.
const (
	ranShare    = .6
	commonShare = .2
)

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

// observe adds to a topic what tests of it were seen to run. What goes wrong is the doubt.
func (c *codeSource) observe(ctx context.Context, topic *teach.Topic, seeds []lsp.Symbol) Observed {
	if len(seeds) == 0 {
		return Observed{}
	}
	known := c.Languages(seeds[0].Language)
	if known.TestRecord == nil {
		return Observed{}
	}
	record := known.TestRecord(ctx, c.Query, seeds[0].Location.Path)
	begin := ranOf(record, seeds)
	functions, tests := telling(record, topic.Text, begin)
	seen := Observed{Doubt: record.Doubt}
	for _, t := range tests {
		seen.Tests = append(seen.Tests, record.Tests[t])
	}
	share := ranShare
	if isCommon(record, begin) {
		share = commonShare
	}
	most := int(share * float64(cmp.Or(max(topic.Budget, 0), teach.DefaultBudget)))
	for _, i := range functions {
		s, ok, err := c.functionOf(ctx, record.Ran[i])
		if err != nil {
			seen.Doubt = excerpt.OneLine(err.Error())
		}
		if err != nil || len(topic.Ran) == most {
			break
		}
		if ok && !slices.ContainsFunc(seeds, func(seed lsp.Symbol) bool { return seed.Location == s.Location }) {
			topic.Ran = append(topic.Ran, c.symbol(s))
		}
	}
	return seen
}

// telling ranks what a record has by what it tells of a topic that begins at some of its functions: indices of functions, and of the
// tests that tell it.
func telling(record query.TestRecord, topic string, begin []int) (functions, tests []int) {
	r := teach.Record{Tests: record.Tests}
	for _, fn := range record.Ran {
		r.Ran = append(r.Ran, fn.Tests)
	}
	return r.Telling(topic, begin)
}

// ranOf returns which functions of a record the seeds are.
func ranOf(record query.TestRecord, seeds []lsp.Symbol) (begin []int) {
	for i, fn := range record.Ran {
		if slices.ContainsFunc(seeds, func(s lsp.Symbol) bool { return s.Location.Path == fn.Path && isOf(s, fn.Name) }) {
			begin = append(begin, i)
		}
	}
	return begin
}

// isCommon reports whether most tests run each of these functions.
func isCommon(record query.TestRecord, functions []int) bool {
	rare := func(i int) bool { return 2*len(record.Ran[i].Tests) <= len(record.Tests) }
	return len(functions) > 0 && !slices.ContainsFunc(functions, rare)
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
