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
	for name, test := range map[string]struct {
		reply           func(protocol.Question) *protocol.QuestionReply
		tool, arguments string
		want, text      string
	}{
		"yes":          {toolstest.Saying("yes", ""), "confirm_action", `{"action":"Deploy","details":"v2"}`, `{"confirmed":true,"answered_by":"user","channel":"ui"}`, "The user confirmed"},
		"no":           {toolstest.Saying("no", ""), "confirm_action", `{"action":"Deploy"}`, `{"confirmed":false,"answered_by":"user","channel":"ui"}`, "said no"},
		"option":       {toolstest.Saying("b", ""), "select_option", `{"prompt":"Which?","options":[["a","A"],["b","B"]]}`, `{"selected":"b","custom":null,"answered_by":"user","channel":"ui"}`, "chose b"},
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

func TestOptionsNeedIDs(t *testing.T) {
	p := &Toolset{Asker: toolstest.NewFakeUser(t, toolstest.Saying("a", ""))}
	for _, options := range [][][2]string{{{"", "A"}}, {{"a", ""}}, {{"a", "A"}, {"a", "B"}},
		{{"a\x1b[2J", "A"}}, {{"a\nb", "A"}}, {{strings.Repeat("a", maxOptionID+1), "A"}},
	} {
		var wrong *tools.ArgumentError
		if _, err := p.SelectOption(t.Context(), tools.Call{}, SelectOptionInput{Prompt: "?", Options: options}); !errors.As(err, &wrong) {
			t.Errorf("%v: %v", options, err)
		}
	}
}
