package lsp

import "path/filepath"

// FilesChanged says that files may have changed, even if their times do not show it. Relative paths are below the
// project's directory. It returns at once; the servers are told behind it, and by the next View at the latest.
func (p *Project) FilesChanged(paths ...string) {
	p.tell(paths)
	select {
	case p.news <- struct{}{}:
	default:
	}
}

// tell takes note for the next sync of the trees that the paths lie in. What lies in a worktree that is not open is
// nothing to anybody.
func (p *Project) tell(paths []string) {
	foreign := p.main.foreign()
	for _, path := range paths {
		if t := p.treeOf(path); t != p.main || !foreign(path) {
			t.tell([]string{path})
		}
	}
}

// treeOf returns the open tree that a path lies in, the project's directory if it lies in none.
func (p *Project) treeOf(path string) *tree {
	found := p.main
	if !filepath.IsAbs(path) {
		return found
	}
	for _, t := range p.allTrees()[1:] {
		if t.inside(path) && (len(t.root) > len(found.root) || !found.inside(path)) {
			found = t
		}
	}
	return found
}

// settled has the disk walked again once a server has looked at everything that it was told: only then is it known whether
// the disk was the same all the while. It does not wait for the walk.
func (p *Project) settled() {
	select {
	case p.caughtUp <- struct{}{}:
	default:
	}
}

// follow brings the servers in step after FilesChanged, so that they need not begin when the next question comes, and after
// they have settled.
func (p *Project) follow() {
	for {
		act, of := (*server).nudge, (*tree).wanted
		select {
		case <-p.ctx.Done():
			return
		case <-p.caughtUp:
			act, of = (*server).sendChanges, p.serversOf
		case <-p.news:
		}
		for _, t := range p.allTrees() {
			t.sync()
			for _, s := range of(t) {
				act(s)
			}
		}
	}
}
