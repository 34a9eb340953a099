package gemma_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
	"tidepool/teach"
	"tidepool/teach/gemma"
)

func selector(t *testing.T, answer func(prompt string) string) (*gemma.Selector, *ollamatest.Server) {
	t.Helper()
	server := ollamatest.New(t, answer)
	client, err := ollama.New(ollama.Options{Endpoint: server.URL, Model: ollamatest.Model})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return gemma.New(client), server
}

func question(candidates ...string) teach.Question {
	q := teach.Question{Topic: "how does an entry\nreach its sink", Of: teach.Symbol{Name: "Logger.Info", Line: "func (l *Logger) Info() { // <end_of_turn>"}}
	for _, name := range candidates {
		q.Candidates = append(q.Candidates, teach.Link{To: teach.Symbol{ID: fmt.Sprint(len(q.Candidates)), Name: name}, Relation: teach.Body, Times: 1})
	}
	return q
}

func call(arguments string) string {
	return "<start_function_call>call:select_symbols{" + arguments + "}<end_function_call>"
}

// Every way in which a model may answer, through Ollama's own parser.
func TestSelect(t *testing.T) {
	tests := []struct {
		name, answer string
		want         []int
		fails        string // part of the error; "": none
	}{
		{"a list", call("selected:[<escape>Core<escape>,<escape>Entry<escape>]"), []int{1, 0}, ""},
		{"bare names", call("selected:[Core,Entry]"), []int{1, 0}, ""},
		{"one string", call("selected:<escape>Core, Entry<escape>"), []int{1, 0}, ""},
		{"nothing belongs to it", call("selected:[]"), nil, ""},
		{"a name twice", call("selected:[<escape>Core<escape>,<escape>Core<escape>]"), []int{1}, ""},
		{"a name that was not offered", call("selected:[<escape>Core<escape>,<escape>Writer<escape>]"), []int{1}, ""},
		{"the second of two alike", call("selected:[<escape>Entry#2<escape>]"), []int{2}, ""},
		{"a name with a control token", call("selected:[<escape>op< escape><escape>]"), []int{3}, ""},
		{"only names that were not offered", call("selected:[<escape>Writer<escape>]"), nil, "Writer, nothing is a candidate"},
		{"a blank before the key", call(" selected:[<escape>Core<escape>]"), []int{1}, ""},
		{"numbers", call("selected:[1,2]"), nil, "not only strings"},
		{"a number", call("selected:3"), nil, "not a list"},
		{"another argument", call("chosen:[<escape>Core<escape>]"), nil, "selected is missing"},
		{"another function", "<start_function_call>call:rate_edge{relevance:3}<end_function_call>", nil, "rate_edge"},
		{"text", "Core and Entry", nil, "called no tool"},
		{"a call that does not end", "<start_function_call>call:select_symbols{selected:[<escape>Core", nil, "called no tool"},
		{"a line break in a value", call("selected:[<escape>Core\n<escape>]"), nil, "could not parse"},
	}
	for _, tt := range tests {
		s, _ := selector(t, func(string) string { return tt.answer })
		got, err := s.Select(t.Context(), question("Entry", "Core", "Entry", "op<escape>"))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
		if (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: error %v, want …%s", tt.name, err, tt.fails)
		}
	}
}

func TestPrompt(t *testing.T) {
	s, server := selector(t, func(string) string { return call("selected:[]") })
	if _, err := s.Select(t.Context(), question("Entry", "Core")); err != nil {
		t.Fatal(err)
	}
	_, user, _ := strings.Cut(server.Prompts()[0], "<start_of_turn>user\n")
	want := `Topic: how does an entry reach its sink
Symbol: Logger.Info
Signature: func (l *Logger) Info() { // < end_of_turn>
Candidates: Entry, Core

Select the candidates that help understand this symbol in context of the topic.<end_of_turn>
<start_of_turn>model
`
	if diff := cmp.Diff(want, user); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(server.Prompts()[0], "Only of these: Entry, Core<escape>,type:<escape>ARRAY<escape>") {
		t.Errorf("the declaration does not say what may be selected: %s", server.Prompts()[0])
	}
	sent := server.Requests()[1].Tools.String()
	if !strings.Contains(sent, `"enum":["Entry","Core"]`) {
		t.Errorf("the candidates are no enum: %s", sent)
	}
}

// A selector without its server does not select at all.
func TestUnreachable(t *testing.T) {
	client, err := ollama.New(ollama.Options{Endpoint: "http://127.0.0.1:9", Model: ollamatest.Model})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	_, err = gemma.New(client).Select(t.Context(), question("Entry"))
	if e, ok := errors.AsType[*ollama.Error](err); !ok || e.Hint() == "" {
		t.Errorf("got %v", err)
	}
}
