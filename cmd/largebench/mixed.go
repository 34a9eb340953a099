package main

import (
	"context"
	"time"
)

// leafEvery and hubEvery say how often a step of mixed use is an edit, scoutEvery how often it is a question to scout. The others ask
// for callers.
const (
	leafEvery  = 5
	hubEvery   = 40
	scoutEvery = 8
)

// mixedGrace is how much longer than the time of mixed use its last step may take.
const mixedGrace = time.Minute

// mix uses the daemon without a pause as an hour of work does: questions about callers, edits, scout. What it takes is not recorded,
// but whether language servers live through it.
func (b *bench) mix(ctx context.Context, d *daemon, r *record) error {
	begin := time.Now()
	defer func() { r.mixed = time.Since(begin) }()
	functions, questions, random, of := d.project.sample[function], d.project.questions(), random(), d.side()
	var thrown record // times that do not count
	for n := 1; time.Since(begin) < b.mixed; n++ {
		var err error
		switch {
		case n%hubEvery == 0:
			_, err = d.project.playEdits(ctx, of, d.project.hub, 1)
		case n%leafEvery == 0:
			_, err = d.project.playEdits(ctx, of, d.project.leaf, 1)
		case n%scoutEvery == 0:
			err = d.askScout(ctx, &thrown, []question{questions[random.IntN(len(questions))]})
		default:
			_, err = of.ask(ctx, functions[random.IntN(len(functions))])
		}
		if err != nil {
			return err
		}
		r.mixedCalls++
	}
	return nil
}
