// Package policypage writes for a person which policies there are, and what became of each of them for a tool call.
package policypage

import (
	"cmp"
	"fmt"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/policy"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// A Policy is a policy of a file as a command prints it in JSON.
type Policy struct {
	ID          string             `json:"id"`
	Title       string             `json:"title"`
	Category    string             `json:"category,omitempty"`
	Severity    string             `json:"severity"`
	Level       string             `json:"level"` // org, team, project
	State       string             `json:"state"`
	By          string             `json:"by,omitempty"` // FILE:LINE of what overrides it
	Requirement string             `json:"requirement,omitempty"`
	Enforcement []policy.Condition `json:"enforcement,omitempty"`
	Expires     string             `json:"expires,omitempty"` // RFC 3339
	Overridable bool               `json:"overridable,omitempty"`
	Source      string             `json:"source"` // FILE:LINE
	Fault       string             `json:"fault,omitempty"`
}

// Of returns policies for JSON.
func Of(definitions []policy.Considered) []Policy {
	all := make([]Policy, len(definitions))
	for i, c := range definitions {
		all[i] = Policy{
			ID: c.ID, Title: c.Title, Category: c.Category, Severity: string(c.Severity), Level: c.Level.String(), State: string(c.State),
			Requirement: c.Requirement, Enforcement: c.Enforcement, Overridable: c.Overridable, Source: c.Source, Fault: c.Fault,
		}
		if c.By != nil {
			all[i].By = c.By.Source
		}
		if !c.Expires.IsZero() {
			all[i].Expires = c.Expires.Format(time.RFC3339)
		}
	}
	return all
}

// Print writes a policy in two or three rows.
func Print(p *page.Page, c *policy.Considered) {
	p.Row(toneOfState(c), heading(c), title(c)+" ("+describeState(c)+")")
	for _, condition := range c.Enforcement {
		p.Row(page.Plain, "", DescribeCondition(condition.Tool, condition.Field, condition.Pattern))
	}
}

// PrintWhole writes all of a policy.
func PrintWhole(p *page.Page, c *policy.Considered) {
	Print(p, c)
	for _, row := range []struct{ label, text string }{
		{"category", c.Category}, {"requires", c.Requirement}, {"fault", c.Fault}, {"from", c.Source},
	} {
		if row.text != "" {
			p.Row(page.Plain, row.label, row.text)
		}
	}
	if c.Overridable {
		p.Row(page.Plain, "overridable", "by a policy of a lower level with its id, in a file of your own")
	}
}

// PrintConsidered writes what became of each policy for one tool call.
func PrintConsidered(p *page.Page, j *policy.Judgement, rules int) {
	for i := range j.Considered {
		c := &j.Considered[i]
		label := ""
		if i == 0 {
			label = "considered"
		}
		text := "does not match"
		switch {
		case c.State == policy.Overridden && c.Matches:
			text = "matches, and does not count: " + describeState(c)
		case c.State != policy.InForce && c.State != policy.Unusable:
			text = describeState(c)
		case c.Matches && c.Decides == protocol.NoDecision:
			text = "matches: told"
		case c.Matches:
			text = "matches: " + c.Decides.String()
		}
		if c.Field != "" {
			text += " (tool_input." + c.Field + ")"
		}
		p.Row(ToneOf(c.Decides.String()), label, heading(c)+", from "+c.Source+": "+text)
	}
	if rules > 0 {
		text := "none fits"
		if j.Settings.Rule > 0 {
			text = fmt.Sprintf("rule %d fits first: %s", j.Settings.Rule, j.Settings.Decision)
		}
		p.Row(page.Plain, "settings", wording.Count(rules, "rule")+": "+text)
	}
	if j.Decided {
		p.Row(page.Plain, "because", "the strictest counts: deny before ask before allow, then the highest level")
	}
}

func heading(c *policy.Considered) string { return c.Level.String() + " " + cmp.Or(c.ID, "file") }

func title(c *policy.Considered) string { return cmp.Or(c.Title, c.Source) }

// describeState is "error, in force until 2027-02-01T00:00:00Z".
func describeState(c *policy.Considered) string {
	text := string(c.State)
	if c.State == policy.InForce || c.State == policy.Listed {
		text = string(c.Severity) + ", " + text
	}
	switch {
	case c.By != nil:
		text += " by " + c.By.Source
	case c.State == policy.Expired:
		text += " since " + c.Expires.Format(time.RFC3339)
	case !c.Expires.IsZero():
		text += " until " + c.Expires.Format(time.RFC3339)
	}
	return text
}

func toneOfState(c *policy.Considered) page.Tone {
	switch c.State {
	case policy.InForce:
		return ToneOf(c.Severity.Decision().String())
	case policy.Unusable:
		return page.Bad
	}
	return page.Plain
}

// DescribeCondition returns which tool calls a rule means.
func DescribeCondition(tool, field, pattern string) string {
	if tool == "" || tool == "*" {
		tool = "every tool"
	}
	if pattern == "" {
		return tool
	}
	switch field {
	case "":
		field = "its command, path or address"
	case "*":
		field = "any text of its input"
	}
	return fmt.Sprintf("%s, if %s matches %s", tool, field, pattern)
}

// ToneOf returns the tone of a decision.
func ToneOf(decision string) page.Tone {
	switch decision {
	case "deny":
		return page.Bad
	case "ask":
		return page.Odd
	case "allow":
		return page.Good
	}
	return page.Plain
}
