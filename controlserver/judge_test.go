package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tidepool/internal/config"
	"tidepool/protocol"
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
		{config.Scout{Scorer: "learned"}, "learned", "", ""},
		{config.Scout{Endpoint: endpoint, Model: "m"}, "ollama m", "", ""},
		{config.Scout{Scorer: "ollama", Endpoint: endpoint, Model: "m"}, "ollama m", "", ""},
		{config.Scout{Scorer: "ollama", Model: "m"}, "none", "cannot use the endpoint of Ollama", "GEMMA_ENDPOINT"},
		{config.Scout{Endpoint: endpoint + "?x=1", Model: "m"}, "none", "cannot use the endpoint of Ollama", "GEMMA_ENDPOINT"},
	}
	for _, tt := range tests {
		j := newJudge(tt.settings, "")
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

func TestJudgeRecordsIntoTheStateDirectory(t *testing.T) {
	place := protocol.Place{Project: t.TempDir()}
	settings := config.Scout{Endpoint: "http://127.0.0.1:1", Model: "m"}
	if got := callsFile(place, settings); got != "" {
		t.Errorf("unasked, calls are kept in %s", got)
	}
	settings.Record = true
	file := callsFile(place, settings)
	if rest, ok := strings.CutPrefix(file, stateDir(place)); !ok || rest != "/training/calls.jsonl" {
		t.Errorf("calls are kept in %s", file)
	}
	j := newJudge(settings, file)
	if err := j.Close(); err != nil || j.err != nil {
		t.Fatal(err, j.err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
