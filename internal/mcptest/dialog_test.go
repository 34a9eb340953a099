package mcptest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"tidepool/protocol"
)

// TestRecordedDialogs plays what Claude Code 2.1.328 said, interactively, to this server when its user closed a dialog by
// Esc, by Enter, or not at all because the Elicitation hook or a cancelled request took its place; with the answers that
// came from elsewhere in between.
func TestRecordedDialogs(t *testing.T) {
	for _, file := range []string{"dialog-modern.jsonl", "dialog-legacy.jsonl"} {
		t.Run(file, func(t *testing.T) { playDialogs(t, newPanel(t, time.Minute), file) })
	}
}

func playDialogs(t *testing.T, p *panel, file string) {
	stdin, err := p.agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := p.agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.agent.Start(); err != nil {
		t.Fatal(err)
	}
	defer p.agent.Wait()
	defer stdin.Close()
	lines := protocol.NewReader(stdout)
	for _, s := range recording(t, "testdata/mcp/"+file) {
		switch s.Way {
		case "in":
			if _, err := stdin.Write(append(s.Msg, '\n')); err != nil {
				t.Fatal(err)
			}
		case "out":
			checkRecorded(t, s.Msg, lines)
		case "answer":
			p.answer(t, s.Msg)
		}
	}
}

// answer answers the question that is open: in agent ui while the Elicitation hook holds it, elsewhere once its dialog is
// closed.
func (p *panel) answer(t *testing.T, raw json.RawMessage) {
	t.Helper()
	var r protocol.AnswerRequest
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	list, changed := p.board.List()
	if r.Channel == "ui" {
		p.board.SetHome(list[0].ID, "")
	} else if list[0].Home != "" {
		select {
		case <-changed:
		case <-time.After(time.Minute):
		}
	}
	if _, err := p.board.Answer(list[0].ID, r.QuestionReply, r.Channel); err != nil {
		t.Error(err)
	}
}

// checkRecorded compares the next line but progress; null in the recording is any.
func checkRecorded(t *testing.T, want json.RawMessage, lines *protocol.Reader) {
	t.Helper()
	for {
		line, err := lines.ReadLine()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(line, []byte(`"method":"notifications/progress"`)) {
			continue
		}
		wanted := strings.ReplaceAll(string(want), `"0.0.0"`, `"`+agentVersion+`"`)
		if wanted != "null" && !reflect.DeepEqual(decoded(t, wanted), decoded(t, string(line))) {
			t.Errorf("the agent says\n%s, and in the recording\n%s", line, wanted)
		}
		return
	}
}

func decoded(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
