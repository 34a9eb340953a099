package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"tidepool/internal/measure"
)

// A cost is what a call takes: processor time of client and daemon together, and time.
type cost struct{ cpu, wall time.Duration }

// A side does its part of a round.
type side func() (cost, error)

// batch returns a side that does a thing n times, with a daemon.
func batch(pid, n int, once func() error) side {
	return func() (cost, error) {
		its, err := measure.CPUOf(pid)
		if err != nil {
			return cost{}, err
		}
		own, begin := measure.CPU(), time.Now()
		for range n {
			if err := once(); err != nil {
				return cost{}, err
			}
		}
		wall, own := time.Since(begin), measure.CPU()-own
		after, err := measure.CPUOf(pid)
		return cost{cpu: (after - its + own) / time.Duration(n), wall: wall / time.Duration(n)}, err
	}
}

// inTurns has each side do a round in turn, and returns the costs of each side. The first round does not count. The clock of the machine
// changes within seconds, so that only costs of one round are compared. The order of the sides is another one in each round, since the
// garbage of one is collected while the next is measured; it is the same in each run.
func inTurns(rounds int, sides ...side) ([][]cost, error) {
	all := make([][]cost, len(sides))
	order := rand.New(rand.NewPCG(1, 2))
	for round := range rounds + 1 {
		for _, at := range order.Perm(len(sides)) {
			c, err := sides[at]()
			if err != nil {
				return nil, err
			}
			if round > 0 {
				all[at] = append(all[at], c)
			}
		}
	}
	return all, nil
}

func cpuOf(c cost) time.Duration  { return c.cpu }
func wallOf(c cost) time.Duration { return c.wall }

// middle returns the median of one kind of cost.
func middle(all []cost, of func(cost) time.Duration) time.Duration {
	times := make([]time.Duration, 0, len(all))
	for _, c := range all {
		times = append(times, of(c))
	}
	return measure.Percentile(times, 50)
}

// ratio returns how many times as much one side costs as another, the median of the rounds.
func ratio(ours, theirs []cost, of func(cost) time.Duration) float64 {
	all := make([]float64, 0, len(ours))
	for i := range ours {
		all = append(all, float64(of(ours[i]))/float64(of(theirs[i])))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// times writes a duration with three digits or so.
func times(d time.Duration) string {
	if d < time.Millisecond {
		return d.Round(100 * time.Nanosecond).String()
	}
	return fmt.Sprintf("%.2fms", d.Seconds()*1e3)
}
