package teach

import (
	"context"
	"slices"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools/internal/query"
)

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
		r.Tests = append(r.Tests, teach.Test{Name: t.Name, Text: texts.sources[i]})
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

// Bounds of the calls that are followed from the seeds.
const (
	callDepth  = 3  // what those call that the seeds call, and once more: 1.6 points of the telling functions, as make bench-teach counts them
	maxCallers = 40 // functions whose calls are read, while half of the requests of the call are left for what is explained
)

// called returns the functions that the seeds call, those that these call, and so on, each at its first distance. It adds those to the
// record that no test ran.
func (o *observation) called(ctx context.Context, seeds []lsp.Symbol) (calls [][]int, err error) {
	seen, read := make(map[int]bool), 0
	for level := seeds; len(calls) < callDepth && len(level) > 0; {
		var next []lsp.Symbol
		var indices []int
		for _, caller := range level[:min(len(level), maxCallers-read)] {
			if len(calls) > 0 && o.View.Requests() > o.maxRequests/2 {
				return calls, nil
			}
			of, err := o.callsOf(ctx, caller)
			if err != nil {
				return nil, err
			}
			for _, s := range of {
				if i := o.index(s); !seen[i] {
					seen[i], indices, next = true, append(indices, i), append(next, s)
				}
			}
			read++
		}
		if level = next; len(indices) > 0 {
			calls = append(calls, indices)
		}
	}
	return calls, nil
}

// callsOf returns the functions that a declaration names in its body.
func (o *observation) callsOf(ctx context.Context, caller lsp.Symbol) (all []lsp.Symbol, err error) {
	links, err := o.Links(ctx, o.symbol(caller))
	for _, l := range links {
		if s := o.symbols[l.To.ID]; l.Relation == teach.Body && query.Callable(s.Kind) {
			all = append(all, s)
		}
	}
	return all, err
}

// index returns which function of the record a symbol is, and adds it if it is none.
func (o *observation) index(s lsp.Symbol) int {
	i := slices.IndexFunc(o.Ran, func(fn query.RanFunction) bool { return fn.Path == s.Location.Path && isOf(s, fn.Name) })
	if i < 0 {
		i = len(o.Ran)
		o.Ran = append(o.Ran, query.RanFunction{Path: s.Location.Path, Name: query.Dotted(s), Line: s.Location.Range.Start.Line})
	}
	return i
}

// told returns the declarations of functions but for those of seeds, so many at most. Those that none of the tests ran are what seeds call.
func (o *observation) told(ctx context.Context, functions, tests []int, seeds []lsp.Symbol, most int) (all []teach.Link, err error) {
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
		how := teach.Body
		if slices.ContainsFunc(o.Ran[i].Tests, func(t int) bool { return slices.Contains(tests, t) }) {
			how = teach.Ran
		}
		all = append(all, teach.Link{To: o.symbol(s), Relation: how, Times: 1})
	}
	return all, nil
}
