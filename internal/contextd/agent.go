package contextd

import (
	"context"

	contextdv1 "tidepool/internal/contextd/v1"
)

// agents is AgentService. A person is asked before anything is written.
type agents struct{ *caller }

// List lists agents.
func (s agents) List(ctx context.Context, r *contextdv1.AgentListRequest) (*contextdv1.AgentListResponse, error) {
	out := new(contextdv1.AgentListResponse)
	err := pass(ctx, s.caller, "agent_list", r, out, nil)
	return out, err
}

// Get returns one of the agents, with its text.
func (s agents) Get(ctx context.Context, r *contextdv1.AgentGetRequest) (*contextdv1.AgentGetResponse, error) {
	in := arguments{"id": r.GetId(), "full": true}
	set(in, "scope", r.GetScope())
	out := new(contextdv1.AgentGetResponse)
	if err := s.run(ctx, "agent_get", r, in, out); err != nil {
		return nil, err
	}
	out.Id = out.GetName()
	count(out)
	return out, nil
}

// Create makes one of the agents.
func (s agents) Create(ctx context.Context, r *contextdv1.AgentCreateRequest) (*contextdv1.AgentCreateResponse, error) {
	out := new(contextdv1.AgentCreateResponse)
	err := pass(ctx, s.caller, "agent_create", r, out, nil)
	return out, err
}

// Update changes one of the agents.
func (s agents) Update(ctx context.Context, r *contextdv1.AgentUpdateRequest) (*contextdv1.AgentUpdateResponse, error) {
	out := new(contextdv1.AgentUpdateResponse)
	err := pass(ctx, s.caller, "agent_update", r, out, nil)
	return out, err
}

// Delete removes one of the agents.
func (s agents) Delete(ctx context.Context, r *contextdv1.AgentDeleteRequest) (*contextdv1.AgentDeleteResponse, error) {
	out := new(contextdv1.AgentDeleteResponse)
	err := pass(ctx, s.caller, "agent_delete", r, out, nil)
	return out, err
}
