// Package policy decides about tool calls before they run, by the rules of a project and by the policies of files.
//
// Of the rules in a project's settings the first one that fits decides; what no rule decides is left to the user's own permissions, or
// allowed, as the settings say. Rules match a tool's name and the texts of its input within bounds of size and time, and one that denies or
// asks decides where it cannot look any further.
//
// Policies of files have three levels: organisation, team, project. Each of them that counts is asked, and the strictest answer of all
// policies and of the rules decides: deny before ask before allow, among equals the highest level, then the order of files and entries. A
// policy never allows, so a lower level adds and narrows. It loosens in one case: a policy that is overridable does not count while one of
// a lower level with its id, from a file that is the user's own, has not expired. A policy counts if it is enabled and not expired. One of
// severity info decides nothing; the model is told its requirement.
//
// The package starts no goroutines.
package policy

import (
	"encoding/json"
	"fmt"
	"regexp"

	"tidepool/protocol"
)

// A Rule decides about tool calls before they run. All its conditions must hold.
type Rule struct {
	Decision string // deny, ask or allow
	// Tool says which tools are meant, in the words of Claude Code's own matchers: "", "*" is all; only letters,
	// digits and "_|, -" are exact names, of which one must fit; anything else is a regular expression that must
	// match somewhere in the name.
	Tool string
	// Field says what of the tool's input the pattern looks at: a dotted path ("edits.new_string", "edits.0"; an
	// array stands for its elements), "*" for every text in it, "" for where commands, paths and addresses usually
	// stand.
	Field   string
	Pattern string // Go regular expression that must match the field somewhere; "" fits every input
	Reason  string // told to the model on deny, to the user otherwise; "" is a description of the rule
}

// A RuleError says which rule cannot be used, and why.
type RuleError struct {
	Number int    // from 1
	Field  string // decision, tool or pattern
	Err    error
}

func (e *RuleError) Error() string {
	return fmt.Sprintf("policy rule %d: %s: %v", e.Number, e.Field, e.Err)
}

func (e *RuleError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *RuleError) Hint() string {
	if e.Field == "decision" {
		return "write deny, ask or allow"
	}
	return "patterns are Go regular expressions: https://pkg.go.dev/regexp/syntax"
}

// A Policy decides about tool calls by the first of its rules that fits. The zero value has no rules.
type Policy struct {
	rules   []rule
	allowed bool       // what no rule decides about
	defined []*defined // of files, the highest level first
}

// A Verdict is what a policy says about one tool call.
type Verdict struct {
	Decision protocol.Permission
	Reason   string
	Rule     int    // from 1; 0: none fits, and the policy allows the rest
	Field    string // where in the tool's input the rule's pattern fits, as a dotted path; "" if it has no pattern
}

type rule struct {
	number   int                 // from 1
	name     string              // how messages name it
	decision protocol.Permission // NoDecision: it is only told
	tool     matcher
	field    selector
	pattern  *regexp.Regexp // nil fits every input
	reason   string
}

// New makes the rules ready; with allowRest, what none of them decides about is allowed instead of left open.
// The error is a *RuleError.
func New(rules []Rule, allowRest bool) (*Policy, error) {
	p := &Policy{rules: make([]rule, len(rules)), allowed: allowRest}
	for i, r := range rules {
		var err error
		if p.rules[i], err = r.compile(i + 1); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (r Rule) compile(number int) (rule, error) {
	c, err := r.match(number)
	if err != nil {
		return c, err
	}
	if c.decision, err = parseDecision(r.Decision); err != nil {
		return c, &RuleError{number, "decision", err}
	}
	c.name, c.reason = fmt.Sprintf("Rule %d of this project's policy (.tidepool/config.json)", number), r.Reason
	if c.reason == "" {
		c.reason = r.describe(c.name)
	}
	return c, nil
}

// match makes ready which tool calls the rule is about.
func (r Rule) match(number int) (c rule, err error) {
	c = rule{number: number, field: newSelector(r.Field)}
	if c.tool, err = newMatcher(r.Tool); err != nil {
		return c, &RuleError{number, "tool", err}
	}
	if r.Pattern != "" {
		if c.pattern, err = regexp.Compile(r.Pattern); err != nil {
			return c, &RuleError{number, "pattern", err}
		}
	}
	return c, nil
}

func parseDecision(name string) (protocol.Permission, error) {
	for _, p := range []protocol.Permission{protocol.Deny, protocol.Ask, protocol.Allow} {
		if p.String() == name {
			return p, nil
		}
	}
	return protocol.NoDecision, fmt.Errorf("expected deny, ask or allow, got %q", name)
}

// describe returns the reason of a rule that gives none, for a model to act on.
func (r Rule) describe(name string) string {
	tool, input := r.Tool, ""
	if tool == "" || tool == "*" {
		tool = "every tool"
	}
	if r.Pattern != "" {
		input = fmt.Sprintf(" with input that matches %q", r.Pattern)
	}
	reason := fmt.Sprintf("%s says %q for %s%s.", name, r.Decision, tool, input)
	if r.Decision == "deny" {
		reason += " Do without it, or ask the user."
	}
	return reason
}

// Decide returns the verdict about a tool call; false leaves it to the user's own permissions. It looks at a text of at
// most MaxText bytes and takes about maxTime: a rule that denies or asks and would have to look further decides as if
// it fitted, and says so, because padding must not lead past it. One that allows then does not fit.
func (p *Policy) Decide(tool string, input json.RawMessage) (Verdict, bool) {
	j := p.Weigh(tool, input)
	return j.Verdict, j.Decided
}

// Judge returns the verdict about the tool call that a hook is asked about; false if the hook is no PreToolUse, names no
// tool, or its call is left to the user's own permissions.
func (p *Policy) Judge(in *protocol.HookInput) (Verdict, bool) {
	if in.Event != protocol.PreToolUse || in.ToolName == "" {
		return Verdict{}, false
	}
	return p.Decide(in.ToolName, in.ToolInput)
}

// Output returns what the client is answered about a call, in a conversation that was told no policy yet; nil lets the call pass.
func (j *Judgement) Output() protocol.HookOutput {
	var output protocol.PreToolUseOutput
	if j.Decided {
		output = *j.Verdict.Output()
	}
	output.AdditionalContext = Telling(j.Told())
	if !j.Decided && output.AdditionalContext == "" {
		return nil
	}
	return &output
}

// Output returns what the client is answered.
func (v Verdict) Output() *protocol.PreToolUseOutput {
	return &protocol.PreToolUseOutput{Decision: v.Decision, Reason: v.Reason}
}
