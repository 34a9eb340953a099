package dialog

import (
	"encoding/json"
	"testing"
	"time"

	"tidepool/protocol"
)

func TestParamsFor(t *testing.T) {
	options := []protocol.QuestionOption{{ID: "a", Label: "Here"}, {ID: "b", Label: "There"}}
	for want, q := range map[string]protocol.Question{
		`{"type":"object","properties":{}}`: {Kind: protocol.ConfirmQuestion},
		`{"type":"object","properties":{"answer":{"type":"string","title":"Answer","enum":["a","b"],"enumNames":["Here","There"]}},"required":["answer"]}`: {Options: options},
		`{"type":"object","properties":{"answer":{"type":"string","title":"Answer","enum":["a","b"],"enumNames":["Here","There"]},` +
			`"other":{"type":"string","title":"In your own words"}}}`: {Options: options, Free: true},
	} {
		if got, _ := json.Marshal(ParamsFor(q).Schema); string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestAnswer(t *testing.T) {
	confirm, choose := protocol.Question{ID: "1", Kind: protocol.ConfirmQuestion}, protocol.Question{ID: "1"}
	const read = time.Second
	for _, test := range []struct {
		question protocol.Question
		result   string
		shown    time.Duration
		want     string
	}{
		{confirm, `{"action":"accept"}`, 0, "yes"},
		{confirm, `{"action":"accept","content":{"answer":"no"}}`, read, "no"},
		{confirm, `{"action":"decline"}`, read, "no"},
		{confirm, `{"action":"decline"}`, 0, "nothing"},
		{confirm, `{"action":"cancel"}`, read, ""},
		{confirm, `no JSON`, read, ""},
		{confirm, ``, 0, "nothing"},
		{choose, `{"action":"accept","content":{"answer":"b","other":"words"}}`, 0, "b words"},
		{choose, `{"action":"decline"}`, read, ""},
	} {
		got := "nothing"
		if answer := Answer(test.question, json.RawMessage(test.result), test.shown); answer != nil {
			got = answer.Choice
			if answer.Text != "" {
				got += " " + answer.Text
			}
		}
		if got != test.want {
			t.Errorf("%s after %v: %q, want %q", test.result, test.shown, got, test.want)
		}
	}
}

func TestCanShow(t *testing.T) {
	for capabilities, want := range map[string]bool{
		`{"elicitation":{}}`: true, `{"elicitation":{"form":{}}}`: true, `{"elicitation":{"url":{}}}`: false, `{}`: false, ``: false,
	} {
		if CanShow(json.RawMessage(capabilities)) != want {
			t.Errorf("%s: want %v", capabilities, want)
		}
	}
}
