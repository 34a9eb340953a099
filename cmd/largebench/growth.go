package main

import (
	"math"
	"time"

	"tidepool/internal/measure"
)

// A point is a cost at a size.
type point struct{ lines, cost float64 }

// exponent fits cost = c · lines^e by least squares of the logarithms. There must be two points of different sizes; ok is false
// otherwise.
func exponent(points []point) (e, c float64, ok bool) {
	var x, y, xx, xy float64
	for _, p := range points {
		lx, ly := math.Log(p.lines), math.Log(p.cost)
		x, y, xx, xy = x+lx, y+ly, xx+lx*lx, xy+lx*ly
	}
	n := float64(len(points))
	spread := n*xx - x*x
	if len(points) < 2 || spread < 1e-9 {
		return 0, 0, false
	}
	e = (n*xy - x*y) / spread
	return e, math.Exp((y - e*x) / n), true
}

// A panel is one of the plots: how a cost grows on both sides.
type panel struct {
	title      string
	unit       string
	ours, bare []point
}

// panels returns those of the plot, of the sizes of one language that were measured to the end.
func panels(results []result, language string) []panel {
	all := []panel{
		{title: "first complete answer, cold", unit: "seconds"},
		{title: "memory of everything, after questions and edits", unit: "MB"},
		{title: "find_callers, and references of the bare server, p50", unit: "milliseconds"},
	}
	costs := func(r record) [3]float64 {
		return [3]float64{percentile(r.cold, 50).Seconds(), float64(r.used.whole) / (1 << 20), float64(percentile(r.callers, 50)) / float64(time.Millisecond)}
	}
	for _, r := range results {
		if r.language != language || r.lines == 0 {
			continue
		}
		ours, bare := costs(r.ours), costs(r.bare)
		for i := range all {
			if ours[i] > 0 {
				all[i].ours = append(all[i].ours, point{float64(r.lines), ours[i]})
			}
			if bare[i] > 0 {
				all[i].bare = append(all[i].bare, point{float64(r.lines), bare[i]})
			}
		}
	}
	return all
}

// percentile returns the p-th percentile of times; 0: there are none.
func percentile(times []time.Duration, p int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	return measure.Percentile(times, p)
}
