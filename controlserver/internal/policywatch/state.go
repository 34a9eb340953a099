package policywatch

import (
	"slices"

	"tidepool/internal/policy"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// maxListed bounds the policies of a status.
const maxListed = 100

// State returns how often the policy was asked, and which policies of files there are, those that matched most often first.
func (w *Watch) State() *protocol.PolicyState {
	w.look()
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &protocol.PolicyState{Files: w.last.Files, PolicyCounts: counts(w.options.Engine.Counts())}
	for _, err := range w.problems() {
		text := err.Error()
		if hint := wording.HintOf(err); hint != "" {
			text += " (" + hint + ")"
		}
		s.Problems = append(s.Problems, text)
	}
	s.Problems = s.Problems[:min(len(s.Problems), maxListed)]
	for _, c := range w.options.Engine.Definitions() {
		if c.ID == "" {
			continue // a file of which nothing can be read is among the problems
		}
		s.Policies = append(s.Policies, protocol.PolicyCount{
			ID: c.ID, Title: c.Title, Level: c.Level.String(), Severity: string(c.Severity), State: string(c.State),
			PolicyCounts: counts(w.options.Engine.CountsOf(c.Definition)),
		})
	}
	slices.SortStableFunc(s.Policies, func(a, b protocol.PolicyCount) int { return int(b.Matched - a.Matched) })
	if more := len(s.Policies) - maxListed; more > 0 {
		s.Policies, s.More = s.Policies[:maxListed], more
	}
	return s
}

func counts(c policy.Counts) protocol.PolicyCounts {
	return protocol.PolicyCounts{
		Checked: c.Checked, Matched: c.Matched, Denied: c.Denied, Asked: c.Asked, Allowed: c.Allowed, Told: c.Told, Overridden: c.Overridden,
	}
}
