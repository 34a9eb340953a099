package hook

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

// A policy is a list of rules, ready to match.
type policy []rule

type rule struct {
	number   int // from 1
	decision protocol.Permission
	tool     matcher
	field    selector
	pattern  *regexp.Regexp // nil fits every input
	reason   string
}

func compile(rules []Rule) (policy, error) {
	compiled := make(policy, len(rules))
	for i, r := range rules {
		var err error
		if compiled[i], err = r.compile(i + 1); err != nil {
			return nil, err
		}
	}
	return compiled, nil
}

func (r Rule) compile(number int) (c rule, err error) {
	c = rule{number: number, field: newSelector(r.Field), reason: r.Reason}
	if c.decision, err = parseDecision(r.Decision); err != nil {
		return c, &RuleError{number, "decision", err}
	}
	if c.tool, err = newMatcher(r.Tool); err != nil {
		return c, &RuleError{number, "tool", err}
	}
	if r.Pattern != "" {
		if c.pattern, err = regexp.Compile(r.Pattern); err != nil {
			return c, &RuleError{number, "pattern", err}
		}
	}
	if c.reason == "" {
		c.reason = r.describe(number)
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

// describe is the reason of a rule that gives none, for a model to act on.
func (r Rule) describe(number int) string {
	tool, input := r.Tool, ""
	if tool == "" || tool == "*" {
		tool = "every tool"
	}
	if r.Pattern != "" {
		input = fmt.Sprintf(" with input that matches %q", r.Pattern)
	}
	reason := fmt.Sprintf("Rule %d of this project's policy (.tidepool/config.json) says %q for %s%s.", number, r.Decision, tool, input)
	if r.Decision == "deny" {
		reason += " Do without it, or ask the user."
	}
	return reason
}

// match returns the first rule that fits, or nil.
func (p policy) match(tool string, input json.RawMessage) *rule {
	var decoded any // once, and only for a rule that looks inside
	for i := range p {
		r := &p[i]
		if !r.tool.match(tool) {
			continue
		}
		if r.pattern == nil {
			return r
		}
		if decoded == nil {
			decoded = decode(input)
		}
		if r.field.any(decoded, r.pattern.MatchString) {
			return r
		}
	}
	return nil
}
