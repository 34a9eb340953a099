package main

import (
	"errors"
	"strings"
	"testing"

	"tidepool/internal/config"
)

func TestJudge(t *testing.T) {
	const endpoint = "http://127.0.0.1:1"
	tests := []struct {
		settings   config.Scout
		name       string
		err, hints string // contained; "" is no error
	}{
		{config.Scout{}, "none", "no scorer is chosen, and GEMMA_ENDPOINT is not set", "--scorer heuristic"},
		{config.Scout{Scorer: "heuristic"}, "heuristic", "", ""},
		{config.Scout{Scorer: "heuristic", Endpoint: endpoint, Model: "m"}, "heuristic", "", ""},
		{config.Scout{Endpoint: endpoint, Model: "m"}, "ollama m", "", ""},
		{config.Scout{Scorer: "ollama", Endpoint: endpoint, Model: "m"}, "ollama m", "", ""},
		{config.Scout{Scorer: "ollama", Model: "m"}, "none", "cannot use the endpoint of Ollama", "GEMMA_ENDPOINT"},
		{config.Scout{Endpoint: endpoint + "?x=1", Model: "m"}, "none", "cannot use the endpoint of Ollama", "GEMMA_ENDPOINT"},
	}
	for _, tt := range tests {
		j := newJudge(tt.settings)
		defer j.Close()
		scorer, err := j.Scorer()
		if j.Name() != tt.name || (scorer == nil) != (err != nil) {
			t.Errorf("%+v: scorer %q, %v, %v", tt.settings, j.Name(), scorer, err)
		}
		if tt.err == "" {
			continue
		}
		var hinted interface{ Hint() string }
		if err == nil || !strings.Contains(err.Error(), tt.err) || !errors.As(err, &hinted) || !strings.Contains(hinted.Hint(), tt.hints) {
			t.Errorf("%+v: error %v", tt.settings, err)
		}
	}
}
