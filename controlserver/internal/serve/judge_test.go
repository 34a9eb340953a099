package serve

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tidepool/internal/config"
	"tidepool/internal/state"
	"tidepool/protocol"
	"tidepool/scout"
	"tidepool/teach"
)

// Rules are the default and never a replacement: a model that was chosen and cannot be asked keeps its name and says why.
func TestJudge(t *testing.T) {
	const endpoint = "http://127.0.0.1:1"
	tests := []struct {
		settings       config.Scout
		name, selector string
		err, hint      string // contained in those of the model that cannot be asked; "": nothing is wrong
	}{
		{config.Scout{}, "heuristic", "heuristic", "", ""},
		{config.Scout{Scorer: "heuristic"}, "heuristic", "heuristic", "", ""},
		{config.Scout{Scorer: "heuristic", Endpoint: endpoint, Model: "m"}, "heuristic", "heuristic", "", ""},
		{config.Scout{Endpoint: endpoint, Model: "m"}, "ollama m", "ollama m", "", ""},
		{config.Scout{Scorer: "ollama", Endpoint: endpoint, Model: "m"}, "ollama m", "ollama m", "", ""},
		{config.Scout{Scorer: "ollama", Model: "m"}, "ollama m", "ollama m", "cannot use the endpoint of Ollama", "GEMMA_ENDPOINT"},
		{config.Scout{Endpoint: endpoint + "?x=1", Model: "m"}, "ollama m", "ollama m", "cannot use the endpoint of Ollama", "GEMMA_ENDPOINT"},
	}
	for _, tt := range tests {
		j := NewJudge(tt.settings, "")
		defer j.Close()
		if j.scorer.Name() != tt.name || j.selector.Name() != tt.selector {
			t.Errorf("%+v: scorer %q, selector %q", tt.settings, j.scorer.Name(), j.selector.Name())
		}
		if advised := strings.Contains(j.advice, "ollama pull functiongemma:270m"); advised != (tt.settings == config.Scout{}) {
			t.Errorf("%+v: advice %q", tt.settings, j.advice)
		}
		if tt.err == "" {
			if j.err != nil {
				t.Errorf("%+v: %v", tt.settings, j.err)
			}
			continue
		}
		_, scoring := j.scorer.Score(t.Context(), scout.Query{}, []scout.Edge{{}})
		_, selecting := j.selector.Select(t.Context(), teach.Question{})
		for _, err := range []error{j.err, scoring, selecting} {
			var hinted interface{ Hint() string }
			if err == nil || !strings.Contains(err.Error(), tt.err) || !errors.As(err, &hinted) || !strings.Contains(hinted.Hint(), tt.hint) {
				t.Errorf("%+v: error %v", tt.settings, err)
			}
		}
	}
}

func TestJudgeRecordsIntoTheStateDirectory(t *testing.T) {
	place := protocol.Place{Project: t.TempDir()}
	settings := config.Scout{Endpoint: "http://127.0.0.1:1", Model: "m"}
	if got := callsFile(place, settings); got != "" {
		t.Errorf("unasked, calls are kept in %s", got)
	}
	settings.Record = true
	file := callsFile(place, settings)
	if rest, ok := strings.CutPrefix(file, state.Of(place.Project)); !ok || rest != "/training/calls.jsonl" {
		t.Errorf("calls are kept in %s", file)
	}
	if err := os.Mkdir(state.Of(place.Project), 0o700); err != nil {
		t.Fatal(err)
	}
	j := NewJudge(settings, file)
	if err := j.Close(); err != nil || j.err != nil {
		t.Fatal(err, j.err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
