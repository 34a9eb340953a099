package main

import (
	"context"
	"fmt"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/quality"
)

// least is how much better the figure must be for a constant to change: less is chance.
const least = 0.002

// A constant is one of the ranking, and the values that are tried.
type constant struct {
	name   string
	at     *float64
	values []float64
}

func constants(c *evidence.Constants) []constant {
	parts := []float64{0, .25, .5, .75, 1, 1.5, 2}
	return []constant{
		{"K1", &c.K1, []float64{.5, .7, .9, 1.2, 1.5}}, {"B", &c.B, []float64{0, .2, .3, .4, .6, .75}},
		{"SessionK1", &c.SessionK1, []float64{.6, .9, 1.2, 1.6, 2.4}}, {"SessionB", &c.SessionB, []float64{.2, .35, .5, .75, 1}},
		{"Next", &c.Next, []float64{0, .15, .2, .3, .4, .5}}, {"Second", &c.Second, []float64{0, .1, .15, .2, .3}},
		{"Best", &c.Best, parts}, {"Session", &c.Session, parts}, {"Pairs", &c.Pairs, parts}, {"Pieces", &c.Pieces, parts},
		{"Named", &c.Named, []float64{0, .1, .25, .35, .5}}, {"Dated", &c.Dated, parts},
	}
}

// improve changes one constant of the ranking after the other to the best of some values, twice.
func improve(ctx context.Context, tuned []quality.Dialogue, c *evidence.Constants) error {
	subjects := quality.Subjects(tuned)
	value := func() (float64, error) {
		h, err := quality.Find(subjects, c)
		return (h.First + h.Five + h.Mean) / 3, err
	}
	most, err := value()
	if err != nil {
		return err
	}
	for range 2 {
		for _, one := range constants(c) {
			best := *one.at
			for _, v := range one.values {
				*one.at = v
				got, err := value()
				if err != nil || ctx.Err() != nil {
					return err
				}
				if got >= most+least {
					best, most = v, got
				}
			}
			*one.at = best
			fmt.Printf("%s %v gives %.4f\n", one.name, best, most)
		}
	}
	return nil
}
