package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

type findInput struct {
	Name  string   `json:"name" jsonschema:"minLength=1" means:"symbol" jsonschema_description:"What to find."`
	Query string   `json:"query,omitempty" means:"question" jsonschema_description:"Why."`
	Most  int      `json:"max_results,omitempty" jsonschema:"minimum=1" means:"count" jsonschema_description:"How many."`
	Path  string   `json:"path,omitempty" jsonschema_description:"Where."`
	Tags  []string `json:"tags,omitempty" jsonschema_description:"Which."`
	Edit  edit     `json:"edit,omitzero" jsonschema_description:"What is changed."`
}

// An edit is a text or an object.
type edit struct{}

func (edit) JSONSchema() *jsonschema.Schema {
	object := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	object.Properties.Set("detail", &jsonschema.Schema{Type: "string", Description: "How."})
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string", Enum: []any{"add", "remove"}}, object}}
}

type joinInput struct {
	From string `json:"from,omitempty" means:"symbol" jsonschema_description:"What to join."`
	To   string `json:"to,omitempty" means:"symbol" jsonschema_description:"What to join it with."`
}

type finder struct{ texts }

func (finder) Find(_ context.Context, _ Call, in findInput) (findInput, error) { return in, nil }
func (finder) Join(_ context.Context, _ Call, in joinInput) (joinInput, error) { return in, nil }

type meaningless struct{ texts }

func (meaningless) Find(context.Context, Call, struct {
	A string `json:"a" means:"nothing" jsonschema_description:"A."`
}) (string, error) {
	return "", nil
}

// An argument is understood by each of its names, and as a text or as a list of one, if it is certain what is meant.
func TestArgumentsAreUnderstood(t *testing.T) {
	r := NewRegistry()
	if err := r.Discover(finder{described("find", "join")}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ tool, arguments, want string }{
		{"find", `{"name":"A"}`, `{"name":"A"}`},
		{"find", `{"symbol":"A"}`, `{"name":"A"}`},
		{"find", `{"type_name":"<A>","question":"why","limit":3}`, `{"name":"<A>","query":"why","max_results":3}`},
		{"find", `{"symbols":["A"]}`, `{"name":"A"}`},
		{"find", `{"name":["A"],"seeds":"A","symbol":null}`, `{"name":"A"}`},
		{"find", `{"name":null,"symbol":"A"}`, `{"name":"A"}`},
		{"find", `{"name":"A","tags":"one"}`, `{"name":"A","tags":["one"]}`},
		{"find", `{"name":"A","tags":" [\"one\", \"two\"]"}`, `{"name":"A","tags":["one","two"]}`},
		{"join", `{"from":["A"],"to":"B","symbol":null}`, `{"from":"A","to":"B"}`},

		{"find", `{"name":"A","symbol":"B"}`, "name and symbol mean the same here, and their values differ: give name alone"},
		{"find", `{"symbol":"A","type_name":"B"}`, "symbol and type_name mean the same here, and their values differ: give name alone"},
		{"find", `{"symbols":["A","B"]}`, "name: takes one, not 2: call the tool once for each"},
		{"find", `{"symbol":[]}`, "name: expected a string, got an array"},
		{"find", `{"symbol":1}`, "name: expected a string, got a number"},
		{"find", `{"limit":0,"name":"A"}`, "max_results: must be at least 1, got 0"},
		{"find", `{"name":"A","path":["B"]}`, "path: expected a string, got an array"}, // no other tool's argument means a path
		{"find", `{"name":"A","tags":"one, two"}`, "tags: expected an array: a text with commas may be one item or several"},
		{"find", `{"name":"A","tags":"[one"}`, "tags: expected an array, got a string"},
		{"find", `{"name":"A","tags":""}`, "tags: expected an array, got a string"},
		{"find", `{"name":"A","tags":"[1]"}`, "tags[0]: expected a string, got a number"},
		{"find", `{"name":"A","edit":{"detial":"x"}}`, `edit: unknown field "detial": did you mean "detail"?`},
		{"find", `{"name":"A","edit":"ad"}`, `edit: expected one of "add", "remove", got "ad"`},
		{"find", `{"name":"A","edit":1}`, `edit: expected "add" or "remove" or an object`},
		{"find", `{"nmae":"A"}`, `unknown argument "nmae": did you mean "name"?`},
		{"join", `{"symbol":"A"}`, "symbol: may mean from or to here: give the one that you mean"},
		{"join", `{"query":"A"}`, `unknown argument "query"`},
	} {
		got, err := r.Call(t.Context(), Call{Tool: test.tool}, json.RawMessage(test.arguments))
		text := string(got.JSON)
		if refused, ok := errors.AsType[*ArgumentError](err); ok {
			text = refused.Error()
		}
		if text != test.want {
			t.Errorf("%s %s:\n got %s (%v)\nwant %s", test.tool, test.arguments, text, err, test.want)
		}
	}
}

func TestDiscoverRefusesAnUnknownMeaning(t *testing.T) {
	if err := NewRegistry().Discover(meaningless{described("find")}); err == nil || !strings.Contains(err.Error(), `no argument means "nothing"`) {
		t.Errorf("got %v", err)
	}
}

// Names that may mean two arguments are not offered.
func TestSpellings(t *testing.T) {
	r := NewRegistry()
	if err := r.Discover(finder{described("find", "join")}); err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Definitions() {
		if d.Name == "join" && len(d.Spellings) > 0 || d.Name == "find" && (d.Spellings["symbol"] != "name" || d.Spellings["limit"] != "max_results" || d.Spellings["name"] != "") {
			t.Errorf("%s takes %v", d.Name, d.Spellings)
		}
	}
}

// Whatever arguments come, the method gets what the schema allows or the caller an *ArgumentError with a reason.
func FuzzMeaning(f *testing.F) {
	for _, seed := range []string{`{"symbols":["A"]}`, `{"name":"A","tags":"[1,\"a\"]"}`, `{"name":["A"],"symbol":"A","edit":{"detail":1}}`, `{"seed":null,"limit":1e9}`} {
		f.Add([]byte(seed))
	}
	r := NewRegistry()
	if err := r.Discover(finder{described("find", "join")}); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, tool := range []string{"find", "join"} {
			v, err := r.tools[tool].input.decode(raw)
			if err != nil {
				if refused, ok := errors.AsType[*ArgumentError](err); !ok || refused.Error() == "" || refused.Hint() == "" {
					t.Errorf("%q: %v", raw, err)
				}
				continue
			}
			if in, ok := v.Interface().(findInput); ok && (in.Name == "" || in.Most < 0) {
				t.Errorf("%q reached the method as %+v", raw, in)
			}
		}
	})
}
