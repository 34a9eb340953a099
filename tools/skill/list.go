package skill

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/skill"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// ListInput is what skill_list and agent_list take.
type ListInput struct {
	Scope     string `json:"scope,omitempty" jsonschema:"maxLength=20,default=all" jsonschema_description:"project, user or all."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// A listing is what both lists return.
type listing struct {
	TotalCount int      `json:"total_count"`
	Skipped    []string `json:"skipped,omitempty"` // files that are not read, with the reasons
	TokensUsed int      `json:"tokens_used"`       // about, of the text
	text       string
}

// A reference is a document of a list.
type reference struct {
	ID                 string   `json:"id"` // its name
	Name               string   `json:"name"`
	DescriptionPreview string   `json:"description_preview"`
	Scope              string   `json:"scope"`
	Untrusted          bool     `json:"untrusted,omitempty"` // it came with a project that its user has not trusted
	Problems           []string `json:"problems,omitempty"`
}

// Limits of a list.
const (
	maxPreview = 100 // characters of a description
	maxListed  = 200
)

// SkillListOutput is what skill_list returns.
type SkillListOutput struct {
	Skills []reference `json:"skills"`
	listing
}

// SkillList lists skills.
func (t *Toolset) SkillList(_ context.Context, call tools.Call, in ListInput) (*SkillListOutput, error) {
	found, l, err := t.list(skill.Skill, call, in)
	return &SkillListOutput{found, l}, err
}

// AgentListOutput is what agent_list returns.
type AgentListOutput struct {
	Agents []reference `json:"agents"`
	listing
}

// AgentList lists agents.
func (t *Toolset) AgentList(_ context.Context, call tools.Call, in ListInput) (*AgentListOutput, error) {
	found, l, err := t.list(skill.Agent, call, in)
	return &AgentListOutput{found, l}, err
}

// list lists documents. Secrets are taken out of all of the text.
func (t *Toolset) list(kind skill.Kind, call tools.Call, in ListInput) ([]reference, listing, error) {
	scopes, err := scopesOf(kind, in.Scope)
	if err != nil {
		return nil, listing{}, err
	}
	all, err := t.Documents.List(kind, scopes...)
	if err != nil {
		return nil, listing{}, err
	}
	found, l := []reference{}, listing{TotalCount: len(all.Documents)}
	var b strings.Builder
	b.WriteString(wording.Count(l.TotalCount, string(kind)) + "\n")
	clean := func(text string) string {
		if err != nil {
			return ""
		}
		text, err = t.Scrub(sessionOf(call, in.SessionID), text)
		return text
	}
	for _, d := range all.Documents[:min(len(all.Documents), maxListed)] {
		r := reference{
			Name: wording.Stored(d.Name, 80), DescriptionPreview: clean(wording.Stored(d.Front.Text("description"), maxPreview)), Scope: string(d.Scope),
			Untrusted: t.untrusted(d.Scope), Problems: d.Problems,
		}
		r.ID = r.Name
		found = append(found, r)
		b.WriteString(r.line())
	}
	if l.TotalCount > maxListed {
		fmt.Fprintf(&b, "%d more: give the scope\n", l.TotalCount-maxListed)
	}
	for _, s := range all.Skipped[:min(len(all.Skipped), maxListed)] {
		l.Skipped = append(l.Skipped, s.Path+": "+s.Why)
		fmt.Fprintf(&b, "not read: %s: %s\n", s.Path, s.Why)
	}
	l.text = b.String()
	l.TokensUsed = tokensOf(l.text)
	return found, l, err
}

// line is one document for a model.
func (r reference) line() string {
	notes := r.Scope
	if r.Untrusted {
		notes += ", of a clone that is not trusted"
	}
	line := fmt.Sprintf("%s (%s): %s\n", r.Name, notes, r.DescriptionPreview)
	for _, p := range r.Problems {
		line += "  " + p + "\n"
	}
	return line
}

// Text is the list for a model.
func (l listing) Text() string { return l.text }

// sessionOf returns the caller's session. A client without hooks names its own.
func sessionOf(call tools.Call, named string) string {
	if call.Caller.Session != "" {
		return call.Caller.Session
	}
	return named
}

// tokensOf estimates the tokens of a text.
func tokensOf(text string) int { return (len(text) + 3) / 4 }
