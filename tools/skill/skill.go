package skill

import (
	"cmp"
	"context"

	"tidepool/internal/skill"
	"tidepool/tools"
)

// SkillCreateInput is what skill_create takes.
type SkillCreateInput struct {
	Name           string   `json:"name" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"Lower-case letters, digits, hyphens: review-sql. It is the command /review-sql, too."`
	Description    string   `json:"description" jsonschema:"minLength=1,maxLength=1024" jsonschema_description:"What it does and when to use it: models choose by this."`
	Trigger        string   `json:"trigger,omitempty" jsonschema:"maxLength=1024" jsonschema_description:"More on when to use it (when_to_use)."`
	PromptTemplate string   `json:"prompt_template,omitempty" jsonschema:"maxLength=16000" jsonschema_description:"The text, in Markdown. $ARGUMENTS stands for what the user types behind the command."`
	Steps          []string `json:"steps,omitempty" jsonschema:"maxItems=50" jsonschema_description:"A numbered list behind the text."`
	Scope          string   `json:"scope,omitempty" jsonschema:"maxLength=20,default=project" jsonschema_description:"project or user."`
	SessionID      string   `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// SkillCreate writes a new skill if the user says yes.
func (t *Toolset) SkillCreate(ctx context.Context, call tools.Call, in SkillCreateInput) (*ChangeOutput, error) {
	var front skill.Frontmatter
	front.Set("name", in.Name)
	front.Set("description", in.Description)
	front.Set("when_to_use", in.Trigger)
	return t.create(ctx, call, skill.Skill, in.Name, in.Scope, in.SessionID, front, joinSteps(in.PromptTemplate, in.Steps, ""))
}

// SkillUpdateInput is what skill_update takes.
type SkillUpdateInput struct {
	ID             string   `json:"id" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"Its name."`
	Name           string   `json:"name,omitempty" jsonschema:"maxLength=256" jsonschema_description:"Not changed: make a new one instead."`
	Description    string   `json:"description,omitempty" jsonschema:"maxLength=1024" jsonschema_description:"Left out: unchanged."`
	Trigger        string   `json:"trigger,omitempty" jsonschema:"maxLength=1024" jsonschema_description:"Left out: unchanged."`
	PromptTemplate string   `json:"prompt_template,omitempty" jsonschema:"maxLength=16000" jsonschema_description:"The whole text without the steps. Left out: unchanged."`
	Steps          []string `json:"steps,omitempty" jsonschema:"maxItems=50" jsonschema_description:"All steps. Left out: unchanged."`
	Scope          string   `json:"scope,omitempty" jsonschema:"maxLength=20" jsonschema_description:"project or user, if both have one of that name."`
	SessionID      string   `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// SkillUpdate changes fields of a skill if the user says yes. Other fields stay.
func (t *Toolset) SkillUpdate(ctx context.Context, call tools.Call, in SkillUpdateInput) (*ChangeOutput, error) {
	d, err := t.changeable(skill.Skill, in.ID, in.Name, in.Scope)
	if err != nil {
		return nil, err
	}
	before, steps, after := splitSteps(d.Body)
	if in.PromptTemplate != "" {
		before, after = in.PromptTemplate, ""
	}
	if len(in.Steps) > 0 {
		steps = in.Steps
	}
	body := d.Body
	if in.PromptTemplate != "" || len(in.Steps) > 0 {
		body = joinSteps(before, steps, after)
	}
	return t.update(ctx, call, d, in.SessionID, body, map[string]string{"description": in.Description, "when_to_use": in.Trigger}, nil)
}

// DeleteInput is what skill_delete and agent_delete take.
type DeleteInput struct {
	ID        string `json:"id" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"Its name."`
	Scope     string `json:"scope,omitempty" jsonschema:"maxLength=20" jsonschema_description:"project or user, if both have one of that name."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// SkillDelete removes a skill if the user says yes.
func (t *Toolset) SkillDelete(ctx context.Context, call tools.Call, in DeleteInput) (*ChangeOutput, error) {
	return t.remove(ctx, call, skill.Skill, in)
}

// create writes a new document.
func (t *Toolset) create(ctx context.Context, call tools.Call, kind skill.Kind, name, scope, session string, front skill.Frontmatter, body string) (*ChangeOutput, error) {
	of, err := oneScope(scope)
	if err != nil {
		return nil, err
	}
	if err := skill.CheckName(kind, name); err != nil {
		return nil, err
	}
	if _, err := t.find(kind, name, string(of), false); err == nil {
		return nil, &refusedError{"there is a " + string(kind) + " " + name + " already", "update it, or choose another name"}
	}
	path, file, err := t.Documents.Path(kind, of, name)
	if err != nil {
		return nil, err
	}
	text, err := front.Compose(body)
	if err != nil {
		return nil, err
	}
	return t.apply(ctx, change{call: call, session: sessionOf(call, session), verb: "create", kind: kind, scope: of, name: name, path: path, file: file, after: text})
}

// changeable returns the document that is to be changed, and refuses what cannot be changed so that the rest stays as it is.
func (t *Toolset) changeable(kind skill.Kind, id, name, scope string) (skill.Document, error) {
	d, err := t.find(kind, id, scope, true)
	if err != nil {
		return d, err
	}
	if cmp.Or(name, id) != id {
		return d, &refusedError{"a " + string(kind) + " keeps its name", "create one of the new name, and delete this one"}
	}
	return d, nil
}

// update changes a document. Texts that are empty and lists that are nil leave their fields as they are.
func (t *Toolset) update(ctx context.Context, call tools.Call, d skill.Document, session, body string, texts map[string]string, lists map[string][]string) (*ChangeOutput, error) {
	for _, key := range []string{"description", "when_to_use", "model"} {
		if text := texts[key]; text != "" {
			d.Front.Set(key, text)
		}
	}
	for key, list := range lists {
		if list != nil {
			d.Front.SetList(key, list)
		}
	}
	text, err := d.Front.Compose(body)
	if err != nil {
		return nil, err
	}
	if text == d.Text {
		return nil, &refusedError{"that changes nothing", "give the fields that are to change"}
	}
	return t.apply(ctx, change{
		call: call, session: sessionOf(call, session), verb: "update", kind: d.Kind, scope: d.Scope, name: d.Name, path: d.Path, file: d.File, before: &d, after: text,
	})
}

// remove removes a document.
func (t *Toolset) remove(ctx context.Context, call tools.Call, kind skill.Kind, in DeleteInput) (*ChangeOutput, error) {
	d, err := t.find(kind, in.ID, in.Scope, true)
	if err != nil {
		return nil, err
	}
	return t.apply(ctx, change{
		call: call, session: sessionOf(call, in.SessionID), verb: "delete", kind: kind, scope: d.Scope, name: d.Name, path: d.Path, file: d.File, before: &d,
	})
}
