package doctor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
)

// modelAt checks a model as the daemon would ask for it.
func modelAt(t *testing.T, endpoint, name string) Model {
	t.Helper()
	client, err := ollama.New(ollama.Options{Endpoint: endpoint, Model: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return Model{Scorer: "ollama", Name: name, Ask: client.Check}
}

func TestModel(t *testing.T) {
	server := ollamatest.New(t, func(string) string { return "" })
	wantFine(t, Model{Scorer: "heuristic", Advice: "another"}, "scorer", "heuristic, as none is chosen; another")
	wantFine(t, Model{Scorer: "heuristic"}, "scorer", "heuristic")
	wantFine(t, Model{Scorer: "heuristic", Whose: "the daemon (pid 7)"}, "scorer", "the daemon (pid 7): heuristic")
	wantFine(t, modelAt(t, server.URL, ollamatest.Model), "scorer", "ollama has "+ollamatest.Model)
	wantProblem(t, modelAt(t, server.URL, "other:1b"), "scorer", "does not have the model", "ollama pull other:1b")
	wantProblem(t, modelAt(t, "http://127.0.0.1:1", "other:1b"), "scorer", "cannot be reached", "ollama serve")
	broken := Model{Scorer: "ollama", Ask: func(context.Context) error { return errors.New("odd") }}
	wantProblem(t, broken, "scorer", "odd", "scout.endpoint")
}

func TestModelThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		mute := Model{Scorer: "ollama", Name: "m", Ask: func(ctx context.Context) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}}
		wantProblem(t, mute, "scorer", "has not answered within 3s about m", "scout.endpoint")
		if took := time.Since(start); took != modelLimit {
			t.Errorf("it took %v", took)
		}
	})
}
