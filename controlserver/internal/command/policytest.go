package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/internal/logging"
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
	if logging.IsTerminal(std.In) {
		fmt.Fprintln(std.Err, "reading the event from the terminal, until Ctrl-D")
	}
	input, err := io.ReadAll(io.LimitReader(std.In, protocol.MaxLine))
	if err != nil {
		return fmt.Errorf("reading the event: %w", err)
	}
	t, err := decide(settings, input)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(std.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(t)
	}
	p := page.New(std.Out)
	t.print(p)
	return p.Err()
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
	Output   json.RawMessage `json:"output"` // what Claude Code is answered
}

// decide asks the engine that the daemon has, with the settings of now.
func decide(settings *config.Config, input json.RawMessage) (tested, error) {
	in, err := protocol.DecodeHookInput(input)
	if err != nil {
		return tested{}, &eventError{err}
	}
	if in.Event == "" {
		return tested{}, &eventError{errors.New("it has no hook_event_name")}
	}
	p, err := serve.NewPolicy(settings)
	if err != nil {
		return tested{}, err
	}
	t := tested{Event: in.Event, Tool: in.ToolName, Decision: "pass", Rules: len(settings.Policy)}
	var output protocol.HookOutput
	if v, decided := p.Judge(in); decided {
		t.Decision, t.Rule, t.Field, t.Reason = v.Decision.String(), v.Rule, v.Field, v.Reason
		output = v.Output()
	}
	t.Output = protocol.EncodeHookOutput(output)
	return t, nil
}

func (t tested) print(p *page.Page) {
	event := string(t.Event)
	if t.Tool != "" {
		event += " of " + t.Tool
	}
	p.Row(page.Plain, "event", event)
	p.Row(toneOfDecision(t.Decision), "rule", t.verdict())
	if t.Field != "" {
		p.Row(page.Plain, "matched", "tool_input."+t.Field)
	}
	if t.Reason != "" {
		p.Row(page.Plain, "reason", t.Reason)
	}
	if t.Decision == "pass" {
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
