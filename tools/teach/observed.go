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

// toldShare is how much of the budget goes at most to what tests tell. On the topics of teach.Record.Telling more was always better:
// the share of telling functions that are found grew from 63 % at .6 to 68 % at .85. The rest is for the types that these need.
const toldShare = .75

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
		topic.Told, err = o.told(ctx, functions, seeds, int(toldShare*float64(cmp.Or(max(topic.Budget, 0), teach.DefaultBudget))))
	}
	if err != nil {
		seen.Doubt = excerpt.OneLine(err.Error())
	}
	return seen
}

// An observation is what tests ran, with what the seeds of a topic call: of that, tests may be none.
type observation struct {
	query.TestRecord
	*codeSource
}

// telling ranks what tests ran by what it tells of a topic that begins at seeds: indices of functions, and of the tests that tell it.
func (o *observation) telling(ctx context.Context, topic string, seeds []lsp.Symbol) (functions, tests []int, err error) {
	begin := teach.Beginning{Seeds: o.ranOf(seeds)}
	if begin.Calls, err = o.called(ctx, seeds); err != nil {
		return nil, nil, err
	}
	texts, err := o.read(ctx, seeds)
	if err != nil {
		return nil, nil, err
	}
	begin.Named = texts.named
	r := teach.Record{}
	for i, t := range o.Tests {
		r.Tests = append(r.Tests, teach.Test{Name: t.Name, Doc: texts.docs[i]})
	}
	for _, fn := range o.Ran {
		r.Ran = append(r.Ran, fn.Tests)
	}
	functions, tests = r.Telling(topic, begin)
	return functions, tests, nil
}

// ranOf returns which functions of the record the seeds are.
func (o *observation) ranOf(seeds []lsp.Symbol) (begin []int) {
	for i, fn := range o.Ran {
		if slices.ContainsFunc(seeds, func(s lsp.Symbol) bool { return s.Location.Path == fn.Path && isOf(s, fn.Name) }) {
			begin = append(begin, i)
		}
	}
	return begin
}

// called returns the functions that the seeds call, and adds those to the record that no test ran.
func (o *observation) called(ctx context.Context, seeds []lsp.Symbol) (calls []int, err error) {
	for _, seed := range seeds {
		links, err := o.Links(ctx, o.symbol(seed))
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			s := o.symbols[l.To.ID]
			if l.Relation != teach.Body || !query.Callable(s.Kind) {
				continue
			}
			i := slices.IndexFunc(o.Ran, func(fn query.RanFunction) bool { return fn.Path == s.Location.Path && isOf(s, fn.Name) })
			if i < 0 {
				i = len(o.Ran)
				o.Ran = append(o.Ran, query.RanFunction{Path: s.Location.Path, Name: query.Dotted(s), Line: s.Location.Range.Start.Line})
			}
			calls = append(calls, i)
		}
	}
	return calls, nil
}

// told returns the declarations of functions but for those of seeds, so many at most.
func (o *observation) told(ctx context.Context, functions []int, seeds []lsp.Symbol, most int) (all []teach.Link, err error) {
	for _, i := range functions {
		if len(all) == most {
			break
		}
		s, ok, err := o.functionOf(ctx, o.Ran[i])
		if err != nil {
			return all, err
		}
		if !ok || slices.ContainsFunc(seeds, func(seed lsp.Symbol) bool { return seed.Location == s.Location }) {
			continue
		}
		how := teach.Ran
		if len(o.Ran[i].Tests) == 0 {
			how = teach.Body // of a seed
		}
		all = append(all, teach.Link{To: o.symbol(s), Relation: how, Times: 1})
	}
	return all, nil
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
