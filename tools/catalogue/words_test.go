package catalogue

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tidepool/internal/wording"
	"tidepool/tools"
)

func TestWordsAsArguments(t *testing.T) {
	c := New([]tools.Definition{
		{Name: "find", InputSchema: json.RawMessage(`{"properties":{"limit":{"type":"integer"},"name":{"type":"string"},"tests":{"type":"boolean"},"dirs":{"type":"array"},"symbols":{"oneOf":[]}},"required":["name"]}`), Spellings: map[string]string{"names": "name", "max": "limit"}},
		{Name: "list", InputSchema: json.RawMessage(`{"properties":{"kinds":{"type":"array"},"most":{"type":"integer"}}}`)},
		{Name: "status", InputSchema: json.RawMessage(`{"properties":{}}`)},
	}, "")
	for _, test := range []struct{ tool, words, want string }{
		{"find", "Mux.handle", `{"name":"Mux.handle"}`},
		{"find", "what breaks here limit=3 tests=true", `{"limit":3,"name":"what breaks here","tests":true}`},
		{"find", "a=b", `{"name":"a=b"}`}, // a=b is no argument, and like none
		{"find", "name=x=y symbols=A,B", `{"name":"x=y","symbols":"A,B"}`},
		{"find", "names=F max=3", `{"max":3,"names":"F"}`}, // the daemon knows what they mean
		{"find", `{"name":"F"}`, `{"name":"F"}`},
		{"find", "F dirs=a,b", `{"dirs":["a","b"],"name":"F"}`},
		{"find", `F dirs=["a"]`, `{"dirs":["a"],"name":"F"}`},
		{"find", "", `{}`}, // the daemon says what is missing
		{"list", "a, b", `{"kinds":["a","b"]}`},
		{"status", "", `{}`},
	} {
		got, err := c.Arguments(test.tool, strings.Fields(test.words))
		if err != nil || string(got) != test.want {
			t.Errorf("%s %s: %s, %v, want %s", test.tool, test.words, got, err, test.want)
		}
	}
	for words, want := range map[string]string{
		"find F limit=ten":   `limit of find is an integer, not "ten"`,
		"find F max=ten":     `max of find is an integer, not "ten"`,
		"find F name=G":      `name is given twice: as name=… and as "F"`,
		"find F limt=3":      "find has no argument limt: did you mean limit?",
		"status now":         `status takes no arguments, not "now"`,
		"find tests=perhaps": `tests of find is a boolean, not "perhaps"`,
	} {
		fields := strings.Fields(words)
		_, err := c.Arguments(fields[0], fields[1:])
		var wrong *ArgumentError
		if !errors.As(err, &wrong) || err.Error() != want || !strings.Contains(wording.HintOf(err), "agent tools "+fields[0]) {
			t.Errorf("%s: %v (%s), want %s", words, err, wording.HintOf(err), want)
		}
	}
	var unknown *tools.UnknownToolError
	if _, err := c.Arguments("fnd", nil); !errors.As(err, &unknown) {
		t.Errorf("an unknown tool: %v", err)
	}
}
