package lsp

import (
	"context"
	"slices"

	"tidepool/lsp/internal/workspace"
)

// A Check is what the language servers know to be wrong with a tree, before and after changes. Both lists have an
// entry for each server that has looked at the whole tree at least once since it was started.
type Check struct {
	Before []Errors // when the server had last looked at everything before the check
	Now    []Errors // when it had last looked at everything
	Over   bool     // Now is after the changes, for every server that has an entry and reads the files asked about
}

// Check brings the servers in step with the disk and waits until those that read the files have looked at what
// has changed, or ctx ends. The tree is that of the first of the files. It never waits for a server that starts or
// loads: one that has not looked at the whole tree yet cannot tell what is new.
func (p *Project) Check(ctx context.Context, paths ...string) Check {
	t := p.workspace.Main
	if len(paths) > 0 {
		t = p.workspace.TreeOf(paths[0])
	}
	wanted := t.Wanted()
	check := Check{Before: errorsOf(t, wanted), Over: true}
	looking := slices.DeleteFunc(slices.Clone(wanted), func(s *workspace.Server) bool { return !s.Concerns(t, paths) || s.CheckedSession(t) == nil })
	if len(looking) > 0 {
		t.MayHaveChanged(paths)
		t.Sync()
	}
	for _, s := range looking {
		check.Over = s.AwaitCheck(ctx, t) && check.Over
	}
	check.Now = errorsOf(t, wanted)
	return check
}

// KnownErrors returns at once the errors that the language servers were last sure of in the tree that a file belongs to.
// It has an entry for each server that has looked at the whole tree at least once since it was started.
func (p *Project) KnownErrors(path string) []Errors {
	t := p.workspace.TreeOf(path)
	return errorsOf(t, t.Asked())
}

// errorsOf returns the errors in the tree that servers were last sure of.
func errorsOf(t *workspace.Tree, servers []*workspace.Server) []Errors {
	var all []Errors
	for _, s := range servers {
		if live := s.CheckedSession(t); live != nil {
			all = append(all, live.Progress.LastErrors(t.Part()))
		}
	}
	return all
}
