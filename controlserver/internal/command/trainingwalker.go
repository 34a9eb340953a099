package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tidepool/scout"
	"tidepool/scout/training"
)

// A trainingWalker asks a daemon what changes break.
type trainingWalker struct {
	caller toolCaller
	kinds  []scout.ChangeKind // empty: all
	std    Stdio
}

// walkAll makes records of all seeds. A seed that nothing can be said of is an error.
func (w *trainingWalker) walkAll(ctx context.Context, seeds []string) ([]training.Record, error) {
	var all []training.Record
	for _, seed := range seeds {
		records, err := w.walk(ctx, seed)
		if err != nil {
			return nil, fmt.Errorf("making examples of %s: %w", seed, err)
		}
		fmt.Fprintf(w.std.Err, "%s: %d judgements\n", seed, len(records))
		all = append(all, records...)
	}
	return all, nil
}

// walk asks one question for each kind of change that can be made to the symbol. One that fails costs its own records.
func (w *trainingWalker) walk(ctx context.Context, seed string) ([]training.Record, error) {
	open, err := w.ask(ctx, seed, scout.Other)
	if err != nil {
		return nil, err
	}
	var records []training.Record
	for _, kind := range w.kindsFor(open) {
		if kind == scout.Other {
			records = append(records, training.RecordsOf(open)...)
			continue
		}
		answer, err := w.ask(ctx, seed, kind)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			fmt.Fprintf(w.std.Err, "%s: %s: %v\n", seed, kind, err)
			continue
		case answer.Understood.Meant != "": // the kind alone is no edit: the places are those of the open question
			continue
		}
		records = append(records, training.RecordsOf(answer)...)
		records = append(records, training.Accepted(answer, open)...)
	}
	if len(records) == 0 {
		return nil, errors.New("nothing was judged")
	}
	return records, nil
}

// kindsFor returns the kinds of change that were asked for, else all that can be made to what an answer is about.
func (w *trainingWalker) kindsFor(open *scout.Answer) []scout.ChangeKind {
	if len(w.kinds) > 0 {
		return w.kinds
	}
	return slices.DeleteFunc(scout.ChangeKinds(), func(k scout.ChangeKind) bool {
		return !slices.ContainsFunc(open.Symbols, func(s scout.Symbol) bool {
			return slices.ContainsFunc(s.Found, func(c scout.Candidate) bool { return k.Fits(c.Kind) })
		})
	})
}

func (w *trainingWalker) ask(ctx context.Context, seed string, kind scout.ChangeKind) (*scout.Answer, error) {
	arguments, err := json.Marshal(map[string]any{
		"query": training.Question(kind, seed), "symbols": []string{seed}, "change": kind, "depth": scout.High,
	})
	if err != nil {
		return nil, err
	}
	response, err := w.caller.call(ctx, "scout", arguments)
	if err != nil {
		return nil, err
	}
	answer := new(scout.Answer)
	if err := json.Unmarshal(response.Result, answer); err != nil {
		return nil, fmt.Errorf("reading an answer of scout: %w", err)
	}
	return answer, nil
}
