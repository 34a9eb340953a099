package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidepool/internal/policy"
	"tidepool/internal/wording"
	"tidepool/protocol"
	"tidepool/tools"
)

// PolicyCheckInput is what policy_check takes.
type PolicyCheckInput struct {
	Action    string `json:"action" jsonschema:"minLength=1,maxLength=100000" jsonschema_description:"A command line, or with tool what the tool gets: a command, path, address or pattern."`
	Tool      string `json:"tool,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Name of the tool, such as Write or mcp__github__create_issue."`
	Input     string `json:"input,omitempty" jsonschema:"maxLength=1000000" jsonschema_description:"The tool's whole input, a JSON object as text. Then action is only a description."`
	Context   string `json:"context,omitempty" jsonschema:"maxLength=10000" jsonschema_description:"Why. It is not looked at."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Not needed."`
}

// PolicyCheckOutput is what policy_check returns.
type PolicyCheckOutput struct {
	Compliant   bool        `json:"compliant"` // nothing denies it, and nobody would be asked
	Decision    string      `json:"decision"`  // of the strictest: deny, ask, allow, or pass, which leaves it to the user's own permissions
	Violations  []Violation `json:"violations"`
	Suggestions []string    `json:"suggestions"`
	Checked     []string    `json:"checked"` // as which tool calls
	TokensUsed  int         `json:"tokens_used"`
}

// A Violation is what one policy says about an action.
type Violation struct {
	PolicyID    string `json:"policy_id"` // "rule 2" for one of the project's settings
	PolicyTitle string `json:"policy_title"`
	Reason      string `json:"reason"`
	Severity    string `json:"severity"` // error, warning or info
}

// PolicyCheck returns what the policies say about an action.
func (t *Toolset) PolicyCheck(_ context.Context, _ tools.Call, in PolicyCheckInput) (PolicyCheckOutput, error) {
	out := PolicyCheckOutput{Compliant: true, Decision: "pass", Violations: []Violation{}, Suggestions: []string{}}
	calls, err := callsOf(in)
	if err != nil {
		return out, err
	}
	for _, c := range calls {
		out.Checked = append(out.Checked, c.about)
		out.add(t.Policies.Weigh(c.tool, c.input))
	}
	out.suggest(t.Policies.Definitions())
	out.TokensUsed = tokens(out.Text())
	return out, nil
}

// A checkedCall is a tool call that an action may mean.
type checkedCall struct {
	tool  string
	input json.RawMessage
	about string
}

// An inputError means that the input of a call cannot be used.
type inputError struct{ what string }

func (e *inputError) Error() string { return e.what }

// Hint shows one.
func (*inputError) Hint() string {
	return `name the tool, and give its input as text: "{\"command\": \"make\"}", or leave it out and say by action what the tool gets`
}

// callsOf returns the tool calls that an action means.
func callsOf(in PolicyCheckInput) ([]checkedCall, error) {
	var members map[string]json.RawMessage
	switch {
	case in.Input != "" && in.Tool == "":
		return nil, &inputError{"there is an input, and no tool that gets it"}
	case in.Input != "" && (json.Unmarshal([]byte(in.Input), &members) != nil || members == nil):
		return nil, &inputError{"input is no JSON object"}
	case in.Input != "":
		return []checkedCall{{in.Tool, json.RawMessage(in.Input), wording.Line(in.Tool, 200) + " with its input"}}, nil
	case in.Tool != "":
		return []checkedCall{callOf(in.Tool, fieldOf(in.Tool), in.Action)}, nil
	}
	calls := []checkedCall{callOf("Bash", "command", in.Action)}
	if isPath(in.Action) {
		calls = append(calls, callOf("Write", "file_path", in.Action))
	}
	return calls, nil
}

// callOf returns the call of a tool that gets an action in a field.
func callOf(tool, field, action string) checkedCall {
	input, _ := json.Marshal(map[string]string{field: action}) // texts can be encoded
	return checkedCall{tool, input, wording.Line(tool, 200) + " with action as " + field}
}

// fieldOf returns where a tool has what it is about.
func fieldOf(tool string) string {
	switch tool {
	case "Read", "Write", "Edit", "MultiEdit":
		return "file_path"
	case "NotebookEdit":
		return "notebook_path"
	case "Glob", "Grep":
		return "pattern"
	case "WebFetch":
		return "url"
	case "WebSearch":
		return "query"
	}
	return "command"
}

// isPath reports whether an action may be a path: one word with a slash or an extension.
func isPath(action string) bool {
	return !strings.ContainsAny(action, " \t\n|&;<>$`") && (strings.Contains(action, "/") || path.Ext(action) != "")
}

// add takes in what was said about one tool call.
func (out *PolicyCheckOutput) add(j policy.Judgement) {
	for _, c := range j.Considered {
		if !c.Matches || c.State == policy.Overridden {
			continue
		}
		out.violation(cmp.Or(c.ID, c.Source), cmp.Or(c.Title, "A policy file that cannot be used"), c.Reason, string(c.Severity))
	}
	if s := j.Settings; s.Rule > 0 && s.Decision != protocol.Allow {
		severity := policy.Warning
		if s.Decision == protocol.Deny {
			severity = policy.Error
		}
		out.violation(fmt.Sprintf("rule %d", s.Rule), fmt.Sprintf("Rule %d of the project's settings", s.Rule), s.Reason, string(severity))
	}
	if decision := j.Verdict.Decision.String(); j.Decided && rank(decision) > rank(out.Decision) {
		out.Decision = decision
	}
	out.Compliant = out.Decision == "pass" || out.Decision == "allow"
}

func rank(decision string) int {
	return slices.Index([]string{"pass", "allow", "ask", "deny"}, decision)
}

func (out *PolicyCheckOutput) violation(id, title, reason, severity string) {
	v := Violation{PolicyID: line(id), PolicyTitle: line(title), Reason: line(reason), Severity: severity}
	if !slices.Contains(out.Violations, v) {
		out.Violations = append(out.Violations, v)
	}
}

// mostNamed bounds the policies that a suggestion names.
const mostNamed = 20

// suggest adds what to do.
func (out *PolicyCheckOutput) suggest(all []policy.Considered) {
	switch out.Decision {
	case "deny":
		out.Suggestions = append(out.Suggestions, "Do without it, or ask the user.")
	case "ask":
		out.Suggestions = append(out.Suggestions, "The user will be asked; say why you want it.")
	}
	var unchecked []string
	for _, c := range all {
		if c.State == policy.Listed {
			unchecked = append(unchecked, c.ID)
		}
	}
	if len(unchecked) > 0 {
		more := ""
		if n := len(unchecked) - mostNamed; n > 0 {
			unchecked, more = unchecked[:mostNamed], fmt.Sprintf(" and %d more", n)
		}
		out.Suggestions = append(out.Suggestions, "Policies without enforcement were not checked; policy_get shows them: "+strings.Join(unchecked, ", ")+more+".")
	}
}

// Text returns the answer for a model to read.
func (out PolicyCheckOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (checked: %s)\n", map[string]string{
		"deny": "not compliant: it would be denied", "ask": "not compliant: the user would be asked",
		"allow": "compliant: it is allowed", "pass": "compliant: the user's own permissions decide",
	}[out.Decision], strings.Join(out.Checked, "; "))
	for _, v := range out.Violations {
		fmt.Fprintf(&b, "%s %s: %s\n", v.Severity, v.PolicyID, v.Reason)
	}
	for _, s := range out.Suggestions {
		b.WriteString(s + "\n")
	}
	return b.String()
}
