package oldnames

import (
	"context"
	"crypto/rand"
	"fmt"

	"tidepool/tools"
)

// StartSessionInput is what start_session takes: nothing.
type StartSessionInput struct{}

// StartSessionOutput is what start_session returns.
type StartSessionOutput struct {
	SessionID string `json:"session_id"`
	StartedAt string `json:"started_at"`
}

// StartSession returns the caller's session, or a new id for a caller that has none. Nothing is stored: sessions are those of the client's hooks.
func (t *Toolset) StartSession(_ context.Context, call tools.Call, _ StartSessionInput) (StartSessionOutput, error) {
	id := call.Caller.Session
	if id == "" {
		id = newUUID()
	}
	return StartSessionOutput{id, stamp(t.now())}, nil
}

// newUUID returns a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// GetOrphanedGhapInput is what get_orphaned_ghap takes: nothing.
type GetOrphanedGhapInput struct{}

// GetOrphanedGhapOutput is what get_orphaned_ghap returns.
type GetOrphanedGhapOutput struct {
	HasOrphan bool `json:"has_orphan"`
	*orphan
}

type orphan struct {
	ID         string `json:"id"`
	SessionID  string `json:"session_id"`
	Goal       string `json:"goal"`
	Hypothesis string `json:"hypothesis"`
	Action     string `json:"action"`
	Prediction string `json:"prediction"`
	CreatedAt  string `json:"created_at"`
}

// GetOrphanedGhap returns the newest entry that another session of the project has left.
func (t *Toolset) GetOrphanedGhap(ctx context.Context, call tools.Call, _ GetOrphanedGhapInput) (GetOrphanedGhapOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return GetOrphanedGhapOutput{}, err
	}
	found, err := o.Orphans(ctx, o.owner, 1)
	if err != nil || len(found) == 0 {
		return GetOrphanedGhapOutput{}, err
	}
	e := found[0]
	return GetOrphanedGhapOutput{true, &orphan{e.ID, e.Session, e.Goal, e.Hypothesis, e.Action, e.Prediction, stamp(e.Created)}}, nil
}

// ShouldCheckInInput is what should_check_in takes.
type ShouldCheckInInput struct {
	Frequency int `json:"frequency,omitempty" jsonschema:"minimum=1,maximum=1000,default=10" jsonschema_description:"After how many tool calls."`
}

// ShouldCheckInOutput is what should_check_in returns.
type ShouldCheckInOutput struct {
	ShouldCheckIn bool `json:"should_check_in"`
}

// ShouldCheckIn reports whether the caller has made so many calls since it last looked at its entry.
func (t *Toolset) ShouldCheckIn(ctx context.Context, call tools.Call, in ShouldCheckInInput) (ShouldCheckInOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return ShouldCheckInOutput{}, err
	}
	return ShouldCheckInOutput{o.Calls(o.owner, 0) >= in.Frequency}, nil
}

// IncrementToolCountInput is what increment_tool_count takes: nothing.
type IncrementToolCountInput struct{}

// ToolCountOutput is what increment_tool_count and reset_tool_count return.
type ToolCountOutput struct {
	ToolCount int `json:"tool_count"`
}

// IncrementToolCount counts a tool call.
func (t *Toolset) IncrementToolCount(ctx context.Context, call tools.Call, _ IncrementToolCountInput) (ToolCountOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return ToolCountOutput{}, err
	}
	return ToolCountOutput{o.Calls(o.owner, 1)}, nil
}

// ResetToolCountInput is what reset_tool_count takes: nothing.
type ResetToolCountInput struct{}

// ResetToolCount notes that the caller has looked at its entry.
func (t *Toolset) ResetToolCount(ctx context.Context, call tools.Call, _ ResetToolCountInput) (ToolCountOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return ToolCountOutput{}, err
	}
	o.Look(o.owner)
	return ToolCountOutput{}, nil
}
