package lsp

import "path/filepath"

// FilesChanged says that files may have changed, even if their times do not show it. Relative paths are
// below the root. It returns at once; the servers are told behind it, and by the next View at the latest.
func (p *Project) FilesChanged(paths ...string) {
	p.tell(paths)
	select {
	case p.news <- struct{}{}:
	default:
	}
}

// tell takes note for the next sync.
func (p *Project) tell(paths []string) {
	p.telling.Lock()
	defer p.telling.Unlock()
	for _, path := range paths {
		if len(p.told) >= followLimit {
			return // the walk sees most of them
		}
		p.told[p.absolute(path)] = true
	}
}

// follow brings the servers in step after FilesChanged, so that they need not begin when the next question comes.
func (p *Project) follow() {
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-p.news:
		}
		wanted := p.wanted()
		if len(wanted) == 0 {
			continue // the tree may be large, and nobody asks
		}
		p.sync(nil)
		for _, s := range wanted {
			s.nudge()
		}
	}
}

// sync compares the disk with the last time and notes the changes for every server. then, if not nil, runs
// before anybody else can note more.
func (p *Project) sync(then func()) {
	p.walking.Lock()
	defer p.walking.Unlock()
	p.telling.Lock()
	told := p.told
	p.told = map[string]bool{}
	p.telling.Unlock()
	changes := p.disk.walk(told)
	p.unsynced.Store(int64(p.disk.unsynced))
	p.plain.forget(changes)
	for _, s := range p.servers {
		s.note(changes, p.disk.top.all)
	}
	if then != nil {
		then()
	}
}

// absolute is path below the root, unless it is absolute already. A way into the project through symbolic links
// becomes the direct one.
func (p *Project) absolute(path string) string {
	if !filepath.IsAbs(path) {
		return filepath.Join(p.root, path)
	}
	path = filepath.Clean(path)
	if !p.inside(path) {
		if direct, err := filepath.EvalSymlinks(path); err == nil && p.inside(direct) {
			return direct
		}
	}
	return path
}

// inside says whether an absolute path is that of the root or below it.
func (p *Project) inside(path string) bool {
	relative, err := filepath.Rel(p.root, path)
	return err == nil && filepath.IsLocal(relative)
}

// relative is path as a person writes it who works in the project.
func (p *Project) relative(path string) string {
	relative, err := filepath.Rel(p.root, path)
	if err != nil || !filepath.IsLocal(relative) {
		return path
	}
	return filepath.ToSlash(relative)
}
