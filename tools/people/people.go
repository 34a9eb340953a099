// Package people has the tools that ask the user: to confirm an action, to
// choose, to give guidance.
package people

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"tidepool/internal/ask"
	"tidepool/protocol"
	"tidepool/tools"
)

// An Asker asks the user a question and waits for the answer. It calls posted with the stored question.
type Asker interface {
	Ask(ctx context.Context, q protocol.Question, posted func(protocol.Question)) (ask.Answer, error)
}

//go:embed desc/*.md
var descriptions embed.FS

// A Toolset has the tools that ask the user.
type Toolset struct {
	Asker   Asker
	Timeout time.Duration           // how long a question may wait, within the call's own deadline; 0: as long as that
	Notify  func(protocol.Question) // called with each new question; must not block; nil: not called
}

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

// ConfirmActionInput is what confirm_action takes.
type ConfirmActionInput struct {
	Action  string `json:"action" means:"question" jsonschema:"minLength=1,maxLength=20000" jsonschema_description:"What is to be done, as the user would say it: Delete the staging database."`
	Details string `json:"details,omitempty" jsonschema:"maxLength=20000" jsonschema_description:"What the user needs to know to decide: the command, what is lost, why now."`
}

// ConfirmActionOutput is what confirm_action returns.
type ConfirmActionOutput struct {
	Confirmed bool `json:"confirmed"`
	answered
}

// ConfirmAction asks the user whether something may be done.
func (p *Toolset) ConfirmAction(ctx context.Context, call tools.Call, in ConfirmActionInput) (ConfirmActionOutput, error) {
	a, err := p.ask(ctx, call, protocol.Question{
		Kind: protocol.ConfirmQuestion, Text: in.Action, Details: in.Details,
		Options: []protocol.QuestionOption{{ID: ask.Yes, Label: "Confirm"}, {ID: ask.No, Label: "Cancel"}},
	}, map[string]any{"confirmed": nil})
	return ConfirmActionOutput{Confirmed: a.Reply.Choice == ask.Yes, answered: answeredAs(a)}, err
}

// Text tells a model what the user has decided.
func (o ConfirmActionOutput) Text() string {
	if o.Confirmed {
		return "The user confirmed (" + o.Channel + "). Go ahead.\n"
	}
	return "The user said no (" + o.Channel + "). Do not do it.\n"
}

// SelectOptionInput is what select_option takes.
type SelectOptionInput struct {
	Prompt  string   `json:"prompt" means:"question" jsonschema:"minLength=1,maxLength=20000" jsonschema_description:"What is to be chosen, and what the user needs to know for it."`
	Options []option `json:"options" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"What can be chosen: texts, or pairs [id, label] of what is returned and what is shown."`
}

// SelectOptionOutput is what select_option returns.
type SelectOptionOutput struct {
	Selected string  `json:"selected"` // an option's id, or its text if it has none; "custom": none of them
	Custom   *string `json:"custom"`   // what the user wrote, also beside an option; nil: nothing
	answered
}

// SelectOption asks the user to choose.
func (p *Toolset) SelectOption(ctx context.Context, call tools.Call, in SelectOptionInput) (SelectOptionOutput, error) {
	options, returned, err := questionOptions(in.Options)
	if err != nil {
		return SelectOptionOutput{}, err
	}
	q := protocol.Question{Kind: protocol.SelectQuestion, Text: in.Prompt, Free: true, Options: options}
	a, err := p.ask(ctx, call, q, map[string]any{"selected": nil, "custom": nil})
	out := SelectOptionOutput{Selected: returned[a.Reply.Choice], answered: answeredAs(a)}
	if a.Reply.Text != "" {
		out.Custom = &a.Reply.Text
	}
	if out.Selected == "" {
		out.Selected = custom
	}
	return out, err
}

// custom is what select_option calls an answer that is none of the options.
const custom = "custom"

// Text tells a model what the user has chosen.
func (o SelectOptionOutput) Text() string {
	switch {
	case o.Custom == nil:
		return fmt.Sprintf("The user chose %s (%s).\n", o.Selected, o.Channel)
	case o.Selected == custom:
		return fmt.Sprintf("The user chose none of the options and wrote (%s):\n%s\n", o.Channel, *o.Custom)
	}
	return fmt.Sprintf("The user chose %s and wrote (%s):\n%s\n", o.Selected, o.Channel, *o.Custom)
}

// RequestGuidanceInput is what request_guidance takes.
type RequestGuidanceInput struct {
	Context     string   `json:"context" means:"question" jsonschema:"minLength=1,maxLength=20000" jsonschema_description:"Where you are and what you need to know to go on."`
	Suggestions []string `json:"suggestions,omitempty" jsonschema:"maxItems=20" jsonschema_description:"Answers that the user can give by one key."`
}

// RequestGuidanceOutput is what request_guidance returns.
type RequestGuidanceOutput struct {
	Guidance string `json:"guidance"`
	answered
}

// RequestGuidance asks the user what to do.
func (p *Toolset) RequestGuidance(ctx context.Context, call tools.Call, in RequestGuidanceInput) (RequestGuidanceOutput, error) {
	q := protocol.Question{Kind: protocol.GuidanceQuestion, Text: in.Context, Free: true}
	for i, s := range in.Suggestions {
		q.Options = append(q.Options, protocol.QuestionOption{ID: fmt.Sprint(i + 1), Label: s})
	}
	a, err := p.ask(ctx, call, q, map[string]any{"guidance": nil})
	out := RequestGuidanceOutput{Guidance: a.Reply.Text, answered: answeredAs(a)}
	for i, s := range in.Suggestions {
		if a.Reply.Choice == fmt.Sprint(i+1) {
			out.Guidance = strings.TrimSpace(s + "\n" + a.Reply.Text)
		}
	}
	return out, err
}

// Text tells a model what the user has said.
func (o RequestGuidanceOutput) Text() string {
	return fmt.Sprintf("The user says (%s):\n%s\n", o.Channel, o.Guidance)
}

// answered says whose answer a result is.
type answered struct {
	AnsweredBy ask.Who `json:"answered_by"`
	Channel    string  `json:"channel"`
	Reason     string  `json:"reason,omitempty"`
}

func answeredAs(a ask.Answer) answered { return answered{a.By, a.Channel, a.Reason} }

// reminder is how often whoever waits for an answer is told how to give one.
const reminder = 15 * time.Second

// reserve is what of a call's time is left for saying that nobody answered.
const reserve = 2 * time.Second

// ask puts a question to the user. That nobody answers is an error, with the result as nobody's: never a no.
func (p *Toolset) ask(ctx context.Context, call tools.Call, q protocol.Question, nobody map[string]any) (ask.Answer, error) {
	q.From = protocol.QuestionOrigin{Tool: call.Tool, Client: call.Client, Session: call.Caller.Session, Dir: call.Caller.Dir}
	waiting := ctx
	if call.Await != nil {
		var release func()
		waiting, release = call.Await(ctx)
		defer release()
	}
	waiting, cancel := p.bound(waiting)
	var reminders sync.WaitGroup
	answer, err := p.Asker.Ask(waiting, q, func(q protocol.Question) {
		if call.Show != nil {
			call.Show(q)
		}
		if p.Notify != nil {
			p.Notify(q)
		}
		reminders.Go(func() { remind(waiting, call, q) })
	})
	cancel()
	reminders.Wait()
	if err != nil || answer.By == ask.User {
		return answer, err
	}
	nobody["answered_by"], nobody["channel"], nobody["reason"] = answer.By, "", answer.Reason
	data, err := json.Marshal(nobody)
	if err != nil {
		return answer, err
	}
	return answer, &protocol.Error{Code: protocol.CodeInternal, Data: data, Message: fmt.Sprintf(
		"The user has not answered (answered_by %s): %s. This is neither a yes nor a no: ask in the conversation, or go on without what needs the answer.",
		answer.By, answer.Reason)}
}

// bound returns the time that a question may wait.
func (p *Toolset) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := p.Timeout
	if end, bounded := ctx.Deadline(); bounded {
		left := time.Until(end)
		left -= min(reserve, left/2)
		if limit == 0 || left < limit {
			limit = left
		}
	}
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// remind tells the caller how to answer, at once and now and again until ctx ends.
func remind(ctx context.Context, call tools.Call, q protocol.Question) {
	message := fmt.Sprintf("waiting for the user: question %s is answered in agent ui, or by agent answer %s", q.ID, q.ID)
	begin := time.Now()
	again := time.NewTicker(reminder)
	defer again.Stop()
	for {
		call.Report(tools.Progress{Done: time.Since(begin).Seconds(), Message: message})
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
	}
}
