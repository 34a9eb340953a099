package skill

import (
	"cmp"
	"context"

	"tidepool/internal/skill"
	"tidepool/tools"
)

// AgentCreateInput is what agent_create takes.
type AgentCreateInput struct {
	Name              string   `json:"name" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"Lower-case letters, digits, hyphens: sql-reviewer."`
	Description       string   `json:"description" jsonschema:"minLength=1,maxLength=1024" jsonschema_description:"When to hand work to it: models choose by this."`
	SystemPrompt      string   `json:"system_prompt" jsonschema:"minLength=1,maxLength=16000" jsonschema_description:"What the agent is told, in Markdown."`
	Skills            []string `json:"skills,omitempty" jsonschema:"maxItems=50" jsonschema_description:"Names of skills that it has from its start."`
	ModelPreference   string   `json:"model_preference,omitempty" jsonschema:"maxLength=100" jsonschema_description:"haiku, sonnet, opus, inherit, or a model's full id."`
	CollectionsAccess []string `json:"collections_access,omitempty" jsonschema:"maxItems=50" jsonschema_description:"Refused: Claude Code has no collections."`
	Temperature       *float64 `json:"temperature,omitempty" jsonschema_description:"Refused: agents of Claude Code have none."`
	Scope             string   `json:"scope,omitempty" jsonschema:"maxLength=20,default=project" jsonschema_description:"project or user."`
	SessionID         string   `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// AgentCreate writes a new agent if the user says yes.
func (t *Toolset) AgentCreate(ctx context.Context, call tools.Call, in AgentCreateInput) (*ChangeOutput, error) {
	if err := lacks(in.CollectionsAccess, in.Temperature); err != nil {
		return nil, err
	}
	var front skill.Frontmatter
	front.Set("name", in.Name)
	front.Set("description", in.Description)
	front.Set("model", in.ModelPreference)
	front.SetList("skills", in.Skills)
	return t.create(ctx, call, skill.Agent, in.Name, in.Scope, in.SessionID, front, in.SystemPrompt)
}

// AgentUpdateInput is what agent_update takes.
type AgentUpdateInput struct {
	ID                string   `json:"id" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"Its name."`
	Name              string   `json:"name,omitempty" jsonschema:"maxLength=256" jsonschema_description:"Not changed: make a new one instead."`
	Description       string   `json:"description,omitempty" jsonschema:"maxLength=1024" jsonschema_description:"Left out: unchanged."`
	SystemPrompt      string   `json:"system_prompt,omitempty" jsonschema:"maxLength=16000" jsonschema_description:"All of it. Left out: unchanged."`
	Skills            []string `json:"skills,omitempty" jsonschema:"maxItems=50" jsonschema_description:"All of them. Left out: unchanged; an empty list: none."`
	ModelPreference   string   `json:"model_preference,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Left out: unchanged."`
	CollectionsAccess []string `json:"collections_access,omitempty" jsonschema:"maxItems=50" jsonschema_description:"Refused: Claude Code has no collections."`
	Temperature       *float64 `json:"temperature,omitempty" jsonschema_description:"Refused: agents of Claude Code have none."`
	Scope             string   `json:"scope,omitempty" jsonschema:"maxLength=20" jsonschema_description:"project or user, if both have one of that name."`
	SessionID         string   `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// AgentUpdate changes fields of an agent if the user says yes. Other fields stay.
func (t *Toolset) AgentUpdate(ctx context.Context, call tools.Call, in AgentUpdateInput) (*ChangeOutput, error) {
	if err := lacks(in.CollectionsAccess, in.Temperature); err != nil {
		return nil, err
	}
	d, err := t.changeable(skill.Agent, in.ID, in.Name, in.Scope)
	if err != nil {
		return nil, err
	}
	return t.update(ctx, call, d, in.SessionID, cmp.Or(in.SystemPrompt, d.Body),
		map[string]string{"description": in.Description, "model": in.ModelPreference}, map[string][]string{"skills": in.Skills})
}

// AgentDelete removes an agent if the user says yes.
func (t *Toolset) AgentDelete(ctx context.Context, call tools.Call, in DeleteInput) (*ChangeOutput, error) {
	return t.remove(ctx, call, skill.Agent, in)
}

// lacks refuses what the format has no place for.
func lacks(collections []string, temperature *float64) error {
	switch {
	case len(collections) > 0:
		return &refusedError{"agents of Claude Code have no access to collections that could be limited (collections_access)", "leave it out; say in the system_prompt what the agent is to look at"}
	case temperature != nil:
		return &refusedError{"agents of Claude Code have no temperature", "leave it out; model_preference chooses the model"}
	}
	return nil
}
