package main

import (
	"tidepool/internal/config"
	"tidepool/internal/ollama"
	"tidepool/scout"
	"tidepool/scout/gemma"
	"tidepool/scout/learned"
)

// A judge rates what scout finds, or says why nobody does: fixed rules never stand in for a model that was not set
// up. Its zero value is not usable.
type judge struct {
	scorer   scout.Scorer
	err      error // why there is no scorer: what the model that calls scout reads
	client   *ollama.Client
	recorder *ollama.Recorder // nil if nothing is recorded
}

// newJudge makes the judge that settings choose. What a model is asked and answers is kept in the file calls; "" keeps
// nothing.
func newJudge(settings config.Scout, calls string) *judge {
	switch {
	case settings.Scorer == "heuristic":
		return &judge{scorer: scout.Heuristic{}}
	case settings.Scorer == "learned":
		return &judge{scorer: learned.Scorer{}}
	case settings.Scorer == "" && settings.Endpoint == "":
		return &judge{err: &gemma.NoScorerError{}}
	}
	var recorder *ollama.Recorder
	if calls != "" {
		var err error
		if recorder, err = ollama.OpenRecorder(calls); err != nil {
			return &judge{err: err}
		}
	}
	client, err := ollama.New(ollama.Options{
		Endpoint:    settings.Endpoint,
		Model:       settings.Model,
		Timeout:     settings.Timeout,
		Concurrency: settings.Concurrency,
		Record:      recorder,
	})
	if err != nil {
		return &judge{err: err, recorder: recorder}
	}
	return &judge{scorer: gemma.New(client), client: client, recorder: recorder}
}

// Scorer returns the scorer, or why there is none.
func (j *judge) Scorer() (scout.Scorer, error) { return j.scorer, j.err }

// Name is that of the scorer, for the log.
func (j *judge) Name() string {
	if j.err != nil {
		return "none"
	}
	return j.scorer.Name()
}

// Close ends what the model's client still does. Its error is the first that recording gave.
func (j *judge) Close() error {
	if j.client != nil {
		j.client.Close()
	}
	if j.recorder != nil {
		return j.recorder.Close()
	}
	return nil
}
