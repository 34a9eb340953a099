package redact

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// value draws JSON with texts that hold an x or not, and a member called x.
func value(depth int) *rapid.Generator[any] {
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z"\\ \n:é<>&\x{2028}]{0,12}`))
	all := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any](1.5e300), texts.AsAny(), texts.AsAny(),
	}
	if depth > 0 {
		all = append(all, rapid.SliceOfN(value(depth-1), 0, 4).AsAny(), rapid.MapOfN(texts, value(depth-1), 0, 4).AsAny())
	}
	return rapid.OneOf(all...)
}

// expected returns a value with each x in a text replaced, but not in names.
func expected(value any) any {
	switch v := value.(type) {
	case string:
		return strings.ReplaceAll(v, "x", "[X]")
	case map[string]any:
		for name := range v {
			v[name] = expected(v[name])
		}
	case []any:
		for i := range v {
			v[i] = expected(v[i])
		}
	}
	return value
}

// Exactly the texts change, and JSON without one to change keeps its bytes, however it is written.
func TestRewriteProperty(t *testing.T) {
	replace := func(_, text string) string { return strings.ReplaceAll(text, "x", "[X]") }
	rapid.Check(t, func(rt *rapid.T) {
		raw, err := json.Marshal(value(3).Draw(rt, "value"))
		if err != nil {
			rt.Fatal(err)
		}
		if rapid.Bool().Draw(rt, "indented") {
			var b bytes.Buffer
			if err := json.Indent(&b, raw, " ", "\t"); err != nil {
				rt.Fatal(err)
			}
			raw = b.Bytes()
		}
		got, changed := rewrite(raw, replace)
		var was, is any
		if json.Unmarshal(raw, &was) != nil || json.Unmarshal(got, &is) != nil {
			rt.Fatalf("%s is no JSON", got)
		}
		want := expected(was)
		if !reflect.DeepEqual(is, want) {
			rt.Fatalf("%s became %s", raw, got)
		}
		if _, again := rewrite(raw, func(_, text string) string { return text }); again {
			rt.Fatalf("%s changed into itself", raw)
		}
		if !changed && !bytes.Equal(raw, got) {
			rt.Fatalf("%s became %s", raw, got)
		}
	})
}

// What a text does not hold keeps its bytes: order, numbers, escapes, white space, unknown and repeated members.
func TestRewriteKeepsBytes(t *testing.T) {
	in := `{ "b":1.0e+2,"a" : "\u0041x","a":["x" , "\ud800", "\/"],"x":{"n":123456789012345678901234567890,"k" :"plain"}}`
	want := `{ "b":1.0e+2,"a" : "A[X]","a":["[X]" , "\ud800", "\/"],"x":{"n":123456789012345678901234567890,"k" :"plain"}}`
	var members []string
	got, _ := rewrite(json.RawMessage(in), func(member, text string) string {
		members = append(members, member)
		return strings.ReplaceAll(text, "x", "[X]")
	})
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want := []string{"a", "a", "a", "a", "k"}; !reflect.DeepEqual(members, want) {
		t.Errorf("members %q, want %q", members, want)
	}
}

// FuzzRewrite: hostile JSON neither panics nor becomes anything else than JSON.
func FuzzRewrite(f *testing.F) {
	f.Add([]byte(`{"a":"x"}`))
	f.Add([]byte(`"x\\\""`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		got, changed := rewrite(raw, func(_, text string) string { return text + "x" })
		if !json.Valid(got) || !changed && !bytes.Equal(got, raw) {
			t.Errorf("%q became %q", raw, got)
		}
	})
}
