package conversation

import (
	"context"

	"tidepool/internal/conversation"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// ReadConversationInput is what read_conversation takes.
type ReadConversationInput struct {
	SessionID string `json:"session_id" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"The session's id, or the beginning of it that no other has."`
	Offset    int    `json:"offset,omitempty" jsonschema:"default=0" jsonschema_description:"Number of the first turn, from 0. Negative: counted from the end, so -3 begins at the last but two."`
	Limit     int    `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=100,default=10" jsonschema_description:"How many turns to return."`
	Budget    int    `json:"budget,omitempty" jsonschema:"minimum=200,maximum=12000,default=6000" jsonschema_description:"Tokens that the answer may take. Turns that do not fit are counted."`
}

// ReadConversationOutput is what read_conversation returns.
type ReadConversationOutput struct {
	SessionID  string     `json:"session_id"`
	Project    string     `json:"project"`
	Cwd        string     `json:"cwd"`
	GitBranch  string     `json:"git_branch"`
	TotalTurns int        `json:"total_turns"`
	Offset     int        `json:"offset"` // of the first turn; never negative
	Limit      int        `json:"limit"`
	Turns      []readTurn `json:"turns"`
	Next       int        `json:"next,omitempty"` // offset for what follows; absent: that is all

	summary conversation.Summary
	shown   []shownTurn
	reader  reader
}

type readTurn struct {
	TurnNumber    int        `json:"turn_number"`
	Timestamp     string     `json:"timestamp"`
	UserText      string     `json:"user_text"`
	AssistantText string     `json:"assistant_text"`
	ToolsUsed     []usedTool `json:"tools_used"`
	Abandoned     bool       `json:"abandoned,omitempty"`
	Next          int        `json:"next,omitempty"` // of a turn that is cut: from for read_turn; absent: it is whole
}

// ReadConversation reads turns of a session in order.
func (c *Toolset) ReadConversation(ctx context.Context, _ tools.Call, in ReadConversationInput) (*ReadConversationOutput, error) {
	s, turns, offset, err := c.turns(ctx, in)
	if err != nil {
		return nil, err
	}
	out := &ReadConversationOutput{
		SessionID: wording.Visible(s.Session), Project: wording.Visible(s.Project), Cwd: wording.Visible(s.Cwd), GitBranch: wording.Visible(s.Branch),
		TotalTurns: s.Turns, Offset: offset, Limit: in.Limit, Turns: make([]readTurn, 0, len(turns)), summary: s, reader: c.reader(),
	}
	out.take(turns, in.Budget*bytesPerToken-turnFrame)
	if next := offset + len(out.Turns); len(out.Turns) > 0 && next < s.Turns {
		out.Next = next
	}
	return out, nil
}

// turns asks the archive. A negative offset needs the number of turns first.
func (c *Toolset) turns(ctx context.Context, in ReadConversationInput) (conversation.Summary, []conversation.Turn, int, error) {
	offset := in.Offset
	if offset < 0 {
		s, _, err := c.Archive.Conversation(ctx, in.SessionID, 0, 1)
		if err != nil {
			return s, nil, 0, err
		}
		offset = max(0, s.Turns+offset)
	}
	s, turns, err := c.Archive.Conversation(ctx, in.SessionID, offset, in.Limit)
	if err == nil && len(turns) == 0 && offset > 0 {
		err = &conversation.TurnError{Session: s.Session, Asked: offset, Turns: s.Turns}
	}
	return s, turns, offset, err
}

// take shows the turns that there is room for, in bytes. Only the first is cut if it does not fit: any other one begins the
// next page.
func (o *ReadConversationOutput) take(turns []conversation.Turn, room int) {
	for i, t := range turns {
		shown := shownTurn{turn: t, reader: o.reader, all: partsOf(t)}
		room -= turnFrame
		if i > 0 && !shown.fits(room) {
			return
		}
		room = shown.take(room)
		read := readTurn{
			TurnNumber: t.Number, Timestamp: timestamp(t.At), UserText: said(shown.parts(), user), AssistantText: said(shown.parts(), claude),
			ToolsUsed: shown.tools(), Abandoned: t.Abandoned,
		}
		if shown.end < len(shown.all) {
			read.Next = shown.end
		}
		o.shown = append(o.shown, shown)
		o.Turns = append(o.Turns, read)
	}
}
