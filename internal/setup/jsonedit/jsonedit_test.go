package jsonedit

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

type entry struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

var agent = entry{"agent", []string{"mcp"}}

func TestInsert(t *testing.T) {
	for before, want := range map[string]string{
		"":                        "{\n  \"s\": {\n    \"t\": {\n      \"command\": \"agent\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n",
		"{\"a\":1}":               `{"a":1, "s": {"t":{"command":"agent","args":["mcp"]}}}`,
		"{ \"s\": { } , \"b\":2}": `{ "s": {"t": {"command":"agent","args":["mcp"]}} , "b":2}`,
		"{\n\t\"s\": {\n\t\t\"o\": 1, // one\n\t\t// last\n\t}\n}": "{\n\t\"s\": {\n\t\t\"o\": 1, // one\n\t\t// last\n\t\t\"t\": {\n\t\t\t\"command\": \"agent\"," +
			"\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t},\n\t}\n}",
		"{\r\n \"s\": {\r\n  \"o\": 1 /* one */\r\n }\r\n}": "{\r\n \"s\": {\r\n  \"o\": 1, /* one */\r\n  \"t\": {\r\n   \"command\": \"agent\",\r\n   \"args\": [\r\n    \"mcp\"\r\n   ]\r\n  }\r\n }\r\n}",
		"{\n  \"s\": {\"t\": 1} // x\n}":                    "{\n  \"s\": {\"t\": {\"command\":\"agent\",\"args\":[\"mcp\"]}} // x\n}",
	} {
		got, err := Insert([]byte(before), "/s/t", agent)
		if err != nil || string(got) != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", before, err, got, want)
		}
	}
}

func TestInsertAtTheEndOfAList(t *testing.T) {
	got, err := Insert([]byte("{\n  \"h\": {\n    \"Stop\": [\n      {\"a\": 1} // mine\n    ]\n  }\n}\n"), "/h/Stop/-", 2)
	if want := "{\n  \"h\": {\n    \"Stop\": [\n      {\"a\": 1}, // mine\n      2\n    ]\n  }\n}\n"; err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err = Insert([]byte("{}"), "/h/Stop/-", 2); err != nil || string(got) != "{\n  \"h\": {\n    \"Stop\": [\n      2\n    ]\n  }\n}" {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestRemove(t *testing.T) {
	for before, want := range map[string]string{
		`{"s": {"t": 1}}`:                                          `{}`,
		`{"s": {"t": 1, "u": 2}}`:                                  `{"s": {"u": 2}}`,
		`{"s": {"u": 2, "t": 1}}`:                                  `{"s": {"u": 2}}`,
		"{\"s\": { // kept\n \"t\": 1}, \"b\": 3}":                 "{\"s\": { // kept\n }, \"b\": 3}",
		"{\n \"s\": {\n  \"u\": 2, // two\n  \"t\": 1,\n },\n}":    "{\n \"s\": {\n  \"u\": 2, // two\n },\n}",
		"{\n \"s\": {\n  \"t\": 1, // one\n  \"u\": 2\n }\n}":      "{\n \"s\": { // one\n  \"u\": 2\n }\n}",
		"{\n \"s\": {\n  \"u\": 2 /* two */,\n  \"t\": 1\n }\n}\n": "{\n \"s\": {\n  \"u\": 2 /* two */\n }\n}\n",
		`{"other": 1}`: `{"other": 1}`,
	} {
		got, err := Remove([]byte(before), "/s/t")
		if err != nil || string(got) != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", before, err, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	const text = `{"a~b": {"c/d": [1, {"e": "f", /* x */ },]}}`
	for pointer, want := range map[string]string{"/a~0b/c~1d/1/e": `"f"`, "/a~0b/c~1d/1": `{"e":"f"}`, "/a~0b/c~1d/2": "", "/x/y": ""} {
		if got, err := Find([]byte(text), pointer); string(got) != want || err != nil {
			t.Errorf("%s: %s, %v", pointer, got, err)
		}
	}
}

func TestErrorsHaveLines(t *testing.T) {
	for text, line := range map[string]int{"{\n\"a\": 1,,\n}": 2, "\n[]": 2, "{\n\n\"s\": 3}": 3, "{\"s\": {\n\"t\": 1,\n\"t\": 2}}": 3, "{\n\"s\": [1]}": 2, strings.Repeat("[", 1<<20): 1} {
		_, err := Insert([]byte(text), "/s/t", 1)
		if wrong, is := err.(*Error); !is || wrong.Line != line {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

// A writer writes random JSON with comments in a random layout.
type writer struct {
	*rapid.T
	b         strings.Builder
	eol, unit string
	tidy      bool // no comments, no trailing commas
}

func (w *writer) pick(from ...string) string { return rapid.SampledFrom(from).Draw(w.T, "text") }

func (w *writer) space(depth int) string {
	line := w.eol + strings.Repeat(w.unit, depth)
	if w.tidy {
		return w.pick("", " ", line)
	}
	return w.pick("", " ", line, " // why, {\""+line, "/* a, ] */", line+"// \"t\": 1"+line, " /* b */"+line)
}

func (w *writer) list(depth, n int, brackets string, element func(i int)) {
	w.b.WriteString(brackets[:1])
	for i := range n {
		w.b.WriteString(w.space(depth + 1))
		element(i)
		w.b.WriteString(w.space(depth + 1))
		if i < n-1 || !w.tidy && rapid.Bool().Draw(w.T, "trailing comma") {
			w.b.WriteString(",")
		}
	}
	w.b.WriteString(w.space(depth) + brackets[1:])
}

func (w *writer) object(depth int, keys []string, value func(key string)) {
	w.list(depth, len(keys), "{}", func(i int) {
		w.b.WriteString(`"` + keys[i] + `"` + w.space(depth) + ":" + w.space(depth))
		value(keys[i])
	})
}

func (w *writer) keys(from ...string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, len(from), rapid.ID).Draw(w.T, "keys")
}

func (w *writer) document() string {
	w.b.WriteString(w.space(0))
	w.object(0, w.keys("model", "env", "s", "hooks"), func(key string) {
		switch key {
		case "s":
			w.object(1, w.keys("x", "y", "z"), func(string) { w.b.WriteString(w.pick("1", `"//"`, "{}", "[ ]")) })
		case "hooks":
			w.list(1, rapid.IntRange(0, 2).Draw(w.T, "n"), "[]", func(int) { w.b.WriteString(w.pick("1", `{"a": 1}`)) })
		default:
			w.b.WriteString(w.pick(`"ü\u00fc"`, "1.50e3", "null", `["a",1]`))
		}
	})
	return w.b.String() + w.space(0)
}

func TestPropertyRemoveUndoesInsert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{T: t, tidy: rapid.Bool().Draw(t, "tidy")}
		w.eol, w.unit = w.pick("\n", "\r\n"), w.pick("\t", " ", "  ")
		before := w.document()
		if !rapid.Bool().Draw(t, "blank") && strings.TrimSpace(before) == "" {
			before = ""
		}
		for insert, remove := range map[string]string{"/s/t": "/s/t", "/new/s/t": "/new/s/t", "/hooks/-": "/hooks/" + count(t, before, "hooks")} {
			after, err := Insert([]byte(before), insert, agent)
			if err != nil {
				t.Fatalf("%s into %q: %v", insert, before, err)
			}
			if w.tidy && !json.Valid(after) {
				t.Fatalf("not JSON any more:\n%s", after)
			}
			if got, err := Find(after, remove); string(got) != `{"command":"agent","args":["mcp"]}` || err != nil {
				t.Fatalf("%s in %s: %s, %v", remove, after, got, err)
			}
			back, err := Remove(after, remove)
			if err != nil {
				t.Fatal(err)
			}
			// A container that was empty goes, and what is in it does not tell whether it was there.
			if !hadNeighbours(t, before, insert) {
				if diff := cmp.Diff(withoutEmpty(meaning(t, before)), withoutEmpty(meaning(t, string(back)))); diff != "" {
					t.Fatalf("the meaning changed (-want +got):\n%s\n%s\n%s", diff, before, back)
				}
				continue
			}
			if string(back) != before {
				t.Fatalf("before, between and after:\n%q\n%q\n%q", before, after, back)
			}
		}
	})
}

func meaning(t *rapid.T, text string) map[string]any {
	plain, err := hujson.Standardize([]byte(text))
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	var all map[string]any
	if err := json.Unmarshal(plain, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func withoutEmpty(all map[string]any) map[string]any {
	for _, key := range []string{"s", "hooks"} {
		switch v := all[key].(type) {
		case map[string]any:
			if len(v) == 0 {
				delete(all, key)
			}
		case []any:
			if len(v) == 0 {
				delete(all, key)
			}
		}
	}
	return all
}

func count(t *rapid.T, text, key string) string {
	list, _ := meaning(t, text)[key].([]any)
	return string(rune('0' + len(list)))
}

// hadNeighbours reports whether the place of an insertion had other members, so that nothing empty is made or filled.
func hadNeighbours(t *rapid.T, text, pointer string) bool {
	all := meaning(t, text)
	switch pointer {
	case "/s/t":
		v, is := all["s"].(map[string]any)
		return is && len(v) > 0 || !is && len(all) > 0
	case "/hooks/-":
		v, is := all["hooks"].([]any)
		return is && len(v) > 0 || !is && len(all) > 0
	}
	return len(all) > 0
}

// Whatever a text holds, it is refused, or Remove takes out what Insert puts in.
func FuzzInsert(f *testing.F) {
	f.Add([]byte(`{"s": {"u": 1, /* x */ }, }`))
	f.Add([]byte("{} //"))
	f.Add([]byte("// a\n{\"s\": {// b\n}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		after, err := Insert(text, "/s/t", agent)
		if err != nil {
			if _, is := err.(*Error); !is {
				t.Errorf("no line: %v", err)
			}
			return
		}
		if again, err := Insert(after, "/s/t", agent); err != nil || !bytes.Contains(again, []byte("agent")) {
			t.Errorf("again: %v\n%s", err, again)
		}
		back, err := Remove(after, "/s/t")
		if err != nil {
			t.Fatalf("%v in\n%s", err, after)
		}
		if left, err := Find(back, "/s/t"); left != nil || err != nil {
			t.Errorf("left %s, %v in\n%s", left, err, back)
		}
	})
}
