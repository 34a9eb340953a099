package setup

import (
	"os"
	"strings"
	"testing"
)

func TestScorer(t *testing.T) {
	const (
		plain = "{\n  \"scout\": {\n    \"scorer\": \"\",\n    \"endpoint\": \"\"\n  }\n}\n"
		model = "{\n  \"scout\": {\n    \"scorer\": \"ollama\",\n    \"endpoint\": \"http://127.0.0.1:11434\"\n  }\n}\n"
		none  = "{\n  \"scout\": {\n    \"scorer\": \"heuristic\",\n    \"endpoint\": \"\"\n  }\n}\n"
		mine  = "{\n  \"scout\": {\n    \"scorer\": \"ollama\",\n    \"endpoint\": \"http://gpu:11434\"\n  }\n}\n"
	)
	yes, no := &Scorer{"ollama", "http://127.0.0.1:11434"}, &Scorer{Name: "heuristic"}
	for name, tt := range map[string]struct {
		before       string // "": there is no file
		answer       *Scorer
		want, edited string // edited is what a person makes of it; "": nothing
		after        string
	}{
		"a new file":         {"", yes, model, "", plain},
		"a new file, no":     {"", no, none, "", plain},
		"a file":             {"{}", yes, strings.TrimSpace(model), "", "{}"},
		"dotted":             {`{"scout.scorer": ""}`, no, `{"scout.scorer": "heuristic", "scout": {"endpoint":""}}`, "", `{"scout.scorer": ""}`},
		"more settings":      {plain, yes, model, "{\"log\": {}," + model[1:], "{\"log\": {}," + plain[1:]},
		"another answer":     {plain, yes, model, none, plain},
		"a model of theirs":  {plain, yes, model, mine, mine},
		"settings that fail": {plain, yes, model, "{", "{"},
		"no answer":          {mine, nil, mine, "", mine},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.Config, h.Scorer = []byte(plain), tt.answer
			config := h.configSite()
			if tt.before != "" {
				h.write(config.path, tt.before)
			}
			h.init()
			if got := h.read(config.path); got != tt.want {
				t.Errorf("init made\n%s, want\n%s", got, tt.want)
			}
			if tt.edited != "" {
				h.write(config.path, tt.edited)
			}
			h.uninit()
			if got := h.read(config.path); got != tt.after {
				t.Errorf("uninit made\n%s, want\n%s", got, tt.after)
			}
			if _, err := os.Lstat(config.backup); err == nil {
				t.Error("a backup is left")
			}
		})
	}
}

// A backup file may have come with a clone, so settings are not taken from it.
func TestScorerOfAClone(t *testing.T) {
	h := newHome(t)
	config := h.configSite()
	h.write(config.backup, `{"scout": {"scorer": "ollama", "endpoint": "http://evil"}}`)
	h.write(config.path, `{"log": {}, "scout": {"scorer": "heuristic", "endpoint": ""}}`)
	h.uninit()
	if got, want := h.read(config.path), `{"log": {}, "scout": {"scorer": "", "endpoint": ""}}`; got != want {
		t.Errorf("uninit made %s, want %s", got, want)
	}
}
