package command

import (
	"encoding/json"
	"fmt"
	"slices"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/policypage"
	"tidepool/controlserver/internal/policywatch"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/protocol"
)

// Policy has the commands about the policy.
type Policy struct {
	Test    policyTestCommand    `cmd:"" help:"Show which rule or policy decides about the hook event on stdin, and the answer to Claude Code."`
	List    policyListCommand    `cmd:"" help:"List the policies of files and the rules, in the order in which they are tried."`
	Explain policyExplainCommand `cmd:"" help:"Explain a policy by its id, or what became of each policy for the hook event on stdin."`
}

type policyListCommand struct {
	JSON bool `help:"Print one JSON object."`
}

// A listedPolicy is the policy as `policy list --json` prints it.
type listedPolicy struct {
	PreToolUse string        `json:"pre_tool_use"`
	Source     string        `json:"source"` // of the rules
	Rules      []config.Rule `json:"policy"`

	Policies []policypage.Policy `json:"policies"` // of files
	Problems []string            `json:"problems,omitempty"`
}

// Run prints the rules that a daemon has now.
func (c *policyListCommand) Run(place protocol.Place, std Stdio) error {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return err
	}
	Warn(std, settings)
	policies, err := serve.Policies(place, settings)
	if err != nil {
		return err
	}
	listed := listedPolicy{PreToolUse: settings.PreToolUse, Source: sourceOf(settings, "policy"), Rules: settings.Policy}
	definitions := policies.Definitions()
	listed.Policies, listed.Problems = policypage.Of(definitions), linesOfAll(policies)
	if c.JSON {
		return printJSON(std, listed)
	}
	p := page.New(std.Out)
	for _, problem := range listed.Problems {
		p.Row(page.Bad, "PROBLEM", problem)
	}
	for i := range definitions {
		policypage.Print(p, &definitions[i])
	}
	printPolicy(p, listed)
	return p.Err()
}

// linesOfAll returns what is wrong with policy files.
func linesOfAll(policies *policywatch.Watch) []string {
	_, problems := policies.Problems()
	var lines []string
	for _, err := range problems {
		lines = append(lines, serve.Lines(err)...)
	}
	return lines
}

func printJSON(std Stdio, value any) error {
	enc := json.NewEncoder(std.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(value)
}

func sourceOf(settings *config.Config, key string) string {
	all := settings.Settings()
	return all[slices.IndexFunc(all, func(s config.Setting) bool { return s.Key == key })].Source
}

func printPolicy(p *page.Page, listed listedPolicy) {
	for i, r := range listed.Rules {
		p.Row(policypage.ToneOf(r.Decision), fmt.Sprintf("%d %s", i+1, r.Decision), policypage.DescribeCondition(r.Tool, r.Field, r.Pattern))
		if r.Reason != "" {
			p.Row(page.Plain, "", r.Reason)
		}
	}
	rest := "is left to Claude Code's own permissions (pre_tool_use is pass)"
	if listed.PreToolUse == "allow" {
		rest = "is allowed (pre_tool_use is allow)"
	}
	if len(listed.Rules) == 0 && len(listed.Policies) > 0 {
		p.Row(page.Plain, "no rules", "what no policy decides "+rest)
		return
	}
	if len(listed.Rules) == 0 {
		p.Row(page.Plain, "no rules", "every tool call "+rest)
		return
	}
	p.Row(page.Plain, "else", "what no rule decides "+rest)
	p.Row(page.Plain, "from", listed.Source)
}
