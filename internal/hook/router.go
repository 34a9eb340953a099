package hook

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"tidepool/internal/hook/translate"
	"tidepool/internal/session"
	"tidepool/protocol"
)

// Options configures a Router. The zero value lets every event pass.
type Options struct {
	Parts         []Part                 // in the order in which they are asked
	Conversations *session.Conversations // receives each event; nil: not kept
	Record        *Record                // receives each outcome; nil: not kept
	Ended         func(Outcome)          // called after each event; must not block; nil: not called
	Log           *slog.Logger           // nil: nothing is logged
}

// A Router answers hook events. It is safe for concurrent use. Goroutines: those of parts that run Apart. They end at the event's
// deadline; Close waits for those that are late.
type Router struct {
	known         map[protocol.Event][]*part // by event, the parts that are asked about it
	other         []*part                    // the parts that are asked about all other events
	conversations *session.Conversations
	record        *Record
	ended         func(Outcome)
	log           *slog.Logger
}

// New returns a router.
func New(o Options) *Router {
	r := &Router{known: make(map[protocol.Event][]*part), conversations: o.Conversations, record: o.Record, ended: o.Ended, log: o.Log}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	if r.conversations == nil {
		r.conversations = session.New()
	}
	if r.record == nil {
		r.record = NewRecord()
	}
	for _, p := range o.Parts {
		r.add(newPart(p, r.log))
	}
	return r
}

func (r *Router) add(p *part) {
	events := p.Events()
	if events == nil {
		r.other = append(r.other, p)
		events = protocol.Events()
	}
	for _, event := range events {
		r.known[event] = append(r.known[event], p)
	}
}

// Close waits for contributors that are late, at most until ctx ends. It stops asking those that run Apart.
func (r *Router) Close(ctx context.Context) {
	var closed []*part
	for _, parts := range r.known {
		for _, p := range parts {
			if !slices.Contains(closed, p) {
				closed = append(closed, p)
				p.close(ctx)
			}
		}
	}
}

// Hook answers one event. The exit code is always 0: a decision is part of the output. An event of another client than Claude
// Code is translated, and so is the answer.
func (r *Router) Hook(ctx context.Context, event *protocol.HookEvent) *protocol.HookResponse {
	client := translate.For(event.Runtime)
	if client == nil {
		return &protocol.HookResponse{Output: r.one(ctx, event)}
	}
	var answers []json.RawMessage
	inputs := client.Inputs(event.Event, event.Input)
	for _, in := range inputs {
		one := *event
		one.Input, one.Event, one.NoRecall = in.Raw, in.Event, event.NoRecall || in.Unsure
		answers = append(answers, r.one(ctx, &one))
	}
	return &protocol.HookResponse{Output: client.Output(inputs[0].Event, answers)}
}

// one answers an event of Claude Code.
func (r *Router) one(ctx context.Context, event *protocol.HookEvent) json.RawMessage {
	o := Outcome{Time: time.Now(), Verdict: Verdict{Decision: pass}}
	output := r.read(ctx, event, &o)
	o.Took = time.Since(o.Time)
	r.record.note(o)
	if r.ended != nil {
		r.ended(o)
	}
	return protocol.EncodeHookOutput(output)
}

// read answers an event; nil lets it pass. It notes in o what there is to remember.
func (r *Router) read(ctx context.Context, event *protocol.HookEvent, o *Outcome) protocol.HookOutput {
	in, err := protocol.DecodeHookInput(event.Input)
	if err != nil {
		r.record.count("")
		r.log.WarnContext(ctx, "hook passes unread", "err", err)
		o.Reason = "its input is no JSON object"
		return nil
	}
	if event.Event != "" {
		in.Event = event.Event
	}
	o.Event, o.Tool, o.ToolUseID, o.Session = in.Event, in.ToolName, in.ToolUseID, in.SessionID
	r.record.count(in.Event)
	first := r.conversations.Observe(in)
	r.logEvent(ctx, in, o)
	return r.answer(ctx, &Event{HookInput: in, From: session.Of(in), First: first, NoRecall: event.NoRecall, Fingerprints: event.Fingerprints}, o)
}

// logEvent logs an event, without what it is about.
func (r *Router) logEvent(ctx context.Context, in *protocol.HookInput, o *Outcome) {
	if r.log.Enabled(ctx, slog.LevelDebug) {
		r.log.DebugContext(ctx, "hook", "event", in.Event, "session", in.SessionID, "tool", in.ToolName, "tool_use", in.ToolUseID)
	}
	switch in.Event {
	case protocol.Stop, protocol.SubagentStop:
		r.log.InfoContext(ctx, "stop", "event", in.Event, "session", in.SessionID, "again", in.StopHookActive)
	case "":
		r.log.WarnContext(ctx, "hook passes: nobody says which event it is", "session", in.SessionID)
		o.Reason = "neither its input (hook_event_name) nor its client says which event it is"
	}
}

// answer asks the parts for an event, and merges their answers; nil lets the event pass.
func (r *Router) answer(ctx context.Context, e *Event, o *Outcome) protocol.HookOutput {
	parts, known := r.known[e.Event]
	if !known {
		parts = r.other
	}
	e = private(e, parts)
	var output protocol.HookOutput
	var context budget
	for _, p := range parts {
		a, failed := p.ask(ctx, e)
		c := Contribution{Part: p.Name, Failed: failed}
		if output == nil && a.Output != nil {
			output, c.Decided = a.Output, true
		}
		if a.Context != "" {
			c.Characters, c.Cut = context.add(a.Context)
		}
		o.add(a.Verdict, c)
	}
	if context.texts == nil {
		return output
	}
	output, fits := withContext(e.Event, output, context.text())
	if !fits {
		r.log.WarnContext(ctx, "the event has no room for context", "event", e.Event, "session", e.SessionID)
	}
	return output
}

// private returns a copy of the event if a part runs Apart: the part may read it after the hook has been answered, when the
// connection reuses the input's bytes.
func private(e *Event, parts []*part) *Event {
	for _, p := range parts {
		if p.Conduct == Apart {
			own := *e
			own.HookInput = e.Clone()
			return &own
		}
	}
	return e
}
