package main

import (
	"context"
	"errors"
	"fmt"

	"tidepool/internal/figures"
)

const (
	doorRounds = 41
	doorCalls  = 50 // by a door in a round
)

// doorRows compares the doors of one daemon.
func (b *bench) doorRows(ctx context.Context, _ string) (rows []figures.Row, err error) {
	w, err := b.startWarm(ctx, "doors")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Stop()) }()
	doors, closeAll, err := w.doors(ctx)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	var sides []side
	for _, d := range doors {
		sides = append(sides, batch(w.PID(), doorCalls, func() error { return w.check(ctx, d) }))
	}
	costs, err := inTurns(doorRounds, sides...)
	if err != nil {
		return nil, err
	}
	for i, d := range doors {
		rows = append(rows, doorRow(d, costs[i], costs[0]))
	}
	return rows, nil
}

// doorRow is the row of a door, whose costs stand beside those of the line.
func doorRow(d door, ours, line []cost) figures.Row {
	cpu, wall := ratio(ours, line, cpuOf), ratio(ours, line, wallOf)
	row := figures.Row{
		What: "`find_callers`, warm, " + d.name, Hold: "–", Held: true, Measured: fmt.Sprintf("%.2f× of CPU, %.2f× of time", cpu, wall),
		Beside: fmt.Sprintf("CPU %s, time %s, medians of %d rounds of %d calls", times(middle(ours, cpuOf)), times(middle(ours, wallOf)), doorRounds, doorCalls),
	}
	if d.hold > 0 {
		row.Hold, row.Held = fmt.Sprintf("≤ %.0f× the line", d.hold), cpu <= d.hold && wall <= d.hold
	}
	return row
}
