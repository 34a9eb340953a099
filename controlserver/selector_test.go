package main

import (
	"strings"
	"testing"

	"tidepool/internal/config"
)

// Whoever rates what scout finds selects what is taught, and nobody else does so unsaid.
func TestSelector(t *testing.T) {
	for _, tt := range []struct {
		settings config.Scout
		name     string
		fails    string // part of the error
	}{
		{config.Scout{Scorer: "heuristic"}, "heuristic", ""},
		{config.Scout{Scorer: "learned"}, "heuristic (the scorer learned only knows what breaks)", ""},
		{config.Scout{Endpoint: "http://127.0.0.1:9", Model: "functiongemma:270m"}, "ollama functiongemma:270m", ""},
		{config.Scout{}, "", "GEMMA_ENDPOINT"},
		{config.Scout{Endpoint: "nowhere"}, "", "http"},
	} {
		j := newJudge(tt.settings, "")
		selector, err := j.Selector()
		switch {
		case tt.fails != "":
			if err == nil || !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("%+v: %v", tt.settings, err)
			}
		case err != nil || selector.Name() != tt.name:
			t.Errorf("%+v: %v, %v; want %s", tt.settings, selector, err, tt.name)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}
