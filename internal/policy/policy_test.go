package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tidepool/protocol"
)

func newPolicy(t testing.TB, allowRest bool, rules ...Rule) *Policy {
	t.Helper()
	p, err := New(rules, allowRest)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMatcher(t *testing.T) {
	tests := []struct {
		matcher string
		yes, no []string
	}{
		{"", []string{"Bash", "mcp__x__y"}, nil},
		{"*", []string{"Bash", "mcp__x__y"}, nil},
		{"Read", []string{"Read"}, []string{"read", "ReadMore", "Rea"}},
		{"Rea", nil, []string{"Read"}},
		{"^Rea", []string{"Read"}, []string{"XRead"}},
		{"Edit|Write", []string{"Edit", "Write"}, []string{"NotebookEdit", "Edit|Write"}},
		{"Edit, Write", []string{"Edit", "Write"}, []string{"MultiEdit"}},
		{"mcp__probe", nil, []string{"mcp__probe__echo"}},
		{"mcp__probe__.*", []string{"mcp__probe__echo"}, []string{"mcp__other__echo"}},
		{"mcp__probe__*", []string{"mcp__probe__echo", "mcp__probe_"}, nil},
		{"some-tool", []string{"some-tool"}, []string{"some-tools"}},
		{"Bash.", []string{"BashOutput"}, []string{"Bash"}},
		{"|", nil, []string{"Bash", "|"}},
		{" ", nil, []string{"Bash", " "}},
	}
	for _, test := range tests {
		m, err := newMatcher(test.matcher)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range test.yes {
			if !m.match(tool) {
				t.Errorf("%q does not match %s", test.matcher, tool)
			}
		}
		for _, tool := range test.no {
			if m.match(tool) {
				t.Errorf("%q matches %s", test.matcher, tool)
			}
		}
	}
}

func TestRuleFields(t *testing.T) {
	const input = `{"command":"rm -rf build","description":"cleans up","timeout":120,"force":true,"none":null,
		"edits":[{"old":"a","new":"alpha"},{"old":"b","new":"beta"}],"tags":["x","y"],"a.b":"dotted","nested":{"deep":{"er":"found"}}}`
	tests := []struct {
		field, pattern string
		want           bool
	}{
		{"", `^rm\b`, true},
		{"", `cleans`, false}, // a description is no command
		{"", ``, true},
		{"command", `build$`, true},
		{"description", `cleans`, true},
		{"missing", `.*`, false},
		{"none", `.*`, false},
		{"nested", `.*`, false}, // an object is no text
		{"timeout", `^120$`, true},
		{"force", `^true$`, true},
		{"edits.new", `^beta$`, true},
		{"edits.1.new", `^beta$`, true},
		{"edits.0.new", `^beta$`, false},
		{"edits.2.new", `.*`, false},
		{"edits.-1.new", `.*`, false},
		{"tags", `^y$`, true},
		{"tags.0", `^x$`, true},
		{"command.length", `.*`, false},
		{"nested.deep.er", `^found$`, true},
		{"*", `^found$`, true},
		{"*", `^beta$`, true},
		{"*", `^er$`, false}, // names are not looked at
		{"*", `120`, false},  // nor are numbers
	}
	for _, test := range tests {
		p, err := New([]Rule{{Decision: "deny", Field: test.field, Pattern: test.pattern}}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := p.Decide("Bash", json.RawMessage(input)); got != test.want {
			t.Errorf("field %q, pattern %q: match is %v", test.field, test.pattern, got)
		}
	}
}

func TestInputsOfTheClientsTools(t *testing.T) {
	tests := []struct{ tool, input, pattern string }{
		{"Bash", `{"command":"git push --force"}`, `push\s+--force`},
		{"Bash", `{"command":"cat .e\u006ev"}`, `\.env`},
		{"Edit", `{"file_path":"/p/.env","old_string":"a"}`, `\.env$`},
		{"NotebookEdit", `{"notebook_path":"/p/a.ipynb"}`, `ipynb`},
		{"Glob", `{"pattern":"**/*.pem"}`, `\.pem$`},
		{"Grep", `{"pattern":"x","path":"/etc"}`, `^/etc`},
		{"WebFetch", `{"url":"http://example.com","prompt":"x"}`, `^http:`},
	}
	for _, test := range tests {
		p, err := New([]Rule{{Decision: "ask", Tool: test.tool, Pattern: test.pattern}}, false)
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := p.Decide(test.tool, json.RawMessage(test.input)); v.Decision != protocol.Ask {
			t.Errorf("%s %s is not matched by %s", test.tool, test.input, test.pattern)
		}
	}
}

func TestFirstRuleWins(t *testing.T) {
	p, err := New([]Rule{
		{Decision: "allow", Tool: "Bash", Pattern: `^ls\b`},
		{Decision: "deny", Tool: "Bash", Pattern: `secret`, Reason: "Not that."},
		{Decision: "ask", Tool: "Bash"},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]protocol.Permission{
		`{"command":"ls secret"}`:  protocol.Allow,
		`{"command":"cat secret"}`: protocol.Deny,
		`{"command":"cat x"}`:      protocol.Ask,
		`{}`:                       protocol.Ask,
		``:                         protocol.Ask,
		`null`:                     protocol.Ask,
		`"a text"`:                 protocol.Ask,
	} {
		if v, decided := p.Decide("Bash", json.RawMessage(input)); !decided || v.Decision != want {
			t.Errorf("%s: %+v, want %s", input, v, want)
		}
	}
	if v, decided := p.Decide("Read", json.RawMessage(`{}`)); decided {
		t.Errorf("Read is matched by rule %d", v.Rule)
	}
}

func TestReasonsSayWhatToDo(t *testing.T) {
	for _, test := range []struct {
		rule Rule
		want string
	}{
		{Rule{Decision: "deny", Tool: "Bash", Pattern: "rm", Reason: "Use trash."}, "Use trash."},
		{Rule{Decision: "deny", Tool: "Bash", Pattern: "rm -rf"},
			`Rule 1 of this project's policy (.tidepool/config.json) says "deny" for Bash with input that matches "rm -rf". Do without it, or ask the user.`},
		{Rule{Decision: "ask"}, `Rule 1 of this project's policy (.tidepool/config.json) says "ask" for every tool.`},
	} {
		p, err := New([]Rule{test.rule}, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.rules[0].reason; got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestRulesThatCannotBeUsed(t *testing.T) {
	good := Rule{Decision: "ask"}
	for _, test := range []struct {
		bad         Rule
		field, want string
	}{
		{Rule{}, "decision", `policy rule 2: decision: expected deny, ask or allow, got ""`},
		{Rule{Decision: "Deny"}, "decision", `got "Deny"`},
		{Rule{Decision: "deny", Tool: "mcp__(x"}, "tool", `policy rule 2: tool: error parsing regexp`},
		{Rule{Decision: "deny", Pattern: "(?!x)"}, "pattern", `policy rule 2: pattern: error parsing regexp`},
	} {
		_, err := New([]Rule{good, test.bad}, false)
		var rule *RuleError
		if !errors.As(err, &rule) || rule.Number != 2 || rule.Field != test.field || rule.Hint() == "" {
			t.Errorf("%+v: %v", test.bad, err)
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, want %s", test.bad, err, test.want)
		}
	}
}

// FuzzPolicy looks for a rule or an input that breaks the deciding, and holds "*" to what it says: whatever text a
// path finds, it finds as well.
func FuzzPolicy(f *testing.F) {
	f.Add("Bash", "edits.0.new", "b.*a", []byte(`{"edits":[{"new":"beta"}]}`))
	f.Add("mcp__.*", "a", "", []byte(`[[[["x"]]]]`))
	f.Add("", "", "x", []byte(`{"command":"\ud800"}`))
	f.Fuzz(func(t *testing.T, tool, field, pattern string, input []byte) {
		decides := func(field string) bool {
			p, err := New([]Rule{{Decision: "deny", Tool: tool, Field: field, Pattern: pattern}}, false)
			if err != nil {
				return false
			}
			_, decided := p.Decide("Bash", input)
			return decided
		}
		if decides(field) && !decides("*") && !bytes.ContainsAny(input, "0123456789tf") {
			t.Errorf("field %q of %q is matched by %q, but no text in it", field, input, pattern)
		}
	})
}

func TestVerdictSaysWhere(t *testing.T) {
	const input = `{"command":"rm x","path":"/etc","edits":[{"new":"a"},{"new":"b"}],"tags":["x","y"],"z":{"b":"deep","a":"deep"}}`
	for _, test := range []struct{ field, pattern, want string }{
		{"", "etc", "path"},
		{"", "", ""},
		{"edits.new", "b", "edits.1.new"},
		{"edits.1.new", "b", "edits.1.new"},
		{"tags", "y", "tags.1"},
		{"*", "deep", "z.a"},
		{"*", "y", "tags.1"},
	} {
		p := newPolicy(t, false, Rule{Decision: "ask", Field: test.field, Pattern: test.pattern, Reason: "why"}, Rule{Decision: "deny"})
		v, decided := p.Decide("Bash", json.RawMessage(input))
		if want := (Verdict{protocol.Ask, "why", 1, test.want}); !decided || v != want {
			t.Errorf("field %q, pattern %q: got %+v, want %+v", test.field, test.pattern, v, want)
		}
	}
	if v, decided := newPolicy(t, true).Decide("Bash", nil); !decided || v.Decision != protocol.Allow || v.Rule != 0 {
		t.Errorf("the rest is %+v, %v", v, decided)
	}
}
