package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"tidepool/internal/conversation"
	"tidepool/internal/fulltext"
	"tidepool/internal/knownitem"
)

// least is how much better the mean reciprocal rank must be for weights to change: the standard error of the mean over a thousand
// queries. Less is chance.
const least = 0.01

// A subject is a set whose turns are indexed once, and its queries for tuning, whole and shortened.
type subject struct {
	index   *knownitem.Index
	queries [][]knownitem.Query
}

// choose returns the best of what improve makes of some starts; of several that differ by less than least, the first.
func choose(ctx context.Context, sets ...knownitem.Set) (fulltext.Weights, error) {
	var subjects []subject
	for _, set := range sets {
		index, err := knownitem.NewIndex(set.Turns)
		if err != nil {
			return fulltext.Weights{}, err
		}
		subjects = append(subjects, subject{index, [][]knownitem.Query{set.Half(true), set.Shortened().Half(true)}})
	}
	var best fulltext.Weights
	most := -1.0
	for _, start := range starts() {
		at, err := mean(subjects, start)
		if err != nil {
			return best, err
		}
		w, value, err := improve(ctx, start, subjects)
		if err != nil {
			return best, err
		}
		fmt.Fprintf(os.Stderr, "%v gives %.4f; %v %.4f\n", start, at, w, value)
		if value >= most+least {
			best, most = w, value
		}
	}
	return best, nil
}

// starts are the weights in use, weights by which all fields count the same, and some by which prompts count most.
func starts() []fulltext.Weights {
	lengths := []float64{0.4, 0.75, 0.75, 0.3}
	return []fulltext.Weights{
		conversation.Weights(),
		{Weight: []float64{1, 1, 1, 1}, Length: []float64{0.75, 0.75, 0.75, 0.75}, K1: 1.5},
		{Weight: []float64{3, 2, 0.5, 2}, Length: lengths, K1: 1.5},
		{Weight: []float64{1.5, 1, 0.5, 1}, Length: lengths, K1: 1.5},
	}
}

// improve changes one constant after the other to the best of some values, until none helps, and returns the mean reciprocal rank.
func improve(ctx context.Context, start fulltext.Weights, subjects []subject) (fulltext.Weights, float64, error) {
	best := clone(start)
	value, err := mean(subjects, best)
	for changed := true; changed && err == nil; {
		changed = false
		for _, c := range constants(&best) {
			v, tried, err := try(ctx, c, &best, subjects)
			if err != nil {
				return best, value, err
			}
			if tried >= value+least {
				*c.at, value, changed = v, tried, true
			}
		}
	}
	return best, value, err
}

// try returns the value of a constant that gives the most, and what it gives. The constant stays as it is.
func try(ctx context.Context, c constant, w *fulltext.Weights, subjects []subject) (best, most float64, err error) {
	old := *c.at
	defer func() { *c.at = old }()
	for _, v := range c.values {
		*c.at = v
		got, err := mean(subjects, *w)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return old, 0, err
		}
		if got > most {
			best, most = v, got
		}
	}
	return best, most, nil
}

// mean returns the mean reciprocal rank over all subjects, each kind of query counting the same.
func mean(subjects []subject, w fulltext.Weights) (float64, error) {
	sum, n := 0.0, 0
	for _, s := range subjects {
		rank, err := s.index.Rank(w)
		if err != nil {
			return math.NaN(), err
		}
		for _, queries := range s.queries {
			sum += knownitem.Evaluate(queries, rank).Mean
			n++
		}
	}
	return sum / float64(n), nil
}

// A constant is one of those that are chosen, and the values that are tried.
type constant struct {
	at     *float64
	values []float64
}

func constants(w *fulltext.Weights) []constant {
	list := []constant{{&w.K1, []float64{0.6, 0.9, 1.2, 1.5, 2, 3, 4}}}
	for f := range w.Weight {
		list = append(list,
			constant{&w.Weight[f], []float64{0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6}},
			constant{&w.Length[f], []float64{0, 0.15, 0.3, 0.4, 0.5, 0.65, 0.75, 0.9, 1}})
	}
	return list
}

func clone(w fulltext.Weights) fulltext.Weights {
	return fulltext.Weights{Weight: slices.Clone(w.Weight), Length: slices.Clone(w.Length), K1: w.K1}
}
