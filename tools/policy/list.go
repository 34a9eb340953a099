package policy

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"tidepool/internal/policy"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// PolicyListInput is what policy_list takes.
type PolicyListInput struct {
	Scope     string `json:"scope,omitempty" jsonschema:"enum=project,enum=team,enum=org" jsonschema_description:"Only those of one level."`
	Category  string `json:"category,omitempty" jsonschema:"enum=security,enum=compliance,enum=coding,enum=testing,enum=documentation,enum=architecture,enum=repo" jsonschema_description:"Only those of one category."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Not needed."`
}

// PolicyListOutput is what policy_list returns.
type PolicyListOutput struct {
	Policies   []Summary `json:"policies"`
	Total      int       `json:"total"` // that fit; policies has 200 of them at most
	TokensUsed int       `json:"tokens_used"`
}

// A Summary is one policy in short.
type Summary struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Category string `json:"category"`
	Severity string `json:"severity"` // error, warning or info
	Scope    string `json:"scope"`    // org, team or project
	State    string `json:"state"`    // in force, not enforced, disabled, expired, overridden or unusable
}

// mostListed bounds the policies of an answer.
const mostListed = 200

// PolicyList returns the policies of files.
func (t *Toolset) PolicyList(_ context.Context, _ tools.Call, in PolicyListInput) (PolicyListOutput, error) {
	out := PolicyListOutput{Policies: []Summary{}}
	for _, c := range t.Policies.Definitions() {
		if in.Scope != "" && c.Level.String() != in.Scope || in.Category != "" && c.Category != in.Category {
			continue
		}
		if out.Total++; len(out.Policies) < mostListed {
			out.Policies = append(out.Policies, summary(c))
		}
	}
	out.TokensUsed = tokens(out.Text())
	return out, nil
}

func summary(c policy.Considered) Summary {
	return Summary{
		ID: line(cmp.Or(c.ID, c.Source)), Title: line(cmp.Or(c.Title, c.Fault)), Category: c.Category, Severity: string(c.Severity),
		Scope: c.Level.String(), State: string(c.State),
	}
}

// Text returns the answer for a model to read.
func (out PolicyListOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", wording.Count(out.Total, "policy"))
	for _, s := range out.Policies {
		b.WriteString(s.text() + "\n")
	}
	if more := out.Total - len(out.Policies); more > 0 {
		fmt.Fprintf(&b, "%d more: filter by scope or category\n", more)
	}
	return b.String()
}

// text is "SEC-001 error, security, org: No force pushes".
func (s Summary) text() string {
	text := s.ID + " " + s.Severity
	for _, part := range []string{s.Category, s.Scope} {
		if part != "" {
			text += ", " + part
		}
	}
	if s.State != string(policy.InForce) {
		text += ", " + s.State
	}
	return text + ": " + s.Title
}

// PolicyGetInput is what policy_get takes.
type PolicyGetInput struct {
	ID        string `json:"id" jsonschema:"minLength=1,maxLength=64" jsonschema_description:"Such as SEC-001."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Not needed."`
}

// PolicyGetOutput is what policy_get returns: the policy of the highest level, and those of lower ones with its id.
type PolicyGetOutput struct {
	Whole
	Lower      []Whole `json:"lower,omitempty"`
	TokensUsed int     `json:"tokens_used"`
}

// A Whole is all of one policy.
type Whole struct {
	Summary
	Requirement string             `json:"requirement"`
	Enforcement []policy.Condition `json:"enforcement"` // one that matches is enough
	Expires     string             `json:"expires,omitempty"`
	Overridable bool               `json:"overridable,omitempty"`
	Source      string             `json:"source"` // FILE:LINE
}

// An unknownError means that there is no policy of an id.
type unknownError struct{ id string }

func (e *unknownError) Error() string {
	return fmt.Sprintf("there is no policy %q", wording.Line(e.id, 64))
}

// Hint says where the ids are.
func (*unknownError) Hint() string { return "policy_list has the ids of all policies" }

// IsNotFound tells this failure from others.
func (*unknownError) IsNotFound() bool { return true }

// PolicyGet returns all of a policy.
func (t *Toolset) PolicyGet(_ context.Context, _ tools.Call, in PolicyGetInput) (PolicyGetOutput, error) {
	var found []Whole
	for _, c := range t.Policies.Definitions() {
		if c.ID == in.ID {
			found = append(found, whole(c))
		}
	}
	if found == nil {
		return PolicyGetOutput{}, &unknownError{in.ID}
	}
	out := PolicyGetOutput{Whole: found[0], Lower: found[1:]}
	out.TokensUsed = tokens(out.Text())
	return out, nil
}

func whole(c policy.Considered) Whole {
	w := Whole{Summary: summary(c), Requirement: line(c.Requirement), Enforcement: []policy.Condition{}, Overridable: c.Overridable, Source: line(c.Source)}
	for _, e := range c.Enforcement {
		w.Enforcement = append(w.Enforcement, policy.Condition{Tool: line(e.Tool), Field: line(e.Field), Pattern: line(e.Pattern), Reason: line(e.Reason)})
	}
	if !c.Expires.IsZero() {
		w.Expires = c.Expires.UTC().Format(time.RFC3339)
	}
	return w
}

// Text returns the answer for a model to read.
func (out PolicyGetOutput) Text() string {
	var b strings.Builder
	for _, w := range append([]Whole{out.Whole}, out.Lower...) {
		b.WriteString(w.text())
	}
	return b.String()
}

func (w Whole) text() string {
	var b strings.Builder
	b.WriteString(w.Summary.text() + "\n")
	if w.Requirement != "" {
		fmt.Fprintf(&b, "Requirement: %s\n", w.Requirement)
	}
	for _, e := range w.Enforcement {
		fmt.Fprintf(&b, "Matches: %s\n", describe(e))
	}
	if w.Expires != "" {
		fmt.Fprintf(&b, "Expires: %s\n", w.Expires)
	}
	fmt.Fprintf(&b, "From: %s\n", w.Source)
	return b.String()
}

func describe(e policy.Condition) string {
	text := cmp.Or(e.Tool, "every tool")
	if e.Pattern != "" {
		text += ", if " + cmp.Or(e.Field, "its command, path or address") + " matches " + e.Pattern
	}
	return text
}
