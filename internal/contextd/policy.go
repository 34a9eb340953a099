package contextd

import (
	"cmp"
	"context"
	"strings"

	contextdv1 "tidepool/internal/contextd/v1"
)

// policies is PolicyService.
type policies struct{ *caller }

// critical is contextd's name of the severity of a policy that denies. The others have the same names.
const critical = "critical"

// severity returns the name that contextd has for a severity.
func severity(name string) string {
	if name == "error" {
		return critical
	}
	return name
}

// Check says whether the policies allow an action.
func (s policies) Check(ctx context.Context, r *contextdv1.PolicyCheckRequest) (*contextdv1.PolicyCheckResponse, error) {
	out := new(contextdv1.PolicyCheckResponse)
	err := pass(ctx, s.caller, "policy_check", r, out, nil)
	for _, v := range out.GetViolations() {
		v.Severity = severity(v.GetSeverity())
	}
	return out, err
}

// List lists the policies.
func (s policies) List(ctx context.Context, r *contextdv1.PolicyListRequest) (*contextdv1.PolicyListResponse, error) {
	out := new(contextdv1.PolicyListResponse)
	err := pass(ctx, s.caller, "policy_list", r, out, nil)
	for _, p := range out.GetPolicies() {
		p.Severity = severity(p.GetSeverity())
	}
	return out, err
}

// A policy is one in the result of policy_get.
type policy struct {
	ID          string      `json:"id"`
	Title       string      `json:"title"`
	Category    string      `json:"category"`
	Severity    string      `json:"severity"`
	Scope       string      `json:"scope"`
	State       string      `json:"state"`
	Requirement string      `json:"requirement"`
	Enforcement []condition `json:"enforcement"`
	Source      string      `json:"source"`
	TokensUsed  int32       `json:"tokens_used"`
}

// A condition is when a policy concerns a tool call.
type condition struct {
	Tool    string `json:"tool"`
	Field   string `json:"field"`
	Pattern string `json:"pattern"`
}

// String returns the condition as one line: Bash, if command matches push.*--force.
func (c condition) String() string {
	text := cmp.Or(c.Tool, "every tool")
	if c.Pattern != "" {
		text += ", if " + cmp.Or(c.Field, "its command, path or address") + " matches " + c.Pattern
	}
	return text
}

// Get returns a policy: of several with the id, that of the highest level.
func (s policies) Get(ctx context.Context, r *contextdv1.PolicyGetRequest) (*contextdv1.PolicyGetResponse, error) {
	var p policy
	if err := s.run(ctx, "policy_get", r, arguments{"id": r.GetId()}, &p); err != nil {
		return nil, err
	}
	lines := make([]string, 0, len(p.Enforcement))
	for _, c := range p.Enforcement {
		lines = append(lines, c.String())
	}
	return &contextdv1.PolicyGetResponse{
		Id: p.ID, Title: p.Title, Category: p.Category, Severity: severity(p.Severity), Requirement: p.Requirement, Enforcement: strings.Join(lines, "\n"),
		TokensUsed: p.TokensUsed, Scope: &p.Scope, State: &p.State, Source: &p.Source,
	}, nil
}
