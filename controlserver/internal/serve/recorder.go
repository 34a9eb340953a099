package serve

import (
	"path/filepath"

	"tidepool/internal/config"
	"tidepool/internal/state"
	"tidepool/protocol"
	"tidepool/scout"
	"tidepool/scout/training"
)

// recorder returns the recorder of walks' judgements; nil if nothing is recorded. Its failure does not affect a walk's answer.
func (p *parts) recorder() func(*scout.Answer) {
	if !p.settings.Scout.Record {
		return nil
	}
	store := &training.Store{Dir: TrainingDir(p.place)}
	return func(a *scout.Answer) {
		if err := store.Append(training.RecordsOf(a)); err != nil {
			p.log.Warn("not recorded", "err", err)
		}
	}
}

// callsFile returns where prompts and answers of the model are kept; "" if they are not.
func callsFile(place protocol.Place, settings config.Scout) string {
	if !settings.Record {
		return ""
	}
	return filepath.Join(TrainingDir(place), "calls.jsonl")
}

// TrainingDir returns where a daemon of that place keeps what scorers can be trained with.
func TrainingDir(place protocol.Place) string {
	return filepath.Join(state.Of(place.Project), "training")
}
