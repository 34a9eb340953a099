package recollect

import (
	"encoding/json"
	"strings"

	"tidepool/internal/hook"
	"tidepool/internal/recall/extract"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/transcript"
	"tidepool/protocol"
)

// Limits of what is kept of a transcript while it is read.
const (
	maxUses    = 256     // calls, the latest ones
	maxPrompts = 100_000 // prompts whose ids are known, so that a copied record does not count twice
)

// A replay makes the events of a transcript those that hooks would have reported, and learns from them by the same rules. It is used by
// one goroutine. It is a tail.Lines.
type replay struct {
	of           *store.Transcript
	agent        string // whose file it is; "": the session's own
	conversation *extract.Conversation
	uses         map[string]*protocol.HookInput // the latest calls, by their ids; nil: it has its result
	order        []string                       // of uses: the oldest is the first
	prompts      map[string]bool                // by the ids of their records
	drafts       []memory.Draft                 // learned and not taken yet
}

func newReplay(t *store.Transcript, agent, root string) *replay {
	conversations := &extract.Conversations{Root: root}
	conversation, _ := conversations.Of(extract.Key{Session: t.Session, Agent: agent})
	return &replay{of: t, agent: agent, conversation: conversation, uses: map[string]*protocol.HookInput{}, prompts: map[string]bool{}}
}

// take returns what was learned since the last time.
func (r *replay) take() []memory.Draft {
	drafts := r.drafts
	r.drafts = nil
	return drafts
}

// Line takes a line.
func (r *replay) Line(_ int64, line []byte) {
	report, ok := transcript.ReportOf(line)
	if !ok || !r.concerns(&report) {
		return
	}
	if report.Prompt != "" && !r.prompts[report.UUID] && len(r.prompts) < maxPrompts {
		r.prompts[report.UUID] = report.UUID != ""
		r.prompt(&report)
	}
	for _, use := range report.Uses {
		r.use(&report, use)
	}
	for _, result := range report.Results {
		r.result(&report, result)
	}
}

// PassedOver takes a line that is too long, of which nothing is learned.
func (*replay) PassedOver(int64, int64) {}

// concerns reports whether a line is of this session, and may be remembered. A session that was forked from another has lines of that one.
func (r *replay) concerns(report *transcript.Report) bool {
	if report.Session != r.of.Session || (report.Sidechain || report.Agent != "") != (r.agent != "") {
		return false
	}
	switch at := report.At; {
	case at.IsZero():
		return r.of.GapTo.IsZero() && r.of.Ended.IsZero()
	case !at.Before(r.of.GapFrom) && !at.After(r.of.GapTo):
		return false
	default:
		return r.of.Ended.IsZero() || !at.After(r.of.Ended)
	}
}

func (r *replay) prompt(report *transcript.Report) {
	e := &hook.Event{HookInput: &protocol.HookInput{Event: protocol.UserPromptSubmit, Prompt: report.Prompt}}
	if !isTyped(e) {
		return
	}
	r.drafts = append(r.drafts, taughtBy(report.PromptID, r.conversation.Prompt(report.Prompt, report.At))...)
}

// use notes a call, until its result comes.
func (r *replay) use(report *transcript.Report, use transcript.Use) {
	if _, known := r.uses[use.ID]; known || use.ID == "" {
		return
	}
	if len(r.order) == maxUses {
		delete(r.uses, r.order[0])
		r.order = r.order[1:]
	}
	r.uses[use.ID] = &protocol.HookInput{ToolName: strings.Clone(use.Name), ToolUseID: use.ID, Cwd: report.Cwd, ToolInput: shortInput(use.Input)}
	r.order = append(r.order, use.ID)
}

// shortInput returns what of a tool's input is looked at: a file that is written stands there whole.
func shortInput(input []byte) json.RawMessage {
	var kept struct {
		File       string `json:"file_path,omitempty"`
		Notebook   string `json:"notebook_path,omitempty"`
		Command    string `json:"command,omitempty"`
		Background bool   `json:"run_in_background,omitempty"`
	}
	if json.Unmarshal(input, &kept) != nil {
		return json.RawMessage("{}")
	}
	short, err := json.Marshal(kept)
	if err != nil {
		return json.RawMessage("{}")
	}
	return short
}

// result takes the end of a call.
func (r *replay) result(report *transcript.Report, result transcript.Result) {
	in := r.uses[result.Call]
	if in == nil || isRejected(result) {
		return
	}
	r.uses[result.Call] = nil // a record that is copied does not count twice
	in.Event, in.ToolResponse = protocol.PostToolUse, result.Data
	if result.Failed {
		in.Event, in.Error = protocol.PostToolUseFailure, result.Text
	}
	use, ended := useOf(&hook.Event{HookInput: in}, report.At)
	if !ended || use.Command == "" && use.File == "" {
		return
	}
	r.drafts = append(r.drafts, taughtBy(in.ToolUseID, r.conversation.Tool(use))...)
}

// isRejected reports whether a tool was not run, because its input did not fit or a hook refused it.
func isRejected(result transcript.Result) bool {
	return result.Failed && strings.HasPrefix(strings.TrimSpace(result.Text), "<tool_use_error>")
}

// taughtBy returns drafts as the lesson of an event with an id. The summary of a session is no lesson: it grows.
func taughtBy(id string, drafts []memory.Draft) []memory.Draft {
	if id == "" {
		id = memory.NoOrigin
	}
	for i := range drafts {
		if !drafts[i].Replaces {
			drafts[i].Origin = id
		}
	}
	return drafts
}
