package typescript

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"time"
)

// installs change whenever packages are installed, below the directory of a package.json.
func installs() []string {
	return []string{"node_modules", "node_modules/.package-lock.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"}
}

// reinstalled has tsserver begin anew if packages have been installed since the last probe: what it has resolved to them,
// or has not found, it keeps. Installed files are not walked, so it cannot be told of each.
func (p *probe) reinstalled(ctx context.Context) error {
	own, ok := p.session.Own.(*own)
	if !ok {
		return nil
	}
	now := map[string]time.Time{}
	dirs := map[string]bool{}
	for _, path := range p.sources {
		dirs[p.packageOf(filepath.Dir(path))] = true
	}
	for _, folder := range p.session.Folders() {
		dirs[folder] = true
	}
	for dir := range dirs {
		for _, name := range installs() {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Stat(path); err == nil {
				now[path] = info.ModTime()
			}
		}
	}
	changed := own.installed != nil && !maps.EqualFunc(own.installed, now, time.Time.Equal)
	own.installed = now
	if !changed {
		return nil
	}
	_, err := tsserver[any](ctx, p.session, "reloadProjects", map[string]any{})
	return err
}
