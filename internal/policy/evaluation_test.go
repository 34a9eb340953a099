package policy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"tidepool/protocol"
)

// command is the input of Bash with a command of so many bytes that ends in a text.
func command(bytes int, end string) json.RawMessage {
	return json.RawMessage(`{"command":"` + strings.Repeat("a", bytes-len(end)) + end + `"}`)
}

// Padding leads past no rule that denies or asks, and none that allows is opened by it.
func TestTextsBeyondTheBound(t *testing.T) {
	rule := func(decision string) Rule {
		return Rule{Decision: decision, Tool: "Bash", Pattern: "rm -rf", Reason: "why"}
	}
	for _, test := range []struct {
		name     string
		rules    []Rule
		tool     string
		input    json.RawMessage
		decision protocol.Permission
		reason   string // a part of it; "" is "why"
	}{
		{"as long as may be, and found at its end", []Rule{rule("deny")}, "Bash", command(MaxText, "rm -rf"), protocol.Deny, ""},
		{"as long as may be, and not found", []Rule{rule("deny")}, "Bash", command(MaxText, "ls"), protocol.NoDecision, ""},
		{"too long for deny", []Rule{rule("deny")}, "Bash", command(MaxText+1, "rm -rf"), protocol.Deny,
			"tool_input.command: it is 1048577 bytes long, and rules look at 1048576 at most. Do it in smaller steps"},
		{"too long for ask, though harmless", []Rule{rule("ask")}, "Bash", command(15<<20, "ls"), protocol.Ask, "cannot be checked"},
		{"too long for allow", []Rule{rule("allow")}, "Bash", command(MaxText+1, "rm -rf"), protocol.NoDecision, ""},
		{"too long for allow, then for deny", []Rule{rule("allow"), rule("deny")}, "Bash", command(MaxText+1, "rm -rf"), protocol.Deny, "cannot be checked"},
		{"a rule of another tool", []Rule{rule("deny")}, "Read", command(MaxText+1, "rm -rf"), protocol.NoDecision, ""},
		{"a field that no rule is about", []Rule{rule("deny")}, "Bash",
			json.RawMessage(`{"command":"ls","description":"` + strings.Repeat("a", MaxText+1) + `"}`), protocol.NoDecision, ""},
		{"a long name, a pattern of tools", []Rule{{Decision: "deny", Tool: "mcp__.*"}}, strings.Repeat("x", 10_000), nil, protocol.Deny, "the tool's name is 10000 bytes long"},
	} {
		v, decided := newPolicy(t, false, test.rules...).Decide(test.tool, test.input)
		want := test.reason
		if want == "" {
			want = "why"
		}
		if decided != (test.decision != protocol.NoDecision) || decided && (v.Decision != test.decision || !strings.Contains(v.Reason, want)) {
			t.Errorf("%s: %v, %+v", test.name, decided, v)
		}
	}
}

// All rules together take no longer than is left of a hook's time, and those that come too late decide.
func TestManyRulesTakeBoundedTime(t *testing.T) {
	var rules []Rule
	for i := range 1000 {
		rules = append(rules, Rule{Decision: "ask", Field: "*", Pattern: fmt.Sprintf(`(?i)(x|[a-m]+)+z%d$`, i)})
	}
	p := newPolicy(t, true, rules...)
	start := time.Now()
	v, _ := p.Decide("Bash", command(256<<10, "b"))
	if took := time.Since(start); took > 4*maxTime {
		t.Errorf("the rules took %v", took)
	}
	if v.Decision != protocol.Ask || v.Rule < 2 || !strings.Contains(v.Reason, "cannot be checked: tool_input.command: the rules have looked") {
		t.Errorf("got %+v", v)
	}
}

// BenchmarkLongCommand is one rule over a command of 15 MB.
func BenchmarkLongCommand(b *testing.B) {
	p := newPolicy(b, false, Rule{Decision: "deny", Tool: "Bash", Pattern: `(?i)(curl|wget).*\|\s*sh`})
	input := command(15_000_000, "ls")
	for b.Loop() {
		p.Decide("Bash", input)
	}
}
