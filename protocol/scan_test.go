package protocol

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzScanObject holds the scanner to encoding/json: the same documents are
// valid, and the members have the same names and bytes.
func FuzzScanObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":1,"a":[2,{"b":null}]}`, `{"ü":"\u00fc","\n":true}`,
		`{"n":-0.5e+10}`, `{"n":01}`, `{"n":1.}`, `{"a":"` + "\x01" + `"}`, `{"a":"\x"}`, `{"a":"\ud800"}`,
		`{"a":tru}`, `{"a":1,}`, `{,}`, `[]`, `1`, ``, `{"a":1}x`, "{\n\t\"a\" :\r 1 }", `{"a":"\u12g4"}`, `{"a"`,
		"{\"a\":\"\xff\"}", `{"a":-}`, `{"a":1e}`, `{"":""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fields, err := scanObject(nil, data, len(data))
		var want map[string]json.RawMessage
		wantErr := json.Unmarshal(data, &want)
		if want == nil { // null, or not an object
			if err == nil {
				t.Fatalf("accepted %q; encoding/json: %v", data, wantErr)
			}
			return
		}
		if err != nil {
			t.Fatalf("refused %q: %v", data, err)
		}
		got := map[string]json.RawMessage{}
		for _, f := range fields {
			got[string(f.key)] = f.value
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %q, want %q", data, got, want)
		}
	})
}

func TestScanObjectBoundsDepth(t *testing.T) {
	deep := `{"a":` + strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1) + `}`
	if _, err := scanObject(nil, []byte(deep), 1); err == nil {
		t.Fatal("accepted a line nested deeper than the limit")
	}
	if json.Valid([]byte(deep)) {
		t.Fatal("encoding/json accepts this depth: the limits differ")
	}
}
