package serve

import (
	"context"
	"net/url"

	"tidepool/internal/config"
	"tidepool/internal/doctor"
	"tidepool/internal/ollama"
	"tidepool/protocol"
	"tidepool/scout"
	"tidepool/scout/gemma"
	"tidepool/teach"
	teachgemma "tidepool/teach/gemma"
)

// A Judge has the scorer of scout and the selector of teach-graph: rules, unless the settings choose a model. Rules never replace a
// model that was chosen and cannot be reached. The zero value is not usable; see NewJudge.
type Judge struct {
	scorer   scout.Scorer
	selector teach.Selector
	advice   string           // how to have a model instead; "" if somebody has chosen
	err      error            // why the model that was chosen cannot be asked
	client   *ollama.Client   // nil if no model is asked
	recorder *ollama.Recorder // nil if nothing is recorded
}

// NewJudge returns the judge that the settings choose. It records a model's prompts and answers in the file calls; "" records
// nothing.
func NewJudge(settings config.Scout, calls string) *Judge {
	switch {
	case settings.Scorer == "heuristic":
		return &Judge{scorer: scout.Heuristic{}, selector: teach.Heuristic{}}
	case settings.Scorer == "" && settings.Endpoint == "":
		return &Judge{scorer: scout.Heuristic{}, selector: teach.Heuristic{},
			advice: "for FunctionGemma instead: " + gemma.Advice}
	}
	return newModel(settings, calls)
}

// newModel returns the judge that asks a model. If the model cannot be used, each of its answers says so.
func newModel(settings config.Scout, calls string) *Judge {
	var recorder *ollama.Recorder
	if calls != "" {
		var err error
		if recorder, err = ollama.OpenRecorder(calls); err != nil {
			return unusable(settings.Model, err)
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
		j := unusable(settings.Model, err)
		j.recorder = recorder
		return j
	}
	return &Judge{scorer: gemma.New(client), selector: teachgemma.New(client), client: client, recorder: recorder}
}

// unusable returns the judge of a model that cannot be asked.
func unusable(model string, err error) *Judge {
	return &Judge{scorer: gemma.Unusable{Model: model, Err: err}, selector: teachgemma.Unusable{Model: model, Err: err}, err: err}
}

// Close ends the model's client. It returns the first error of recording.
func (j *Judge) Close() error {
	if j.client != nil {
		j.client.Close()
	}
	if j.recorder != nil {
		return j.recorder.Close()
	}
	return nil
}

// State describes the judge of the settings, for the status.
func (j *Judge) State(settings config.Scout) *protocol.ScorerState {
	if j.client == nil && j.err == nil {
		return &protocol.ScorerState{Name: j.scorer.Name(), Advice: j.advice}
	}
	return &protocol.ScorerState{Name: "ollama", Model: settings.Model, Endpoint: withoutUser(settings.Endpoint)}
}

// withoutUser is a URL without user and password.
func withoutUser(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User = nil
	return u.String()
}

// Check returns the doctor's check of the judge.
func (j *Judge) Check(settings config.Scout) doctor.Model {
	if j.client != nil {
		return doctor.Model{Scorer: "ollama", Name: settings.Model, Ask: j.client.Check}
	}
	if j.err != nil {
		return doctor.Model{Scorer: "ollama", Name: settings.Model, Ask: func(context.Context) error { return j.err }}
	}
	return doctor.Model{Scorer: j.scorer.Name(), Advice: j.advice}
}
