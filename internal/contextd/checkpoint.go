package contextd

import (
	"context"
	"strings"

	contextdv1 "tidepool/internal/contextd/v1"
)

// checkpoints is CheckpointService.
type checkpoints struct{ *caller }

// Save keeps where the work stands.
func (s checkpoints) Save(ctx context.Context, r *contextdv1.CheckpointSaveRequest) (*contextdv1.CheckpointSaveResponse, error) {
	out := new(contextdv1.CheckpointSaveResponse)
	err := pass(ctx, s.caller, "checkpoint_save", r, out, nil)
	return out, err
}

// List lists the checkpoints of the project, or of one session.
func (s checkpoints) List(ctx context.Context, r *contextdv1.CheckpointListRequest) (*contextdv1.CheckpointListResponse, error) {
	out := new(contextdv1.CheckpointListResponse)
	err := pass(ctx, s.caller, "checkpoint_list", r, out, map[string]string{"of_session": "session_id"})
	return out, err
}

// Levels of a checkpoint.
const (
	levelContext = "context"
	levelFull    = "full"
)

// Resume returns a checkpoint, to go on from. What a level adds is told from the level below, since parts may be empty.
func (s checkpoints) Resume(ctx context.Context, r *contextdv1.CheckpointResumeRequest) (*contextdv1.CheckpointResumeResponse, error) {
	level := r.GetLevel()
	if level == "" {
		level = levelContext
	}
	at := func(level string) (string, error) {
		var found struct {
			Content string `json:"content"`
		}
		err := s.run(ctx, "checkpoint_resume", r, arguments{"checkpoint_id": r.GetCheckpointId(), "level": level}, &found)
		return found.Content, err
	}
	summary, err := at("summary")
	out := &contextdv1.CheckpointResumeResponse{Summary: summary}
	if err == nil && level != "summary" {
		var whole string
		whole, err = at(levelContext)
		out.Context = added(summary, whole)
		if err == nil && level != levelContext {
			var full string
			full, err = at(level)
			state := added(whole, full)
			out.FullState = &state
		}
	}
	if err != nil {
		return nil, err
	}
	count(out)
	return out, nil
}

// added returns what a level has that the one below has not.
func added(below, level string) string {
	return strings.TrimPrefix(strings.TrimPrefix(level, below), "\n\n---\n\n")
}
