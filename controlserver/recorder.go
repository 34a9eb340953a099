package main

import (
	"tidepool/scout"
	"tidepool/scout/training"
)

// recorder returns what keeps the judgements of walks, nil if nothing does. That it fails costs no walk its answer.
func (p *parts) recorder() func(*scout.Answer) {
	if !p.settings.Scout.Record {
		return nil
	}
	store := &training.Store{Dir: trainingDir(p.place)}
	return func(a *scout.Answer) {
		if err := store.Append(training.RecordsOf(a)); err != nil {
			p.log.Warn("not recorded", "err", err)
		}
	}
}
