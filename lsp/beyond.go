package lsp

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

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

// Unread lists files that servers do not load, that mention what was asked about so far, and that nobody has recorded as read, each once.
func (v *View) Unread() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var paths []string
	for _, files := range v.mentions {
		for _, m := range files {
			if m.Path != "" && !v.read[m.Path] {
				paths = append(paths, m.Path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// besides says how many of the files behind the first are in the same case, and where; "" if none is. Callers hold mu.
func (v *View) besides(files []workspace.Mention) string {
	more, dir := 0, path.Dir(v.tree.Relative(files[0].Path))
	for _, m := range files[1:] {
		if m.Path == "" || m.Why != files[0].Why || v.read[m.Path] {
			continue
		}
		more++
		for of := v.tree.Relative(m.Path); dir != "." && !strings.HasPrefix(of, dir+"/"); {
			dir = path.Dir(dir)
		}
	}
	switch {
	case more == 0:
		return ""
	case dir == ".":
		return fmt.Sprintf(", as do %s", wording.Count(more, "more file"))
	}
	return fmt.Sprintf(", as do %s below %s", wording.Count(more, "more file"), dir)
}

// unread gives for each name that was asked about a file that mentions it and that nobody looks into. Callers hold mu.
func (v *View) unread() []string {
	var reasons []string
	for _, files := range v.mentions {
		at := slices.IndexFunc(files, func(m workspace.Mention) bool { return !v.read[m.Path] })
		if at < 0 {
			continue
		}
		if reason := files[at].Reason + v.besides(files[at:]); !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}
