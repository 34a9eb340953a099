package lsp

import (
	"context"
	"slices"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
)

// beyond notes whether code that the server does not load may hold more of what is asked about name.
func (v *View) beyond(ctx context.Context, of *workspace.Server, s *session.Session, name string) {
	found := of.Mentioned(v.tree, name)
	if len(found) > 0 {
		v.mu.Lock()
		v.mentions = append(v.mentions, found)
		v.mu.Unlock()
		return
	}
	if s.Language.Beyond == nil {
		return
	}
	bounded, done := v.bound(ctx, s, "beyond")
	reason, err := s.Language.Beyond(bounded, s, name)
	done(err)
	if err != nil {
		reason = wording.OneLine(err.Error())
	}
	if reason != "" {
		v.lacks(reason)
	}
}

// MarkRead records files that servers do not load and that the caller has read itself. Completeness does not call an answer
// incomplete because of them. Paths are absolute.
func (v *View) MarkRead(paths ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.read == nil {
		v.read = make(map[string]bool)
	}
	for _, path := range paths {
		v.read[path] = true
	}
}

// unread gives for each name that was asked about a file that mentions it and that nobody looks into. Callers hold mu.
func (v *View) unread() []string {
	var reasons []string
	for _, files := range v.mentions {
		at := slices.IndexFunc(files, func(m workspace.Mention) bool { return !v.read[m.Path] })
		if at >= 0 && !slices.Contains(reasons, files[at].Reason) {
			reasons = append(reasons, files[at].Reason)
		}
	}
	return reasons
}
