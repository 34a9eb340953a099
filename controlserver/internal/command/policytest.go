package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/policypage"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/internal/logging"
	"tidepool/internal/policy"
	"tidepool/protocol"
)

type policyTestCommand struct {
	JSON bool `help:"Print one JSON object."`
}

// Run tries the policy on a hook event, as a daemon would now, and needs none for it.
func (c *policyTestCommand) Run(place protocol.Place, std Stdio) error {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return err
	}
	Warn(std, settings)
	t, err := tryEvent(place, settings, std)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(std, t)
	}
	p := page.New(std.Out)
	t.print(p)
	return p.Err()
}

// tryEvent tries the hook event on stdin on the rules and the policies of files.
func tryEvent(place protocol.Place, settings *config.Config, std Stdio) (tested, error) {
	if logging.IsTerminal(std.In) {
		fmt.Fprintln(std.Err, "reading the event from the terminal, until Ctrl-D")
	}
	input, err := io.ReadAll(io.LimitReader(std.In, protocol.MaxLine))
	if err != nil {
		return tested{}, fmt.Errorf("reading the event: %w", err)
	}
	policies, err := serve.Policies(place, settings)
	if err != nil {
		return tested{}, err
	}
	return try(policies, settings, input)
}

// A tested is what became of a hook event that was only tried.
type tested struct {
	Event    protocol.Event  `json:"event"`
	Tool     string          `json:"tool,omitempty"`
	Decision string          `json:"decision"`        // deny, ask, allow, or pass
	Rule     int             `json:"rule,omitempty"`  // from 1; 0: none decides
	Rules    int             `json:"rules"`           // how many there are
	Field    string          `json:"field,omitempty"` // of the tool's input, where the rule's pattern matches
	Reason   string          `json:"reason,omitempty"`
	Policy   string          `json:"policy,omitempty"` // id of the policy of a file that decides; then Rule is 0
	Told     []string        `json:"told,omitempty"`   // ids of the policies that the model is told, once in a conversation
	Output   json.RawMessage `json:"output"`           // what Claude Code is answered

	judgement policy.Judgement
}

// A weigher says what is decided about a tool call, and why.
type weigher interface {
	Weigh(tool string, input json.RawMessage) policy.Judgement
}

// decide asks the engine that the daemon has, with the settings of now and without policies of files.
func decide(settings *config.Config, input json.RawMessage) (tested, error) {
	p, err := serve.NewPolicy(settings)
	if err != nil {
		return tested{}, err
	}
	return try(p, settings, input)
}

// try asks for a hook event.
func try(policies weigher, settings *config.Config, input json.RawMessage) (tested, error) {
	in, err := protocol.DecodeHookInput(input)
	if err != nil {
		return tested{}, &eventError{err}
	}
	if in.Event == "" {
		return tested{}, &eventError{errors.New("it has no hook_event_name")}
	}
	t := tested{Event: in.Event, Tool: in.ToolName, Decision: "pass", Rules: len(settings.Policy), Output: protocol.EncodeHookOutput(nil)}
	if in.Event != protocol.PreToolUse || in.ToolName == "" {
		return t, nil
	}
	t.judgement = policies.Weigh(in.ToolName, in.ToolInput)
	if v := t.judgement.Verdict; t.judgement.Decided {
		t.Decision, t.Rule, t.Field, t.Reason = v.Decision.String(), v.Rule, v.Field, v.Reason
		if by := t.judgement.By; by != nil {
			t.Policy = cmp.Or(by.ID, by.Source)
		}
	}
	for _, told := range t.judgement.Told() {
		t.Told = append(t.Told, told.ID)
	}
	t.Output = protocol.EncodeHookOutput(t.judgement.Output())
	return t, nil
}

func (t tested) print(p *page.Page) {
	event := string(t.Event)
	if t.Tool != "" {
		event += " of " + t.Tool
	}
	p.Row(page.Plain, "event", event)
	if t.Policy == "" {
		p.Row(policypage.ToneOf(t.Decision), "rule", t.verdict())
	} else {
		p.Row(policypage.ToneOf(t.Decision), "policy", t.Policy+": "+t.Decision)
	}
	if t.Field != "" {
		p.Row(page.Plain, "matched", "tool_input."+t.Field)
	}
	if t.Reason != "" {
		p.Row(page.Plain, "reason", t.Reason)
	}
	if t.Told != nil {
		p.Row(page.Plain, "told", strings.Join(t.Told, ", ")+", once in a conversation")
	}
	if t.Decision == "pass" && t.Told == nil {
		p.Row(page.Plain, "answer", "none: Claude Code goes on as its own permissions say")
		return
	}
	p.Line(page.Plain, "answer", string(t.Output))
}

func (t tested) verdict() string {
	switch {
	case t.Rule > 0:
		return fmt.Sprintf("%d of %d: %s", t.Rule, t.Rules, t.Decision)
	case t.Decision != "pass":
		return fmt.Sprintf("none of %d decides; pre_tool_use does: %s", t.Rules, t.Decision)
	case t.Event != protocol.PreToolUse:
		return "none: the policy decides about PreToolUse only"
	case t.Tool == "":
		return "none: the event has no tool_name: closed mode refuses it"
	}
	return fmt.Sprintf("none of %d decides", t.Rules)
}

// An eventError is the reason why something is no hook event.
type eventError struct{ error }

func (e *eventError) Error() string { return "this is no hook event: " + e.error.Error() }
func (e *eventError) Unwrap() error { return e.error }

// Hint shows one.
func (*eventError) Hint() string {
	return `give it on stdin as Claude Code does: {"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}`
}

type policyExplainCommand struct {
	ID string `arg:"" optional:"" help:"Id of a policy, such as SEC-001. Without it the hook event on stdin is explained."`
}

// Run explains a policy, or an event.
func (c *policyExplainCommand) Run(place protocol.Place, std Stdio) error {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil {
		return err
	}
	Warn(std, settings)
	p := page.New(std.Out)
	if c.ID != "" {
		return errors.Join(explainPolicy(p, place, settings, c.ID), p.Err())
	}
	t, err := tryEvent(place, settings, std)
	if err != nil {
		return err
	}
	t.print(p)
	policypage.PrintConsidered(p, &t.judgement, len(settings.Policy))
	return p.Err()
}

// explainPolicy prints all policies of an id, the highest level first.
func explainPolicy(p *page.Page, place protocol.Place, settings *config.Config, id string) error {
	policies, err := serve.Policies(place, settings)
	if err != nil {
		return err
	}
	found := false
	definitions := policies.Definitions()
	for i := range definitions {
		if definitions[i].ID == id {
			found = true
			policypage.PrintWhole(p, &definitions[i])
		}
	}
	if !found {
		return &commandError{"there is no policy " + id, "agent policy list lists all of them"}
	}
	return nil
}
