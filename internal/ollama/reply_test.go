package ollama_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
)

// ask sends one prompt to a server that loads the model and then answers so.
func ask(t *testing.T, status int, body string) (ollama.Arguments, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sent, _ := io.ReadAll(r.Body); strings.Contains(string(sent), `"messages":null`) {
			io.WriteString(w, `{"model":"m","done":true,"done_reason":"load"}`)
			return
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	defer server.Close()
	return client(t, ollama.Options{Endpoint: server.URL}).Call(t.Context(), prompt("?"))
}

func TestStatuses(t *testing.T) {
	for _, tt := range []struct {
		status  int
		body    string
		want    ollama.Kind
		lasting bool
		hint    string // part of it
	}{
		{404, `{"error":"model 'functiongemma:270m' not found"}`, ollama.ModelMissing, true, "ollama pull functiongemma:270m"},
		{404, "404 page not found", ollama.NotOllama, true, "without a path"},
		{405, "405 method not allowed", ollama.NotOllama, true, ""},
		{302, "", ollama.NotOllama, true, ""},
		{403, "", ollama.Forbidden, true, "loopback"},
		{401, `{"error":"unauthorized"}`, ollama.Refused, true, ""},
		{400, `{"error":"model is required"}`, ollama.Refused, true, ""},
		{400, `{"error":"registry.ollama.ai/library/x:latest does not support tools"}`, ollama.Refused, true, "call tools"},
		{400, `{"error":"\"x\" does not support chat"}`, ollama.Refused, true, ""},
		{400, `{"error":"\"x\" does not support thinking"}`, ollama.Refused, true, ""},
		{400, `{"error":"missing request body"}`, ollama.Refused, true, ""},
		{501, `{"error":"this model does not support embeddings"}`, ollama.Refused, true, ""},
		{500, `{"error":"option \"num_ctx\" must be of type integer"}`, ollama.Refused, true, ""},
		{500, `{"error":"invalid JSON schema in format"}`, ollama.Refused, true, ""},
		{400, `{"error":"the input length exceeds the context length"}`, ollama.TooLong, false, "shorten"},
		{503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, ollama.Busy, false, "OLLAMA_MAX_QUEUE"},
		{500, `{"error":"an error was encountered while running the model: unexpected EOF"}`, ollama.RunnerDied, false, "ask again"},
		{500, `{"error":"model failed to load, this may be due to resource limitations or an internal error, check ollama server logs for details"}`, ollama.LoadFailed, true, "log"},
		{500, `{"error":"unable to load model: /path/to/blob"}`, ollama.LoadFailed, true, ""},
		{500, `{"error":"invalid image index: 7"}`, ollama.ServerFault, false, ""},
		{500, "", ollama.ServerFault, false, ""},
		{502, "<html>bad gateway</html>", ollama.ServerFault, false, ""},
	} {
		_, err := ask(t, tt.status, tt.body)
		var e *ollama.Error
		if !errors.As(err, &e) {
			t.Errorf("%d %s: %v, want an *Error", tt.status, tt.body, err)
			continue
		}
		if e.Kind != tt.want || e.Status != tt.status || e.Lasting() != tt.lasting || !strings.Contains(e.Hint(), tt.hint) {
			t.Errorf("%d %s: %+v, hint %q; want %q, lasting %t, hint with %q", tt.status, tt.body, e, e.Hint(), tt.want, tt.lasting, tt.hint)
		}
	}
}

func TestEveryServerErrorSaysWhatToDo(t *testing.T) {
	for _, kind := range []ollama.Kind{
		ollama.Unreachable, ollama.NotOllama, ollama.Forbidden, ollama.ModelMissing, ollama.Refused, ollama.LoadFailed,
		ollama.Busy, ollama.TooLong, ollama.RunnerDied, ollama.ServerFault, ollama.TimedOut,
	} {
		if (&ollama.Error{Kind: kind, Model: "m"}).Hint() == "" {
			t.Errorf("%q has no hint", kind)
		}
	}
	e := &ollama.Error{Kind: ollama.Busy, Status: 503, Detail: "maximum pending requests", Endpoint: "http://h", Model: "m"}
	if got, want := e.Error(), "cannot ask m at http://h: the server is busy: maximum pending requests (status 503)"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

func TestReplies(t *testing.T) {
	call := func(calls string) string {
		return `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[` + calls + `]},"done":true,"done_reason":"stop"}`
	}
	for _, tt := range []struct {
		name, body string
		want       ollama.Kind // "": accepted
	}{
		{"a call", call(`{"function":{"name":"rate","arguments":{"risk":4}}}`), ""},
		{"blanks and quotes around names", call(`{"function":{"name":"rate ","arguments":{" \"risk\"":4}}}`), ""},
		{"several calls: the first counts", call(`{"function":{"name":"rate","arguments":{"risk":4}}},{"function":{"name":"x","arguments":{}}}`), ""},
		{"empty body", "", ollama.EmptyReply},
		{"blank body", " \n", ollama.EmptyReply},
		{"no JSON", "<html>hello</html>", ollama.Malformed},
		{"JSON of another shape", `{"model":7}`, ollama.Malformed},
		{"arguments as a string", call(`{"function":{"name":"rate","arguments":"{\"risk\":4}"}}`), ollama.Malformed},
		{"an array", `[]`, ollama.Malformed},
		{"two replies", `{"done":true}` + "\n" + `{"done":true}`, ollama.Malformed},
		{"too large", `{"model":"` + strings.Repeat("x", 1<<20) + `"}`, ollama.Malformed},
		{"an error in a stream", `{"message":{"content":"a"}}` + "\n" + `{"error":"an error was encountered while running the model: EOF"}`, ollama.RunnerDied},
		{"an error with status 200", `{"error":"out of memory"}`, ollama.ServerFault},
		{"the zero object", `{"model":"","created_at":"0001-01-01T00:00:00Z","message":{"role":"","content":""},"done":false}`, ollama.Unfinished},
		{"not done, with text", `{"model":"m","message":{"role":"assistant","content":"la la la"},"done":false}`, ollama.Unfinished},
		{"no reason", `{"model":"m","message":{"role":"assistant"},"done":true}`, ollama.Unfinished},
		{"num_predict reached", `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"length"}`, ollama.CutOff},
		{"plain text", `{"model":"m","message":{"role":"assistant","content":"four"},"done":true,"done_reason":"stop"}`, ollama.NoCall},
		{"nothing", `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`, ollama.NoCall},
		{"a call that was not parsed", call(`{"function":{"name":"","arguments":{}}}`), ollama.WrongCall},
		{"another tool", call(`{"function":{"name":"grade","arguments":{"risk":4}}}`), ollama.WrongCall},
		{"an argument missing", call(`{"function":{"name":"rate","arguments":{"why":"x"}}}`), ollama.BadArgument},
		{"arguments null", call(`{"function":{"name":"rate","arguments":null}}`), ollama.BadArgument},
		{"prompt cut to the context", `{"model":"m","message":{"role":"assistant"},"done":true,"done_reason":"stop","prompt_eval_count":4096}`, ollama.TooLong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			arguments, err := ask(t, http.StatusOK, tt.body)
			if got := kindOf(err); got != tt.want || tt.want == "" && err != nil {
				t.Fatalf("%v, want kind %q", err, tt.want)
			}
			if tt.want != "" {
				return
			}
			if risk, err := arguments.Int("risk", 1, 5); risk != 4 || err != nil {
				t.Errorf("risk = %d, %v; want 4", risk, err)
			}
		})
	}
}

// What a model writes, through Ollama's own parser.
func TestWhatTheModelWrites(t *testing.T) {
	written := func(arguments string) string {
		return "<start_function_call>call:rate{" + arguments + "}<end_function_call>"
	}
	for _, tt := range []struct {
		name, text string
		risk       int         // 0: want
		want       ollama.Kind // of the call's error, or of reading the risk
	}{
		{"a number", written("risk:4"), 4, ""},
		{"a float, a sign, a zero, an exponent", written("risk:+3.0"), 3, ""},
		{"a string", written("risk:<escape>2<escape>"), 2, ""},
		{"JSON quotes", written(`"risk":"5"`), 5, ""},
		{"blanks", written("why:<escape>a, {b}<escape>, risk: 3"), 3, ""},
		{"a blank after the name", "<start_function_call>call:rate {risk:1}<end_function_call>", 1, ""},
		{"a key twice", written("risk:1,risk:2"), 2, ""},
		{"text around", "Sure! " + written("risk:4") + " Done.", 4, ""},
		{"a number with a unit reads as the number", written("risk:3 apples"), 3, ""},
		{"a fraction reads as its numerator", written("risk:4/5"), 4, ""},
		{"a date", written("risk:2024-01-01"), 0, ollama.BadArgument},
		{"a percentage", written("risk:50%"), 0, ollama.BadArgument},
		{"between two numbers", written("risk:3.5"), 0, ollama.BadArgument},
		{"zero", written("risk:0"), 0, ollama.BadArgument},
		{"negative", written("risk:-2"), 0, ollama.BadArgument},
		{"a thousand", written("risk:1e3"), 0, ollama.BadArgument},
		{"a word", written("risk:high"), 0, ollama.BadArgument},
		{"a boolean", written("risk:true"), 0, ollama.BadArgument},
		{"null", written("risk:null"), 0, ollama.BadArgument},
		{"empty", written("risk:"), 0, ollama.BadArgument},
		{"an empty array is null", written("risk:[]"), 0, ollama.BadArgument},
		{"an object", written("risk:{a:1}"), 0, ollama.BadArgument},
		{"unclosed string swallows the rest", written("why:<escape>abc,risk:4"), 0, ollama.BadArgument},
		{"not a number", written("risk:nano"), 0, ollama.EmptyReply},
		{"infinity", written("risk:information"), 0, ollama.EmptyReply},
		{"a line break in a value", written("risk:4,why:<escape>a\nb<escape>"), 0, ollama.WrongCall},
		{"no end", "<start_function_call>call:rate{risk:4}", 0, ollama.NoCall},
		{"no beginning", "call:rate{risk:4}", 0, ollama.NoCall},
		{"text", "I rate it four.", 0, ollama.NoCall},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := ollamatest.New(t, func(string) string { return tt.text })
			arguments, err := client(t, ollama.Options{Endpoint: server.URL}).Call(t.Context(), prompt("?"))
			risk := 0
			if err == nil {
				risk, err = arguments.Int("risk", 1, 5)
			}
			if risk != tt.risk || kindOf(err) != tt.want {
				t.Errorf("risk %d, %v; want %d, %q", risk, err, tt.risk, tt.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	for written, want := range map[string]string{
		"<escape>a, b<escape>": "a, b", "<escape>abc": "abc", `"quoted"`: "quoted", "7": "", "": "",
	} {
		server := ollamatest.New(t, func(string) string {
			return "<start_function_call>call:rate{risk:1,why:" + written + "}<end_function_call>"
		})
		arguments, err := client(t, ollama.Options{Endpoint: server.URL}).Call(t.Context(), prompt("?"))
		if got := arguments.Text("why"); got != want || err != nil {
			t.Errorf("why:%s reads as %q, %v; want %q", written, got, err, want)
		}
	}
}
