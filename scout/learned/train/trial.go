package main

import (
	"context"
	"strings"

	"tidepool/scout"
	"tidepool/tools"
)

// A bench asks about one module.
type bench struct{ toolset tools.Scout }

// A trial is a change that was made, and what came of it.
type trial struct {
	kind   scout.ChangeKind
	broken map[string]bool // declarations in which something no longer compiles
	edges  []scout.Edge    // what a walk came to that did not try the change
	orders [][]string      // declarations, best first, of each scorer
}

// try makes a change. It is nil if the change cannot be made or breaks nothing.
func (b *bench) try(ctx context.Context, q question, scorers []scout.Scorer) *trial {
	t := &trial{kind: q.kind, broken: make(map[string]bool)}
	answer, err := b.ask(ctx, q, scout.Heuristic{}, false)
	if err != nil || !answer.Check.Tried || answer.Check.Refusal != "" {
		return nil
	}
	for _, p := range answer.Pointers {
		if p.Certain {
			t.broken[declarationOf(p)] = true
		}
	}
	if len(t.broken) == 0 {
		return nil
	}
	if len(scorers) == 0 {
		r := new(recorder)
		if _, err := b.ask(ctx, q, r, true); err != nil {
			return nil
		}
		t.edges = r.edges
	}
	for _, s := range scorers {
		answer, err := b.ask(ctx, q, s, true)
		if err != nil {
			return nil
		}
		var order []string
		for _, p := range answer.Pointers {
			if p.Depth > 0 {
				order = append(order, declarationOf(p))
			}
		}
		t.orders = append(t.orders, order)
	}
	return t
}

func (b *bench) ask(ctx context.Context, q question, s scout.Scorer, unchecked bool) (*scout.Answer, error) {
	b.toolset.Scorer = s
	b.toolset.Unchecked = unchecked
	in := tools.ScoutInput{Query: "what breaks?", Depth: scout.High}
	in.Symbols = append(in.Symbols, q.at)
	in.Change.Kind, in.Change.Detail = q.kind, q.detail
	out, err := b.toolset.Scout(ctx, in)
	if err != nil {
		return nil, err
	}
	return out.Answer, nil
}

// declarationOf is the declaration that a pointer stands in: the unit that is
// counted.
func declarationOf(p scout.Pointer) string {
	file, _, _ := strings.Cut(p.Location, ":")
	if p.In == "" {
		return p.Location
	}
	return file + " " + p.In
}

// breaks reports whether the declaration that an edge leads to is broken.
func (t *trial) breaks(e scout.Edge) bool {
	in := e.Enclosing
	if in == "" {
		in = e.To.Name
	}
	if e.Into.Path != "" {
		in = e.Into.Name
	}
	return t.broken[e.To.Path+" "+in] || t.broken[e.To.Location()]
}
