package main

import (
	"tidepool/internal/config"
	"tidepool/internal/ollama"
	"tidepool/scout"
	"tidepool/scout/gemma"
)

// A judge rates what scout finds, or says why nobody does: fixed rules never stand in for a model that was not set
// up. Its zero value is not usable.
type judge struct {
	scorer scout.Scorer
	err    error // why there is no scorer: what the model that calls scout reads
	client *ollama.Client
}

func newJudge(settings config.Scout) *judge {
	switch {
	case settings.Scorer == "heuristic":
		return &judge{scorer: scout.Heuristic{}}
	case settings.Scorer == "" && settings.Endpoint == "":
		return &judge{err: &gemma.NoScorerError{}}
	}
	client, err := ollama.New(ollama.Options{
		Endpoint:    settings.Endpoint,
		Model:       settings.Model,
		Timeout:     settings.Timeout,
		Concurrency: settings.Concurrency,
	})
	if err != nil {
		return &judge{err: err}
	}
	return &judge{scorer: gemma.New(client), client: client}
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

// Close ends what the model's client still does.
func (j *judge) Close() {
	if j.client != nil {
		j.client.Close()
	}
}
