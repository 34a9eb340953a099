package disk

import (
	"path/filepath"
	"slices"
)

// annex follows the directories outside of the top that servers load sources from, as the manifests have them now. What
// is in them is no file of the tree, but servers must hear when it changes.
func (d *Disk) annex() {
	manifest := func(path string) bool { return slices.Contains(d.selected.Manifests, filepath.Base(path)) }
	moved := func(c Change) bool { return manifest(c.Path) }
	if d.selected.Beyond == nil || d.walked && !slices.ContainsFunc(d.changes, moved) {
		return
	}
	var manifests []string
	for path := range d.Files {
		if manifest(path) {
			manifests = append(manifests, path)
		}
	}
	above := d.above()
	for _, dir := range above {
		for _, name := range d.selected.Manifests {
			manifests = append(manifests, filepath.Join(dir, name))
		}
	}
	reach := d.selected.Beyond(d.top.path, manifests)
	for _, dir := range above {
		if !inOneOf(reach, dir) {
			reach = append(reach, dir)
		}
	}
	d.follow(reach, above)
}

// above returns the directories that the top is in, up to the top of the repository, where manifests may be that it is
// subject to.
func (d *Disk) above() (dirs []string) {
	for dir := d.top.path; d.top.repo != "" && dir != d.top.repo; {
		dir = filepath.Dir(dir)
		dirs = append(dirs, dir)
	}
	return dirs
}

// follow makes the annexes those of dirs. Of the flat ones only manifests are followed.
func (d *Disk) follow(dirs, flat []string) {
	var kept, fresh []*folder
	for _, dir := range dirs {
		at := slices.IndexFunc(d.annexes, func(f *folder) bool { return f.path == dir })
		if at >= 0 {
			kept = append(kept, d.annexes[at])
			continue
		}
		f := &folder{path: dir, repo: repository(dir), flat: slices.Contains(flat, dir)}
		kept, fresh = append(kept, f), append(fresh, f)
	}
	for _, f := range d.annexes {
		if !slices.Contains(kept, f) {
			d.leave(f)
		}
	}
	d.annexes = kept
	changes, first := d.changes, d.first
	d.first = true
	d.sweep(fresh, true)
	d.changes, d.first = changes, first // a server finds what is there by itself
}

// inOneOf reports whether a directory is one of dirs or in one.
func inOneOf(dirs []string, dir string) bool {
	return slices.ContainsFunc(dirs, func(other string) bool {
		below, err := filepath.Rel(other, dir)
		return err == nil && filepath.IsLocal(below)
	})
}
