package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// texts describe the tools of a toolset of a test.
type texts struct{ files fstest.MapFS }

func (t texts) Descriptions() fs.FS { return t.files }

func described(names ...string) texts {
	files := fstest.MapFS{}
	for _, name := range names {
		files["desc/"+name+".md"] = &fstest.MapFile{Data: []byte("title: " + name + "\nhints: read-only\n\nDoes " + name + ".\n")}
	}
	return texts{files}
}

type echoInput struct {
	Name    string   `json:"name" jsonschema:"minLength=1" jsonschema_description:"Whom to greet."`
	Times   int      `json:"times,omitempty" jsonschema:"default=3,minimum=1,maximum=9" jsonschema_description:"How often."`
	Loud    bool     `json:"loud,omitempty" jsonschema:"default=true" jsonschema_description:"Shout."`
	Mood    string   `json:"mood,omitempty" jsonschema:"enum=happy,enum=sad" jsonschema_description:"How."`
	Friends []friend `json:"friends,omitempty" jsonschema_description:"Who else."`
}

type friend struct {
	Name string `json:"name" jsonschema_description:"Their name."`
}

type echoOutput struct {
	Heard echoInput `json:"heard"`
}

func (o echoOutput) Text() string { return "hello " + o.Heard.Name }

var errDeaf = errors.New("cannot hear: the line is dead")

type echo struct{ texts }

func (echo) Echo(_ context.Context, _ Call, in echoInput) (echoOutput, error) {
	if in.Name == "nobody" {
		return echoOutput{}, errDeaf
	}
	return echoOutput{Heard: in}, nil
}

func (echo) AskTwice(_ context.Context, call Call, _ struct{}) (*struct{}, error) {
	call.Report(Progress{Done: 1, Total: 2, Message: "once"})
	return nil, nil
}

func newEcho(t testing.TB) *Registry {
	t.Helper()
	r := NewRegistry()
	if err := r.Discover(echo{described("echo", "ask_twice")}); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCallFillsDefaults(t *testing.T) {
	got, err := newEcho(t).Call(t.Context(), Call{Tool: "echo"}, json.RawMessage(`{"name":"<ü>","times":2}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"heard":{"name":"<ü>","times":2,"loud":true}}`; string(got.JSON) != want {
		t.Errorf("JSON = %s, want %s", got.JSON, want)
	}
	if want := "hello <ü>"; got.Text != want {
		t.Errorf("Text = %q, want %q", got.Text, want)
	}
}

func TestCallRefusesArguments(t *testing.T) {
	tests := []struct{ arguments, want string }{
		{``, "name: is required"},
		{`null`, "name: is required"},
		{`{}`, "name: is required"},
		{`{"name":1}`, "name: expected a string, got a number"},
		{`{"name":null}`, "name: expected a string, got null"},
		{`{"name":""}`, "name: must have at least 1 characters, has 0"},
		{`{"name":"a","times":"3"}`, "times: expected an integer, got a string"},
		{`{"name":"a","times":2.5}`, "times: expected an integer, got a number"},
		{`{"name":"a","times":0}`, "times: must be at least 1, got 0"},
		{`{"name":"a","times":10}`, "times: must be at most 9, got 10"},
		{`{"name":"a","times":1e0}`, "times: number 1e0 is not a possible int here"},
		{`{"name":"a","mood":"odd"}`, `mood: expected one of "happy", "sad", got "odd"`},
		{`{"name":"a","friends":[{"name":"b"},{"nam":"c"}]}`, `friends[1]: unknown field "nam": did you mean "name"?`},
		{`{"name":"a","friends":{}}`, "friends: expected an array, got an object"},
		{`{"nmae":"a"}`, `unknown argument "nmae": did you mean "name"?`},
		{`{"name":"a","loom":"sad"}`, `unknown argument "loom": did you mean "loud" or "mood"?`},
		{`{"zzz":1}`, `name: is required; unknown argument "zzz"`},
		{`[]`, "arguments: expected an object, got an array"},
		{`"{}"`, "arguments: expected an object, got a string"},
	}
	r := newEcho(t)
	for _, tt := range tests {
		_, err := r.Call(t.Context(), Call{Tool: "echo"}, json.RawMessage(tt.arguments))
		refused, ok := errors.AsType[*ArgumentError](err)
		if !ok {
			t.Errorf("%s: error is %T (%v), want *ArgumentError", tt.arguments, err, err)
			continue
		}
		if refused.Error() != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.arguments, refused, tt.want)
		}
	}
}

func TestArgumentErrorHint(t *testing.T) {
	_, err := newEcho(t).Call(t.Context(), Call{Tool: "echo"}, json.RawMessage(`{"name"`))
	refused, ok := errors.AsType[*ArgumentError](err)
	if !ok || !strings.HasPrefix(refused.Error(), "arguments: not valid JSON") {
		t.Fatalf("got %v, want invalid JSON", err)
	}
	want := `echo takes name (string, required), times (integer, default 3), loud (boolean, default true), mood ("happy" or "sad"), friends (array)`
	if refused.Hint() != want {
		t.Errorf("Hint = %s\nwant   %s", refused.Hint(), want)
	}
}

func TestCallFailures(t *testing.T) {
	r := newEcho(t)
	if _, err := r.Call(t.Context(), Call{Tool: "echo"}, json.RawMessage(`{"name":"nobody"}`)); !errors.Is(err, errDeaf) {
		t.Errorf("a tool's own error came back as %v", err)
	}
	_, err := r.Call(t.Context(), Call{Tool: "ecko"}, nil)
	unknown, ok := errors.AsType[*UnknownToolError](err)
	if !ok || unknown.Error() != `unknown tool "ecko"` || unknown.Hint() != "did you mean echo?" {
		t.Errorf("an unknown tool gives %v", err)
	}
	_, err = r.Call(t.Context(), Call{Tool: "weather_forecast"}, nil)
	if unknown, ok = errors.AsType[*UnknownToolError](err); !ok || unknown.Hint() != "the tools are ask_twice, echo" {
		t.Errorf("a far name gives %v", err)
	}
	if _, err := r.Call(t.Context(), Call{Tool: "ask_twice"}, nil); err == nil || !strings.Contains(err.Error(), "neither") {
		t.Errorf("no output and no error gives %v", err)
	}
}

func TestProgress(t *testing.T) {
	var got []Progress
	call := Call{Tool: "ask_twice", Progress: func(p Progress) { got = append(got, p) }}
	if _, err := newEcho(t).Call(t.Context(), call, nil); err == nil {
		t.Error("want an error")
	}
	if want := (Progress{Done: 1, Total: 2, Message: "once"}); len(got) != 1 || got[0] != want {
		t.Errorf("reported %v, want %v", got, want)
	}
}

type (
	node struct {
		Children []node `json:"children" jsonschema_description:"More."`
	}
	recursive   struct{ texts }
	silent      struct{ texts }
	untyped     struct{ texts }
	nestedSet   struct{ texts }
	wrongOut    struct{ texts }
	wrongIn     struct{ texts }
	variadic    struct{ texts }
	callless    struct{ texts }
	pointerOnly struct{ texts }
)

func (recursive) Echo(context.Context, Call, node) (string, error) { return "", nil }
func (silent) Echo(context.Context, Call, struct {
	A int `json:"a"`
}) (string, error) {
	return "", nil
}
func (untyped) Echo(context.Context, Call, struct {
	A any `json:"a" jsonschema_description:"Anything."`
}) (string, error) {
	return "", nil
}
func (nestedSet) Echo(context.Context, Call, struct {
	A struct {
		B int `json:"b" jsonschema:"default=1" jsonschema_description:"Inner."`
	} `json:"a" jsonschema_description:"Outer."`
}) (string, error) {
	return "", nil
}
func (wrongOut) Echo(context.Context, Call, struct{}) string                 { return "" }
func (wrongIn) Echo(context.Context, Call, string) (string, error)           { return "", nil }
func (variadic) Echo(context.Context, Call, ...struct{}) (string, error)     { return "", nil }
func (callless) Echo(context.Context, struct{}) (string, error)              { return "", nil }
func (*pointerOnly) Echo(context.Context, Call, struct{}) (string, error)    { return "", nil }
func (*pointerOnly) Missing(context.Context, Call, struct{}) (string, error) { return "", nil }

func TestDiscoverRefuses(t *testing.T) {
	only := described("echo")
	tests := []struct {
		toolset Toolset
		want    string
	}{
		{pointerOnly{only}, "no exported methods"},
		{&pointerOnly{only}, "missing.md"},
		{recursive{only}, "contains itself"},
		{silent{only}, `"a" has no jsonschema_description`},
		{untyped{only}, `"a" has no type`},
		{nestedSet{only}, `"a.b" has a default`},
		{wrongOut{only}, "a tool is func(context.Context, Call, In) (Out, error)"},
		{wrongIn{only}, "must be a struct"},
		{variadic{only}, "a tool is func"},
		{callless{only}, "a tool is func"},
	}
	for _, tt := range tests {
		r := NewRegistry()
		err := r.Discover(tt.toolset)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%T: got %v, want %q", tt.toolset, err, tt.want)
		}
		if n := len(r.Definitions()); n != 0 {
			t.Errorf("%T: %d tools registered by a refused toolset", tt.toolset, n)
		}
	}
}

func TestDiscoverRefusesATakenName(t *testing.T) {
	r := newEcho(t)
	if err := r.Discover(echo{described("echo", "ask_twice")}); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("got %v", err)
	}
}

func TestDescriptionHeader(t *testing.T) {
	tests := []struct{ file, want string }{
		{"title: A\nhints: read-only idempotent open-world\n\ntext", ""},
		{"title: A\nhints:\n\ntext", ""},
		{"title: A\n\ntext", "needs both"},
		{"hints: read-only\n\ntext", "needs both"},
		{"title: A\nhints: fast\n\ntext", `unknown hint "fast"`},
		{"title: A\nhints: read-only destructive\n\ntext", "exclude each other"},
		{"title: A\nauthor: me\n\ntext", `unknown header "author"`},
		{"title: A\nhints: read-only\nsearch: a b\nmax-result: 500000\n\ntext", ""},
		{"title: A\nhints: read-only\nmax-result: 500001\n\ntext", "up to 500000"},
		{"title: A\nhints: read-only\nmax-result: many\n\ntext", `not "many"`},
		{"title: A\nhints: read-only\n\n", "0 characters"},
		{"title: A\nhints: read-only\n\n" + strings.Repeat("ü", 2048), ""},
		{"title: A\nhints: read-only\n\n" + strings.Repeat("ü", 2049), "2049 characters"},
	}
	for _, tt := range tests {
		_, err := readDescription(fstest.MapFS{"desc/a.md": {Data: []byte(tt.file)}}, "a")
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60q: got %v, want %q", tt.file, err, tt.want)
		}
	}
}

func TestToolName(t *testing.T) {
	for method, want := range map[string]string{
		"Scout": "scout", "FindCallers": "find_callers", "ListHTTPRoutes": "list_http_routes", "ShowURL": "show_url", "ÜberSicht": "über_sicht",
	} {
		if got := toolName(method); got != want {
			t.Errorf("toolName(%s) = %s, want %s", method, got, want)
		}
	}
}

// Whatever arguments come, the method gets what its schema allows or the caller an *ArgumentError with a reason.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{``, `null`, `{}`, `{"name":"a","times":3}`, `{"friends":[{"name":1}]}`, `[1]`, `{"name":"a","times":1e400}`, `{"a":{"b":[]}}`} {
		f.Add([]byte(seed))
	}
	r := newEcho(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := r.tools["echo"].input.decode(raw)
		if err != nil {
			refused, ok := errors.AsType[*ArgumentError](err)
			if !ok || refused.Error() == "" || refused.Hint() == "" {
				t.Errorf("%q: %v", raw, err)
			}
			return
		}
		if in, _ := v.Interface().(echoInput); in.Name == "" || in.Times < 1 || in.Times > 9 {
			t.Errorf("%q reached the method as %+v", raw, in)
		}
	})
}

// What reflection adds to a call: validation is measured apart, since it is paid for safety and not for reflection.
//
//	go test -run '^$' -bench Call ./tools
func BenchmarkCall(b *testing.B) {
	r := newEcho(b)
	arguments := json.RawMessage(`{"name":"a","times":2}`)
	target := r.tools["echo"]
	in, err := target.input.decode(arguments)
	if err != nil {
		b.Fatal(err)
	}
	direct, _ := in.Interface().(echoInput)
	b.Run("direct", func(b *testing.B) {
		for b.Loop() {
			_, _ = echo{}.Echo(b.Context(), Call{}, direct)
		}
	})
	b.Run("reflected", func(b *testing.B) {
		for b.Loop() {
			_, _ = target.call(b.Context(), Call{}, in)
		}
	})
	b.Run("validated", func(b *testing.B) {
		for b.Loop() {
			_, _ = target.input.decode(arguments)
		}
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			_, _ = r.Call(b.Context(), Call{Tool: "echo"}, arguments)
		}
	})
}

// The file of a description says whether a tool of two words is spelled with a hyphen.
func TestHyphenatedName(t *testing.T) {
	r := NewRegistry()
	if err := r.Discover(echo{described("echo", "ask-twice")}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Call(t.Context(), Call{Tool: "ask-twice"}, nil); err == nil || strings.Contains(err.Error(), "unknown") {
		t.Errorf("ask-twice: %v", err)
	}
	if unknown, ok := errors.AsType[*UnknownToolError](second(r.Call(t.Context(), Call{Tool: "ask_twice"}, nil))); !ok || unknown.Hint() != "did you mean ask-twice?" {
		t.Errorf("ask_twice: %v", unknown)
	}
}

func second[A, B any](_ A, b B) B { return b }
