package redact

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/scrub"
	"tidepool/protocol"
)

const planted = "SECRETVALUE123"

// A plant is a scrubber that knows one value, and one form that only Text replaces.
type plant struct{}

func (plant) Text(text string) (string, []scrub.Finding) {
	clean, found := plant{}.Known(text)
	return strings.ReplaceAll(clean, "ghp_form", "[SECRET_2]"), append(found, places(text, "ghp_form")...)
}

func (plant) Known(text string) (string, []scrub.Finding) {
	return strings.ReplaceAll(text, planted, "[SECRET_1]"), places(text, planted)
}

func places(text, value string) (found []scrub.Finding) {
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return found
		}
		found = append(found, scrub.Finding{Rule: "known", Start: at + i, End: at + i + len(value)})
		at += i + len(value)
	}
}

func newContributor(m Mode) *Contributor {
	return New(Options{Of: func(string) (Scrubber, error) { return plant{}, nil }, Mode: m})
}

func event(t testing.TB, input []byte) *hook.Event {
	t.Helper()
	in, err := protocol.DecodeHookInput(input)
	if err != nil {
		t.Fatal(err)
	}
	return &hook.Event{HookInput: in}
}

// post returns the event after a tool.
func post(t testing.TB, tool, response string) *hook.Event {
	t.Helper()
	return event(t, []byte(`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"`+tool+`","tool_response":`+response+`}`))
}

// replaced returns what a hook returns in the place of a response; "" is nothing.
func replaced(a hook.Answer) string {
	if out, is := a.Output.(*protocol.PostToolUseOutput); is {
		return string(out.UpdatedToolOutput)
	}
	return ""
}

// Each recorded response is replaced by itself, but for the planted value: what differs in shape Claude Code ignores.
func TestRecordedExchanges(t *testing.T) {
	files, err := filepath.Glob("testdata/exchanges/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	seen := map[string]int{}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var exchange struct {
				Tool  string          `json:"tool"`
				Input json.RawMessage `json:"hook_input"`
			}
			if err := json.Unmarshal(lines.Bytes(), &exchange); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			e := event(t, exchange.Input)
			if e.Event != protocol.PostToolUse {
				continue
			}
			seen[exchange.Tool]++
			want := ""
			if bytes.Contains(e.ToolResponse, []byte(planted)) {
				want = strings.ReplaceAll(string(e.ToolResponse), planted, "[SECRET_1]")
			}
			got := replaced(newContributor(Known).Hook(t.Context(), e))
			if got != want {
				t.Errorf("%s: %s: got %.300q, want %.300q", path, exchange.Tool, got, want)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range []string{"Bash", "Read", "Grep", "Glob", "Edit"} {
		if seen[tool] == 0 {
			t.Errorf("no exchange of %s", tool)
		}
	}
}

func TestModes(t *testing.T) {
	const both = `{"stdout":"SECRETVALUE123 ghp_form","stderr":""}`
	file := `{"type":"text","file":{"filePath":"/p","content":"ghp_form\nSECRETVALUE123\n","numLines":3,"startLine":7,"totalLines":9}}`
	for _, test := range []struct {
		mode           Mode
		tool, in, want string
	}{
		{Known, "Bash", both, `{"stdout":"[SECRET_1] ghp_form","stderr":""}`},
		{All, "Bash", both, `{"stdout":"[SECRET_1] [SECRET_2]","stderr":""}`},
		{Off, "Bash", both, ""},
		{All, "Read", file, strings.ReplaceAll(file, planted, "[SECRET_1]")}, // a form stays: an edit must quote the file
		{All, "mcp__x__y", `[{"type":"text","text":"ghp_form"}]`, `[{"type":"text","text":"[SECRET_2]"}]`},
		{Known, "mcp__x__y", `"{\"a\":\"SECRETVALUE123\",\"n\":7}"`, `"{\"a\":\"[SECRET_1]\",\"n\":7}"`},
	} {
		if got := replaced(newContributor(test.mode).Hook(t.Context(), post(t, test.tool, test.in))); got != test.want {
			t.Errorf("%v, %s: got %s, want %s", test.mode, test.tool, got, test.want)
		}
	}
}

// The lines that a note names are those of the file.
func TestNoteOfARead(t *testing.T) {
	in := `{"type":"text","file":{"filePath":"/SECRETVALUE123","content":"a\nSECRETVALUE123 SECRETVALUE123\n\nx SECRETVALUE123","numLines":4,"startLine":40,"totalLines":90}}`
	a := newContributor(Known).Hook(t.Context(), post(t, "Read", in))
	if !strings.Contains(a.Context, "4 secrets in this text, on line 41, 43.") {
		t.Errorf("note %q", a.Context)
	}
	if a := newContributor(Known).Hook(t.Context(), post(t, "Bash", `{"stdout":"SECRETVALUE123","stderr":""}`)); a.Context != "" {
		t.Errorf("note %q", a.Context)
	}
	many := `{"type":"text","file":{"content":"` + strings.Repeat(planted+`\n`, 500) + `"}}`
	if note := newContributor(Known).Hook(t.Context(), post(t, "Read", many)).Context; !strings.Contains(note, "9, 10, and 490 more.") {
		t.Errorf("note %q", note)
	}
}

// What is not known passes, and is counted if it may have held something.
func TestUnknownPasses(t *testing.T) {
	c := newContributor(All)
	for _, e := range []*hook.Event{
		post(t, "Bash", `"SECRETVALUE123"`),
		post(t, "Bash", `{"output":"SECRETVALUE123"}`),
		post(t, "Read", `{"type":"pdf","file":{"base64":"SECRETVALUE123"}}`),
		post(t, "Read", `{"type":"text","file":"SECRETVALUE123"}`),
		post(t, "Grep", `{"content":"SECRETVALUE123"}`),
		post(t, "Glob", `["SECRETVALUE123"]`),
		post(t, "Edit", `{"filePath":"SECRETVALUE123"}`),
		post(t, "WebFetch", `{"result":"SECRETVALUE123"}`),
		post(t, "mcp", `null`),
		event(t, []byte(`{"hook_event_name":"PostToolUse","tool_name":"Bash"}`)),
		post(t, "Write", `{"content":"SECRETVALUE123"}`), // the model has written it itself
	} {
		if a := c.Hook(t.Context(), e); a != (hook.Answer{}) {
			t.Errorf("%s: %+v", e.ToolResponse, a)
		}
	}
	if got, want := c.Counts(), (Counts{Unknown: 8}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A stuck is a scrubber whose search does not end before its channel is closed.
type stuck chan struct{}

func (s stuck) Text(text string) (string, []scrub.Finding)  { <-s; return text, nil }
func (s stuck) Known(text string) (string, []scrub.Finding) { <-s; return text, nil }

// A broken is a scrubber with a fault.
type broken struct{}

func (broken) Text(text string) (string, []scrub.Finding)  { panic(text) }
func (broken) Known(text string) (string, []scrub.Finding) { panic(text) }

// A refusing is a scrubber that searches nothing.
type refusing struct{}

func (refusing) Text(text string) (string, []scrub.Finding) { return refusing{}.Known(text) }
func (refusing) Known(text string) (string, []scrub.Finding) {
	return "[withheld]", []scrub.Finding{{Rule: scrub.Withheld, End: len(text)}}
}

// However a search fails, nothing of the response is shown, and its shape stays.
func TestFailsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := make(stuck)
		for name, of := range map[string]func(string) (Scrubber, error){
			"late":     func(string) (Scrubber, error) { return hangs, nil },
			"fault":    func(string) (Scrubber, error) { return broken{}, nil },
			"refusal":  func(string) (Scrubber, error) { return refusing{}, nil },
			"scrubber": func(string) (Scrubber, error) { return nil, errors.New("no key") },
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			c := New(Options{Of: of, Mode: All})
			in := `{"type":"text","file":{"filePath":"/SECRETVALUE123","content":"SECRETVALUE123","numLines":1,"startLine":1,"totalLines":1}}`
			start := time.Now()
			a := c.Hook(ctx, post(t, "Read", in))
			if took := time.Since(start); took > 4*time.Second {
				t.Errorf("%s: took %v", name, took)
			}
			checkWithheld(t, name, in, replaced(a))
			if n := c.Counts(); n != (Counts{Replaced: 1, Withheld: 1}) {
				t.Errorf("%s: %+v", name, n)
			}
		}
		close(hangs)
	})
}

func checkWithheld(t *testing.T, name, in, got string) {
	t.Helper()
	if name != "refusal" && !strings.Contains(got, `"type":"text"`) {
		t.Errorf("%s: %s has lost its type", name, got)
	}
	if strings.Contains(got, planted) || !strings.Contains(got, "withheld") || strings.Contains(name, "refusal") != strings.Contains(got, `"[withheld]"`) {
		t.Errorf("%s: %s", name, got)
	}
	var was, is map[string]any
	if json.Unmarshal([]byte(in), &was) != nil || json.Unmarshal([]byte(got), &is) != nil || !reflect.DeepEqual(keysOf(was), keysOf(is)) {
		t.Errorf("%s: %s is not shaped as %s", name, got, in)
	}
}

// keysOf returns an object with all its texts emptied.
func keysOf(value any) any {
	switch v := value.(type) {
	case string:
		return ""
	case map[string]any:
		for k := range v {
			v[k] = keysOf(v[k])
		}
	case []any:
		for i := range v {
			v[i] = keysOf(v[i])
		}
	}
	return value
}

// A session with too many searches that do not end gets no further one, and Close waits for those that there are.
func TestSearchesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := make(stuck)
		c := New(Options{Of: func(string) (Scrubber, error) { return hangs, nil }})
		e := post(t, "Bash", `{"stdout":"SECRETVALUE123","stderr":""}`)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range maxSearches {
			go c.Hook(ctx, e)
		}
		synctest.Wait()
		if got := replaced(c.Hook(ctx, e)); !strings.Contains(got, "too many searches") {
			t.Errorf("got %s", got)
		}
		closed := make(chan struct{})
		go func() { defer close(closed); c.Close(t.Context()) }()
		time.Sleep(time.Minute)
		select {
		case <-closed:
			t.Error("Close has not waited")
		default:
		}
		close(hangs)
		<-closed
	})
}

// A failing command cannot be replaced. What it shows is counted.
func TestFailureIsCounted(t *testing.T) {
	c := newContributor(Known)
	for _, text := range []string{"Exit code 3\\nSECRETVALUE123", "Exit code 3"} {
		e := event(t, []byte(`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","error":"`+text+`"}`))
		if a := c.Hook(t.Context(), e); a != (hook.Answer{}) {
			t.Errorf("%+v", a)
		}
	}
	if got := c.Counts(); got != (Counts{Shown: 1}) {
		t.Errorf("%+v", got)
	}
}

// A token is refused where it would be written or run, in a session that has read one.
func TestTokensAreRefused(t *testing.T) {
	c := newContributor(Known)
	call := func(session, tool, input string) hook.Answer {
		return c.Hook(t.Context(), event(t, []byte(`{"session_id":"`+session+`","hook_event_name":"PreToolUse","tool_name":"`+tool+`","tool_input":`+input+`}`)))
	}
	token := `{"command":"curl -u me:[SECRET_1] x"}`
	if a := call("s", "Bash", token); a.Output != nil {
		t.Errorf("refused in a session that has read none: %+v", a)
	}
	c.Hook(t.Context(), post(t, "Bash", `{"stdout":"SECRETVALUE123","stderr":""}`))
	for _, tool := range []string{"Bash", "Write", "Edit", "MultiEdit", "NotebookEdit"} {
		out, is := call("s", tool, token).Output.(*protocol.PreToolUseOutput)
		if !is || out.Decision != protocol.Deny || !strings.Contains(out.Reason, "variable or the file") {
			t.Errorf("%s: %+v", tool, out)
		}
	}
	for _, passes := range []hook.Answer{
		call("s", "Grep", token), call("other", "Bash", token), call("s", "Bash", `{"command":"echo [SECRET_x]"}`), call("s", "Bash", `{}`),
	} {
		if passes.Output != nil {
			t.Errorf("refused: %+v", passes)
		}
	}
	if got := c.Counts(); got.Refused != 5 {
		t.Errorf("%+v", got)
	}
}
