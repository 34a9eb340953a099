package mcpfeature

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

const turnTemplate = "tidepool://conversation/{session}/{turn}{?from}"

func TestComplete(t *testing.T) {
	var asked Query
	s := New(Options{
		Symbols: sourceFunc(func(_ context.Context, q Query) (Found, error) {
			asked = q
			return Found{Items: []Item{{ID: "Foo"}, {ID: "Form.Go"}}, Total: 2}, nil
		}),
		Conversations: items(Item{ID: "s-1", Parts: 12}, Item{ID: "s-12", Parts: 300}),
		References:    many(150),
		Memories:      sourceFunc(func(context.Context, Query) (Found, error) { return Found{}, errors.New("off") }),
	})
	for _, test := range []struct{ params, want string }{
		{`{"ref":{"type":"ref/prompt","name":"impact"},"argument":{"name":"symbol","value":"Fo"}}`, `{"values":["Foo","Form.Go"],"total":2,"hasMore":false}`},
		{`{"ref":{"type":"ref/prompt","name":"impact"},"argument":{"name":"change","value":"Fo"}}`, `{"values":[],"total":0,"hasMore":false}`},
		{`{"ref":{"type":"ref/resource","uri":"` + turnTemplate + `"},"argument":{"name":"session","value":"s"}}`, `{"values":["s-1","s-12"],"total":2,"hasMore":false}`},
		{`{"ref":{"type":"ref/resource","uri":"` + turnTemplate + `"},"argument":{"name":"turn","value":"1"},"context":{"arguments":{"session":"s-1"}}}`,
			`{"values":["11","10","1"],"total":3,"hasMore":false}`},
		{`{"ref":{"type":"ref/resource","uri":"` + turnTemplate + `"},"argument":{"name":"turn","value":""}}`, `{"values":[],"total":0,"hasMore":false}`},
		{`{"ref":{"type":"ref/resource","uri":"tidepool://memory/{id}"},"argument":{"name":"id","value":"mem"}}`, `{"values":[],"hasMore":true}`},
	} {
		if got := request(t, s, "completion/complete", test.params); got != `{"completion":`+test.want+`}` {
			t.Errorf("%s: %s", test.params, got)
		}
	}
	if asked.Text != "Fo" || asked.Limit != maxValues {
		t.Errorf("asked %+v", asked)
	}
}

// A completion has at most a hundred values, and says how many there are.
func TestCompleteMany(t *testing.T) {
	s := New(Options{References: many(150), Conversations: items(Item{ID: "s", Parts: 300})})
	got := request(t, s, "completion/complete", `{"ref":{"type":"ref/resource","uri":"tidepool://ref/{ref}{?lines,head,tail,grep}"},"argument":{"name":"ref"}}`)
	if strings.Count(got, `","`) != maxValues-1 || !strings.HasSuffix(got, `"99"],"total":150,"hasMore":true}}`) {
		t.Errorf("got %s", got)
	}
	got = request(t, s, "completion/complete",
		`{"ref":{"type":"ref/resource","uri":"`+turnTemplate+`"},"argument":{"name":"turn"},"context":{"arguments":{"session":"s"}}}`)
	if !strings.HasPrefix(got, `{"completion":{"values":["299",`) || !strings.HasSuffix(got, `"200"],"total":300,"hasMore":true}}`) {
		t.Errorf("got %s", got)
	}
}

// Whoever types does not wait for a source that hangs.
func TestCompleteInTime(t *testing.T) { synctest.Test(t, testCompleteInTime) }

func testCompleteInTime(t *testing.T) {
	hanging := sourceFunc(func(ctx context.Context, _ Query) (Found, error) {
		<-ctx.Done()
		return Found{}, context.Cause(ctx)
	})
	got := request(t, New(Options{Symbols: hanging}), "completion/complete", `{"ref":{"type":"ref/prompt","name":"explain"},"argument":{"name":"symbol","value":"F"}}`)
	if got != `{"completion":{"values":[],"hasMore":true}}` {
		t.Errorf("got %s", got)
	}
}

func TestBadCompletions(t *testing.T) {
	for params, want := range map[string]string{
		`{}`: `ref has the type "": use ref/prompt or ref/resource`,
		`{"ref":{"type":"ref/prompt","name":"none"}}`:                                                           `there is no prompt "none"`,
		`{"ref":{"type":"ref/prompt","name":"impact"},"argument":{"name":"x"}}`:                                 `impact has no argument "x"`,
		`{"ref":{"type":"ref/resource","uri":"file:///{path}"}}`:                                                `there is no template "file:///{path}": use tidepool://status`,
		`{"ref":{"type":"ref/resource","uri":"tidepool://memory/{id}"},"argument":{"name":"from"}}`:             `tidepool://memory/{id} has no variable "from"`,
		`{"ref":{"type":"ref/resource","uri":"tidepool://memory/{id}"},"argument":{"name":"id","value":["a"]}}`: "the params do not fit",
	} {
		if got := refused(t, New(Options{}), "completion/complete", params); !strings.Contains(got, want) {
			t.Errorf("%s: %s", params, got)
		}
	}
}
