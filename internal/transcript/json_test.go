package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// encoding/json is what the walk over a line is compared with.
func FuzzMembersAgreeWithEncodingJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` {"a":1 , "b":[{"c":"}"},"\\\""],"d":null} `, `{"a\u0062":"\ud83d\ude00\ud800\n","e":-1.5E+3}`, `{"a":"` + "\xff\xc0" + `é"}`,
		`{"a":"x","a":"y"}`, `{"a":`, `{"a" 1}`, `{"a":1,}`, `{"a":1}x`, `[1]`, `"a`, "\x00", `{"":"\u12"}`, `{"a":{"b":[}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got := map[string]string{}
		texts := map[string]string{}
		err := members(line, func(key, value []byte) bool {
			got[string(key)] = string(value)
			delete(texts, string(key))
			if isText(value) {
				texts[string(key)] = text(value)
			}
			return true
		})
		for _, s := range texts {
			if !utf8.ValidString(s) {
				t.Fatalf("invalid text %q", s)
			}
		}
		var want map[string]json.RawMessage
		if json.Unmarshal(line, &want) != nil || want == nil {
			return // what is no JSON may be read loosely
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d members, %v; want %d", len(got), err, len(want))
		}
		for key, raw := range want {
			if got[key] != string(bytes.TrimSpace(raw)) {
				t.Fatalf("%q: %s, want %s", key, got[key], raw)
			}
			var s string
			if json.Unmarshal(raw, &s) == nil && texts[key] != s {
				t.Fatalf("%q: %q, want %q", key, texts[key], s)
			}
		}
	})
}

// No line stops a reader, and every line is in a turn, skipped or unreadable.
func FuzzReader(f *testing.F) {
	f.Add([]byte(prompt("p", "", `"ask"`) + "\n" + answer("a", "p", "m", textBlock("yes"))))
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"text","text":"<command-name>x"}]}}`))
	f.Add([]byte(`{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":9}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range Sources() {
			r := readAll(s, "s", data)
			turns := r.Take()
			if len(turns) != r.Turns() {
				t.Fatalf("%d turns taken of %d", len(turns), r.Turns())
			}
			for i, turn := range turns {
				if turn.Number != i || turn.User == "" || turn.Start > turn.End || turn.End > int64(len(data)) {
					t.Fatalf("turn %d: %+v", i, turn)
				}
				if !utf8.ValidString(turn.User + turn.Answer) {
					t.Fatalf("turn %d has invalid text", i)
				}
			}
		}
	})
}

func TestFirstLineOfALongResult(t *testing.T) {
	for content, want := range map[string]string{
		`"` + strings.Repeat("x", 5000) + `"`:              strings.Repeat("x", maxError),
		`"` + strings.Repeat(`\\`, 5000) + `"`:             strings.Repeat(`\`, maxError),
		`"\n\n  one\ntwo"`:                                 "one",
		`[{"type":"image"},{"type":"text","text":"a\nb"}]`: "a",
		`"<tool_use_error>No such file</tool_use_error>"`:  "No such file",
		`"` + strings.Repeat(`é`, 1000) + `"`:              strings.Repeat("é", maxError/2),
		`{"no":"text"}`:                                    "",
	} {
		if got := firstLine([]byte(content)); got != want {
			t.Errorf("%.40s: %q, want %q", content, got, want)
		}
	}
}
