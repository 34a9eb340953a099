package lsp

import (
	"context"
	"slices"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A mention is a file that a server does not load and that mentions a name in question. path is "" if it stands for more
// files than are looked at.
type mention struct{ path, reason string }

// beyond notes whether code that the server does not load may hold more of what is asked about name.
func (v *View) beyond(ctx context.Context, of *server, s *session.Session, name string) {
	found := of.mentioned(v.tree, name)
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
		reason = text.OneLine(err.Error())
	}
	if reason != "" {
		v.lacks(reason)
	}
}

// Vouch tells that the asker has itself looked into files that servers do not load, and lacks nothing of what they
// mention: Completeness does not doubt an answer because of them. Paths are absolute.
func (v *View) Vouch(paths ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.vouched == nil {
		v.vouched = make(map[string]bool)
	}
	for _, path := range paths {
		v.vouched[path] = true
	}
}

// unread gives for each name that was asked about a file that mentions it and that nobody looks into. Callers hold mu.
func (v *View) unread() []string {
	var reasons []string
	for _, files := range v.mentions {
		at := slices.IndexFunc(files, func(m mention) bool { return !v.vouched[m.path] })
		if at >= 0 && !slices.Contains(reasons, files[at].reason) {
			reasons = append(reasons, files[at].reason)
		}
	}
	return reasons
}
