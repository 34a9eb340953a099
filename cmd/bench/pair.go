package main

import (
	"fmt"
	"slices"
	"time"
)

// pairs are the times of two things that were done in turn, at the same place those of the same round. A machine that
// slows down for a while slows both of a pair.
type pairs struct{ ours, theirs []time.Duration }

// A side does its part of a round, the first of which is 0, and says how long that took.
type side func(round int) (time.Duration, error)

// alternate has both sides do so many rounds, after some that do not count. Each is first in turn: who comes second finds more
// in the machine's caches.
func alternate(rounds, warmUp int, ours, theirs side) (*pairs, error) {
	p := new(pairs)
	for round := range warmUp + rounds {
		var took [2]time.Duration
		for turn := range took {
			at := (round + turn) % len(took)
			var err error
			if took[at], err = [...]side{ours, theirs}[at](round); err != nil {
				return nil, err
			}
		}
		if round >= warmUp {
			p.ours, p.theirs = append(p.ours, took[0]), append(p.theirs, took[1])
		}
	}
	return p, nil
}

// timing makes a side of what is to be timed as a whole.
func timing(f func(round int) error) side {
	return func(round int) (time.Duration, error) { return timed(func() error { return f(round) }) }
}

func timed(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}

// ratio returns how many times as long as theirs ours take, the median of the pairs.
func (p *pairs) ratio() float64 {
	return medianOf(p, func(ours, theirs time.Duration) float64 { return float64(ours) / float64(theirs) })
}

// difference returns how much longer ours take, the median of the pairs.
func (p *pairs) difference() time.Duration {
	return medianOf(p, func(ours, theirs time.Duration) time.Duration { return ours - theirs })
}

func medianOf[N time.Duration | float64](p *pairs, of func(ours, theirs time.Duration) N) N {
	all := make([]N, len(p.ours))
	for i := range all {
		all[i] = of(p.ours[i], p.theirs[i])
	}
	return median(all)
}

// median returns that of numbers, in any order.
func median[N time.Duration | float64](all []N) N {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

func (p *pairs) String() string {
	return fmt.Sprintf("%s against %s, medians of %d", round(median(p.ours)), round(median(p.theirs)), len(p.ours))
}

// atMost returns the figure of a ratio that is to be no more than most.
func (p *pairs) atMost(most float64) figure {
	ratio := p.ratio()
	return figure{ratio: fmt.Sprintf("%.2f×", ratio), detail: p.String(), held: ratio <= most}
}

// within returns the figure of times whose median is to be no more than most.
func within(most time.Duration, times []time.Duration) figure {
	middle := median(times)
	return figure{
		ratio:  round(middle).String(),
		detail: fmt.Sprintf("median of %d, slowest %s", len(times), round(slices.Max(times))),
		held:   middle <= most,
	}
}
