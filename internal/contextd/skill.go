package contextd

import (
	"context"

	contextdv1 "tidepool/internal/contextd/v1"
)

// skills is SkillService. A person is asked before anything is written.
type skills struct{ *caller }

// List lists skills.
func (s skills) List(ctx context.Context, r *contextdv1.SkillListRequest) (*contextdv1.SkillListResponse, error) {
	out := new(contextdv1.SkillListResponse)
	err := pass(ctx, s.caller, "skill_list", r, out, nil)
	return out, err
}

// Get returns one of the skills, with its text.
func (s skills) Get(ctx context.Context, r *contextdv1.SkillGetRequest) (*contextdv1.SkillGetResponse, error) {
	in := arguments{"id": r.GetId(), "full": true}
	set(in, "scope", r.GetScope())
	out := new(contextdv1.SkillGetResponse)
	if err := s.run(ctx, "skill_get", r, in, out); err != nil {
		return nil, err
	}
	out.Id = out.GetName()
	count(out)
	return out, nil
}

// Create makes one of the skills.
func (s skills) Create(ctx context.Context, r *contextdv1.SkillCreateRequest) (*contextdv1.SkillCreateResponse, error) {
	out := new(contextdv1.SkillCreateResponse)
	err := pass(ctx, s.caller, "skill_create", r, out, nil)
	return out, err
}

// Update changes one of the skills.
func (s skills) Update(ctx context.Context, r *contextdv1.SkillUpdateRequest) (*contextdv1.SkillUpdateResponse, error) {
	out := new(contextdv1.SkillUpdateResponse)
	err := pass(ctx, s.caller, "skill_update", r, out, nil)
	return out, err
}

// Delete removes one of the skills.
func (s skills) Delete(ctx context.Context, r *contextdv1.SkillDeleteRequest) (*contextdv1.SkillDeleteResponse, error) {
	out := new(contextdv1.SkillDeleteResponse)
	err := pass(ctx, s.caller, "skill_delete", r, out, nil)
	return out, err
}
