package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/quality"
)

const (
	// wanted is the share of the prompts of each kind that the bar keeps silent on what is fitted: a little above what is to hold elsewhere.
	wanted = .905
	// ofAnswers is what the questions of a group weigh against one kind of its prompts that want silence.
	ofAnswers = 4
)

// features is how many parts of the evidence have a constant, with the offset.
const features = 7

// An example is a sample by its features, with the weight that makes groups and kinds count the same.
type example struct {
	x      [features]float64
	right  bool
	weight float64
}

// fitFloor fits the constants of the floor and the bar.
func fitFloor(ctx context.Context, d *quality.Data, c *evidence.Constants) error {
	groups, err := d.Fitting(ctx)
	if err != nil {
		return err
	}
	unit := *c
	unit.Cover, unit.Chance, unit.Pair, unit.Words, unit.Whole, unit.Store, unit.Offset = 1, 1, 1, 1, 1, 1, 0
	var examples []example
	silences := map[string][]example{}
	for _, g := range groups {
		samples, err := quality.Samples(g.Trials, &unit)
		if err != nil {
			return err
		}
		of := map[string]float64{}
		for _, s := range samples {
			of[s.Kind]++
		}
		for _, s := range samples {
			e := example{[features]float64{s.Z.Cover, s.Z.Chance, s.Z.Pairs, s.Z.Words, s.Z.Whole, s.Z.Store, 1}, s.Right, 1 / of[s.Kind]}
			if s.Kind == "" {
				e.weight *= ofAnswers
			} else {
				silences[g.Name+": "+s.Kind] = append(silences[g.Name+": "+s.Kind], e)
			}
			examples = append(examples, e)
		}
	}
	b := logistic(examples)
	c.Cover, c.Chance, c.Pair, c.Words, c.Whole, c.Store, c.Offset = b[0], b[1], b[2], b[3], b[4], b[5], b[6]
	c.Bar = bar(silences, b)
	return ctx.Err()
}

// bar returns the lowest bar that keeps silent what is wanted of each kind.
func bar(silences map[string][]example, b [features]float64) float64 {
	lowest := math.Inf(-1)
	for kind, examples := range silences {
		var z []float64
		for _, e := range examples {
			z = append(z, dot(e.x, b))
		}
		slices.Sort(z)
		needed := z[min(len(z)-1, int(wanted*float64(len(z))))]
		fmt.Printf("%-70s %.2f\n", kind, needed)
		lowest = max(lowest, needed)
	}
	return lowest
}

func dot(x, b [features]float64) float64 {
	sum := 0.
	for i := range x {
		sum += x[i] * b[i]
	}
	return sum
}

// logistic returns the coefficients that make the examples most likely, by Newton's method with a little ridge, which keeps them finite.
func logistic(examples []example) (b [features]float64) {
	const steps, ridge = 50, 1e-4
	for range steps {
		var gradient [features]float64
		var hessian [features][features]float64
		for i := range features {
			gradient[i], hessian[i][i] = -ridge*b[i], ridge
		}
		for _, e := range examples {
			p := 1 / (1 + math.Exp(-dot(e.x, b)))
			y := 0.
			if e.right {
				y = 1
			}
			for i := range features {
				gradient[i] += e.weight * (y - p) * e.x[i]
				for j := range features {
					hessian[i][j] += e.weight * p * (1 - p) * e.x[i] * e.x[j]
				}
			}
		}
		step := solve(hessian, gradient)
		for i := range b {
			b[i] += step[i]
		}
	}
	return b
}

// solve returns x with a·x = y, by elimination with pivots. a is regular.
func solve(a [features][features]float64, y [features]float64) [features]float64 {
	for i := range features {
		rows := make([]int, 0, features)
		for j := i; j < features; j++ {
			rows = append(rows, j)
		}
		pivot := slices.MaxFunc(rows, func(j, k int) int { return cmp.Compare(math.Abs(a[j][i]), math.Abs(a[k][i])) })
		a[i], a[pivot], y[i], y[pivot] = a[pivot], a[i], y[pivot], y[i]
		for j := range features {
			if j == i {
				continue
			}
			f := a[j][i] / a[i][i]
			for k := range features {
				a[j][k] -= f * a[i][k]
			}
			y[j] -= f * y[i]
		}
	}
	for i := range y {
		y[i] /= a[i][i]
	}
	return y
}
