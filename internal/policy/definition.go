package policy

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// A Level is whose policy it is, the highest first.
type Level uint8

// The levels.
const (
	Organisation Level = iota
	Team
	Project
)

// String returns the level's name, as policy_list takes it: org, team or project.
func (l Level) String() string { return [...]string{"org", "team", "project"}[l] }

func (l Level) possessive() string {
	return [...]string{"of the organisation", "of the team", "of this project"}[l]
}

// A Severity is what a policy does about a tool call that its enforcement matches.
type Severity string

// The severities, the strictest first.
const (
	Error   Severity = "error"   // the call is denied
	Warning Severity = "warning" // the user is asked
	Info    Severity = "info"    // the model is told the requirement
)

// Decision returns what a policy of the severity decides; NoDecision for Info.
func (s Severity) Decision() protocol.Permission {
	switch s {
	case Error:
		return protocol.Deny
	case Warning:
		return protocol.Ask
	}
	return protocol.NoDecision
}

// A Condition is when a policy matches a tool call. Its fields are those of a [Rule].
type Condition struct {
	Tool    string `json:"tool,omitempty"`
	Field   string `json:"field,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Reason  string `json:"reason,omitempty"` // "": the policy's requirement
}

// A Definition is one policy of a file.
type Definition struct {
	ID          string // such as SEC-001; "" for a file of which nothing can be read
	Title       string
	Category    string
	Severity    Severity
	Requirement string
	Enforcement []Condition // one that matches is enough; none: the policy is only listed
	Expires     time.Time   // it counts before; zero: for ever
	Overridable bool        // a lower level may replace it, see MayOverride
	Disabled    bool
	Level       Level
	Source      string // FILE:LINE

	// MayOverride reports whether the policy replaces overridable ones of higher levels that have its id, because its file is
	// the user's own.
	MayOverride bool
	// Fault is why the policy cannot be used as it is written; "" if it can. What it would have denied is not known, so the user is asked
	// about each call of the tools in Enforcement, whose patterns do not count; about every call if Enforcement is empty.
	Fault string
}

// Name returns how messages name the policy, for example "Policy SEC-001 of the organisation".
func (d *Definition) Name() string {
	if d.ID == "" {
		return "A policy file " + d.Level.possessive()
	}
	return "Policy " + wording.Line(wording.Visible(d.ID), maxID) + " " + d.Level.possessive()
}

// Bounds of what a message quotes of a policy, in characters.
const (
	maxID     = 64
	maxTitle  = 200
	maxReason = 1000
)

// message returns a text of the policy with the policy's name before it.
func (d *Definition) message(text string) string {
	name := d.Name()
	if d.Title != "" && d.Title != text {
		name += " (" + wording.Line(wording.Visible(d.Title), maxTitle) + ")"
	}
	text = wording.Line(wording.Visible(text), maxReason)
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return name + ": " + text
}

// A defined policy is ready to be asked.
type defined struct {
	*Definition
	conditions []rule
	replacedBy []*defined // those that stand in its place while they have not expired
}

// define makes a definition ready. The error is a *RuleError with the number of the condition.
func define(d *Definition) (*defined, error) {
	made := &defined{Definition: d}
	if d.Fault != "" {
		made.conditions = d.doubtful()
		return made, nil
	}
	for i, c := range d.Enforcement {
		compiled, err := Rule{Tool: c.Tool, Field: c.Field, Pattern: c.Pattern}.match(i + 1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name(), err)
		}
		compiled.decision, compiled.name = d.Severity.Decision(), d.Name()
		compiled.reason = d.message(cmp.Or(c.Reason, d.Requirement, d.Title))
		if compiled.decision == protocol.Deny && c.Reason == "" {
			compiled.reason += " Do without it, or ask the user."
		}
		made.conditions = append(made.conditions, compiled)
	}
	return made, nil
}

// doubtful returns the conditions of a policy that cannot be used as it is written.
func (d *Definition) doubtful() []rule {
	reason := d.Name() + " cannot be used, so nobody can tell what it denies: " + wording.Line(wording.Visible(d.Fault), maxReason) +
		" Its file must be corrected; agent doctor shows it."
	doubt := func(tool matcher) rule {
		return rule{decision: protocol.Ask, name: d.Name(), tool: tool, reason: reason}
	}
	var all []rule
	for _, c := range d.Enforcement {
		tool, err := newMatcher(c.Tool)
		if err != nil {
			tool = matcher{all: true}
		}
		all = append(all, doubt(tool))
	}
	if all == nil {
		all = []rule{doubt(matcher{all: true})}
	}
	return all
}

// decision returns what the policy decides about a call that it matches.
func (d *defined) decision() protocol.Permission {
	if d.Fault != "" {
		return protocol.Ask
	}
	return d.Severity.Decision()
}

// mayReplace reports whether d may stand in the place of a policy.
func (d *defined) mayReplace(other *defined) bool {
	return d.MayOverride && d.Fault == "" && d.ID == other.ID && d.ID != "" && d.Level > other.Level && other.Overridable && other.Fault == ""
}

func (d *defined) expired(now time.Time) bool { return !d.Expires.IsZero() && !now.Before(d.Expires) }

// A State is whether a policy counts now, and if not, why.
type State string

// The states.
const (
	InForce    State = "in force"
	Listed     State = "not enforced" // it has no enforcement
	Disabled   State = "disabled"
	Expired    State = "expired"
	Overridden State = "overridden"
	Unusable   State = "unusable" // the user is asked in its place
)

// state returns whether the policy counts at a time; by is what overrides it.
func (d *defined) state(now time.Time) (s State, by *Definition) {
	switch {
	case d.Disabled:
		return Disabled, nil
	case d.expired(now):
		return Expired, nil
	case d.Fault != "":
		return Unusable, nil
	}
	for _, other := range d.replacedBy {
		if !other.expired(now) {
			return Overridden, other.Definition
		}
	}
	if d.conditions == nil {
		return Listed, nil
	}
	return InForce, nil
}
