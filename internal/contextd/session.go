package contextd

import (
	"context"

	contextdv1 "tidepool/internal/contextd/v1"
)

// sessions is SessionService.
type sessions struct{ *caller }

// Start begins a session. It is the one method without a session_id.
func (s sessions) Start(ctx context.Context, r *contextdv1.SessionStartRequest) (*contextdv1.SessionStartResponse, error) {
	in := make(arguments)
	set(in, "project_path", r.GetProjectPath())
	set(in, "task_description", r.GetTaskDescription())
	out := new(contextdv1.SessionStartResponse)
	if err := s.call(ctx, "session_start", "", in, out); err != nil {
		return nil, err
	}
	count(out)
	return out, nil
}

// End ends a session.
func (s sessions) End(ctx context.Context, r *contextdv1.SessionEndRequest) (*contextdv1.SessionEndResponse, error) {
	in := arguments{"session_id": r.GetSessionId(), "distill": r.GetDistill()}
	set(in, "outcome", r.GetOutcome())
	out := new(contextdv1.SessionEndResponse)
	if err := s.run(ctx, "session_end", r, in, out); err != nil {
		return nil, err
	}
	count(out)
	return out, nil
}
