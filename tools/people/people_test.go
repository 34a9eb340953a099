package people

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/session"
	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
)

func TestPeopleAnswer(t *testing.T) {
	long := strings.Repeat("long ", 50) + "text"
	for name, test := range map[string]struct {
		reply           func(protocol.Question) *protocol.QuestionReply
		tool, arguments string
		want, text      string
	}{
		"yes":          {toolstest.Saying("yes", ""), "confirm_action", `{"action":"Deploy","details":"v2"}`, `{"confirmed":true,"answered_by":"user","channel":"ui"}`, "The user confirmed"},
		"no":           {toolstest.Saying("no", ""), "confirm_action", `{"action":"Deploy"}`, `{"confirmed":false,"answered_by":"user","channel":"ui"}`, "said no"},
		"option":       {toolstest.Saying("b", ""), "select_option", `{"prompt":"Which?","options":[["a","A"],["b","B"]]}`, `{"selected":"b","custom":null,"answered_by":"user","channel":"ui"}`, "chose b"},
		"text":         {toolstest.Saying("B", ""), "select_option", `{"prompt":"Which?","options":["A","B"]}`, `{"selected":"B","custom":null,"answered_by":"user","channel":"ui"}`, "chose B"},
		"long text":    {toolstest.Saying("2", ""), "select_option", `{"prompt":"Which?","options":[["a","A"],"` + long + `"]}`, `{"selected":"` + long + `","custom":null,"answered_by":"user","channel":"ui"}`, "chose " + long},
		"one text":     {toolstest.Saying("A", ""), "select_option", `{"question":"Which?","options":"A"}`, `{"selected":"A","custom":null,"answered_by":"user","channel":"ui"}`, "chose A"},
		"own words":    {toolstest.Saying("", "neither"), "select_option", `{"prompt":"Which?","options":[["a","A"]]}`, `{"selected":"custom","custom":"neither","answered_by":"user","channel":"ui"}`, "neither"},
		"both":         {toolstest.Saying("a", "but soon"), "select_option", `{"prompt":"Which?","options":[["a","A"]]}`, `{"selected":"a","custom":"but soon","answered_by":"user","channel":"ui"}`, "chose a and wrote (ui):\nbut soon"},
		"guidance":     {toolstest.Saying("", "try it"), "request_guidance", `{"context":"Stuck."}`, `{"guidance":"try it","answered_by":"user","channel":"ui"}`, "try it"},
		"a suggestion": {toolstest.Saying("2", ""), "request_guidance", `{"context":"Stuck.","suggestions":["stop","go on"]}`, `{"guidance":"go on","answered_by":"user","channel":"ui"}`, "go on"},
	} {
		t.Run(name, func(t *testing.T) {
			r := tools.NewRegistry()
			if err := r.Discover(&Toolset{Asker: toolstest.NewFakeUser(t, test.reply)}); err != nil {
				t.Fatal(err)
			}
			got, err := r.Call(t.Context(), tools.Call{Tool: test.tool}, json.RawMessage(test.arguments))
			if err != nil || string(got.JSON) != test.want || !strings.Contains(got.Text, test.text) {
				t.Errorf("%s\n%s\n%v", got.JSON, got.Text, err)
			}
		})
	}
}

// TestNobodyIsNotANo lets questions run out, with and without somebody who can have seen them.
func TestNobodyIsNotANo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, seen := range []bool{false, true} {
			d := toolstest.NewFakeUser(t, nil)
			d.Reply = func(q protocol.Question) *protocol.QuestionReply {
				if seen {
					d.MarkSeen(q.ID, "ui")
				}
				return nil
			}
			want := `"answered_by":"none"`
			if seen {
				want = `"answered_by":"timeout"`
			}
			var told []tools.Progress
			call := tools.Call{Progress: func(p tools.Progress) { told = append(told, p) }}
			begin := time.Now()
			_, err := (&Toolset{Asker: d, Timeout: time.Minute}).ConfirmAction(t.Context(), call, ConfirmActionInput{Action: "Deploy"})
			var wire *protocol.Error
			if !errors.As(err, &wire) || !strings.Contains(string(wire.Data), want) || !strings.Contains(string(wire.Data), `"confirmed":null`) ||
				!strings.Contains(wire.Message, "neither a yes nor a no") {
				t.Errorf("%v", err)
			}
			if time.Since(begin) != time.Minute || len(told) < 4 || !strings.Contains(told[0].Message, "agent answer 1") {
				t.Errorf("after %v: %+v", time.Since(begin), told)
			}
		}
	})
}

// TestQuestionEndsBeforeItsCall leaves time to say that nobody answered.
func TestQuestionEndsBeforeItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		d := toolstest.NewFakeUser(t, toolstest.Saying("", ""))
		d.Reply = func(protocol.Question) *protocol.QuestionReply { return nil }
		begin := time.Now()
		_, err := (&Toolset{Asker: d}).RequestGuidance(ctx, tools.Call{}, RequestGuidanceInput{Context: "?"})
		var wire *protocol.Error
		if !errors.As(err, &wire) || time.Since(begin) != 8*time.Second {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
	})
}

func TestQuestionsSayWhoAsks(t *testing.T) {
	d := toolstest.NewFakeUser(t, toolstest.Saying("yes", ""))
	shown := ""
	call := tools.Call{
		Tool: "confirm_action", Client: "claude-code", Show: func(q protocol.Question) { shown = q.ID },
		Caller: session.Conversation{ID: session.ID{Session: "s", Agent: "a"}, Dir: "/p", Transcript: "/t"},
	}
	from := protocol.QuestionOrigin{Tool: "confirm_action", Client: "claude-code", Session: "s", Dir: "/p"}
	if _, err := (&Toolset{Asker: d}).ConfirmAction(t.Context(), call, ConfirmActionInput{Action: "Clear\x1b[2J"}); err != nil {
		t.Fatal(err)
	}
	if d.Asked.From != from || shown != d.Asked.ID || d.Asked.Text != "Clear␛[2J" {
		t.Errorf("%+v, shown %s", d.Asked, shown)
	}
}

func TestOptionsAreRefused(t *testing.T) {
	r := tools.NewRegistry()
	if err := r.Discover(&Toolset{Asker: toolstest.NewFakeUser(t, toolstest.Saying("a", ""))}); err != nil {
		t.Fatal(err)
	}
	const form = `expected a string or a pair ["id", "label"]`
	const unprintable = "its id has more than 100 bytes, or characters that cannot be printed"
	for options, want := range map[string]string{
		`[["a"]]`:               "options[0]: " + form,
		`["a",["b","B","c"]]`:   "options[1]: " + form,
		`[{"label":"a"}]`:       "options[0]: " + form,
		`["a",1]`:               "options[1]: " + form,
		`"a, b"`:                "options: expected an array: a text with commas may be one item or several",
		`[]`:                    "options: must have at least 1 items, has 0",
		`["a"," "]`:             "options[1]: it shows nothing",
		`[["a",""]]`:            "options[0]: " + form,
		`[["","A"]]`:            "options[0]: " + form,
		`[["a"," "]]`:           "options[0]: it shows nothing",
		`[["a","A"],["a","B"]]`: `options[1]: another one returns "a", too`,
		`["a","b","a "]`:        `options[2]: another one returns "a", too`,
		`[["a\u001b[2J","A"]]`:  "options[0]: " + unprintable,
		`[["a\nb","A"]]`:        "options[0]: " + unprintable,
		`[["` + strings.Repeat("a", maxOptionID+1) + `","A"]]`: "options[0]: " + unprintable,
	} {
		_, err := r.Call(t.Context(), tools.Call{Tool: "select_option"}, json.RawMessage(`{"prompt":"?","options":`+options+`}`))
		wrong, ok := errors.AsType[*tools.ArgumentError](err)
		if !ok || wrong.Error() != want || !strings.Contains(wrong.Hint(), `pair ["id", "label"]`) {
			t.Errorf("%s: %v (%v), want %s", options, err, wrong, want)
		}
	}
}
