package conversation

import (
	"context"

	"tidepool/internal/conversation"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// ReadTurnInput is what read_turn takes.
type ReadTurnInput struct {
	SessionID  string `json:"session_id" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"The session's id, or the beginning of it that no other has."`
	TurnNumber int    `json:"turn_number" jsonschema:"minimum=0" jsonschema_description:"Number of the turn in its session, from 0."`
	Budget     int    `json:"budget,omitempty" jsonschema:"minimum=200,maximum=12000,default=4000" jsonschema_description:"Tokens that the answer may take. Lines that do not fit are counted."`
	From       int    `json:"from,omitempty" jsonschema:"minimum=0,default=0" jsonschema_description:"To go on: the next of the answer before."`
}

// ReadTurnOutput is what read_turn returns.
type ReadTurnOutput struct {
	SessionID     string     `json:"session_id"`
	TurnNumber    int        `json:"turn_number"`
	Timestamp     string     `json:"timestamp"` // RFC 3339, UTC; "": unknown
	UserText      string     `json:"user_text"`
	AssistantText string     `json:"assistant_text"`
	ToolsUsed     []usedTool `json:"tools_used"`
	Abandoned     bool       `json:"abandoned,omitempty"`
	Next          int        `json:"next,omitempty"` // from for what follows; absent: that is all

	shown shownTurn
}

type usedTool struct {
	Tool        string `json:"tool"`
	File        string `json:"file,omitempty"`
	Chars       int    `json:"chars,omitempty"`
	Command     string `json:"command,omitempty"`
	Pattern     string `json:"pattern,omitempty"`
	Type        string `json:"type,omitempty"`
	Description string `json:"description,omitempty"`
	Error       string `json:"error,omitempty"`
}

// ReadTurn reads one turn.
func (c *Toolset) ReadTurn(ctx context.Context, _ tools.Call, in ReadTurnInput) (*ReadTurnOutput, error) {
	t, err := c.Archive.Turn(ctx, in.SessionID, in.TurnNumber)
	if err != nil {
		return nil, err
	}
	shown := shownTurn{turn: t, reader: c.reader(), all: partsOf(t)}
	if err := shown.seek(in.From); err != nil {
		return nil, err
	}
	shown.take(in.Budget*bytesPerToken - turnFrame)
	out := &ReadTurnOutput{
		SessionID: wording.Visible(t.Session), TurnNumber: t.Number, Timestamp: timestamp(t.At), Abandoned: t.Abandoned,
		UserText: said(shown.parts(), user), AssistantText: said(shown.parts(), claude), ToolsUsed: shown.tools(), shown: shown,
	}
	if shown.end < len(shown.all) {
		out.Next = shown.end
	}
	return out, nil
}

// A shownTurn is a turn and which of its parts an answer holds.
type shownTurn struct {
	turn   conversation.Turn
	reader reader
	all    []part
	start  int // the first part that is shown
	end    int // the part after the last one
}

// seek begins at a part.
func (s *shownTurn) seek(from int) error {
	if from > 0 && from >= len(s.all) {
		return &pastEndError{turn: s.turn.Number, from: from, lines: len(s.all)}
	}
	s.start, s.end = from, from
	return nil
}

// take shows what there is room for, in bytes, and returns the room that is left.
func (s *shownTurn) take(room int) int {
	s.end = s.start + fit(s.all[s.start:], room)
	for _, p := range s.parts() {
		room -= len(p.line())
	}
	return room
}

// fits reports whether there is room for all of it.
func (s *shownTurn) fits(room int) bool {
	for _, p := range s.all[s.start:] {
		room -= len(p.line())
	}
	return room >= 0
}

func (s *shownTurn) parts() []part { return s.all[s.start:s.end] }

// tools returns the uses of tools that are shown.
func (s *shownTurn) tools() []usedTool {
	used := []usedTool{}
	for _, p := range s.parts() {
		if p.of != tool {
			continue
		}
		t := s.turn.Tools[p.tool]
		used = append(used, usedTool{
			Tool: wording.Visible(t.Name), File: wording.Visible(t.File), Chars: t.Chars, Command: wording.Visible(wording.Clip(t.Command, mostCommand)),
			Pattern: wording.Visible(t.Pattern), Type: wording.Visible(t.Type), Description: wording.Visible(t.Description), Error: wording.Visible(t.Error),
		})
	}
	return used
}

// mostCommand bounds a command in characters.
const mostCommand = 200
