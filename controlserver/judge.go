package main

import (
	"tidepool/internal/config"
	"tidepool/internal/ollama"
	"tidepool/scout"
	"tidepool/scout/gemma"
	"tidepool/teach"
	teachgemma "tidepool/teach/gemma"
)

// A judge makes the scorer of scout and the selector of teach-graph. Rules do so where nobody has chosen; they never
// stand in for a model that was chosen and cannot be asked. Its zero value is not usable.
type judge struct {
	scorer   scout.Scorer
	selector teach.Selector
	advice   string           // how to have a model instead; "" if somebody has chosen
	err      error            // why the model that was chosen cannot be asked
	client   *ollama.Client   // nil if no model is asked
	recorder *ollama.Recorder // nil if nothing is recorded
}

// newJudge makes the judge that settings choose. What a model is asked and answers is kept in the file calls; "" keeps
// nothing.
func newJudge(settings config.Scout, calls string) *judge {
	switch {
	case settings.Scorer == "heuristic":
		return &judge{scorer: scout.Heuristic{}, selector: teach.Heuristic{}}
	case settings.Scorer == "" && settings.Endpoint == "":
		return &judge{scorer: scout.Heuristic{}, selector: teach.Heuristic{},
			advice: "for FunctionGemma instead: " + gemma.Advice}
	}
	return newModel(settings, calls)
}

// newModel makes the judge that asks a model. If that cannot be done, it is one that says so in each answer.
func newModel(settings config.Scout, calls string) *judge {
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
	return &judge{scorer: gemma.New(client), selector: teachgemma.New(client), client: client, recorder: recorder}
}

// unusable is the judge of a model that cannot be asked.
func unusable(model string, err error) *judge {
	return &judge{scorer: gemma.Unusable{Model: model, Err: err}, selector: teachgemma.Unusable{Model: model, Err: err}, err: err}
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
