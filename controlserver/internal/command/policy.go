package command

import (
	"encoding/json"
	"fmt"
	"slices"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/protocol"
)

// Policy has the commands about the policy.
type Policy struct {
	Test policyTestCommand `cmd:"" help:"Show which rule decides about the hook event on stdin, and the answer to Claude Code."`
	List policyListCommand `cmd:"" help:"List the rules in the order in which they are tried."`
}

type policyListCommand struct {
	JSON bool `help:"Print one JSON object."`
}

// A listedPolicy is the policy as `policy list --json` prints it.
type listedPolicy struct {
	PreToolUse string        `json:"pre_tool_use"`
	Source     string        `json:"source"` // of the rules
	Rules      []config.Rule `json:"policy"`
}

// Run prints the rules that a daemon has now.
func (c *policyListCommand) Run(place protocol.Place, std Stdio) error {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return err
	}
	Warn(std, settings)
	listed := listedPolicy{PreToolUse: settings.PreToolUse, Source: sourceOf(settings, "policy"), Rules: settings.Policy}
	if c.JSON {
		enc := json.NewEncoder(std.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(listed)
	}
	p := page.New(std.Out)
	printPolicy(p, listed)
	return p.Err()
}

func sourceOf(settings *config.Config, key string) string {
	all := settings.Settings()
	return all[slices.IndexFunc(all, func(s config.Setting) bool { return s.Key == key })].Source
}

func printPolicy(p *page.Page, listed listedPolicy) {
	for i, r := range listed.Rules {
		p.Row(toneOfDecision(r.Decision), fmt.Sprintf("%d %s", i+1, r.Decision), describeRule(r))
		if r.Reason != "" {
			p.Row(page.Plain, "", r.Reason)
		}
	}
	rest := "is left to Claude Code's own permissions (pre_tool_use is pass)"
	if listed.PreToolUse == "allow" {
		rest = "is allowed (pre_tool_use is allow)"
	}
	if len(listed.Rules) == 0 {
		p.Row(page.Plain, "no rules", "every tool call "+rest)
		return
	}
	p.Row(page.Plain, "else", "what no rule decides "+rest)
	p.Row(page.Plain, "from", listed.Source)
}

// describeRule returns which tool calls a rule means.
func describeRule(r config.Rule) string {
	tool, field := r.Tool, r.Field
	if tool == "" || tool == "*" {
		tool = "every tool"
	}
	if r.Pattern == "" {
		return tool
	}
	switch field {
	case "":
		field = "its command, path or address"
	case "*":
		field = "any text of its input"
	}
	return fmt.Sprintf("%s, if %s matches %s", tool, field, r.Pattern)
}

func toneOfDecision(decision string) page.Tone {
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
