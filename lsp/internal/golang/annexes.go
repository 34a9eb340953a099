package golang

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"tidepool/lsp/internal/disk"
)

// annexes returns the directories outside of root that gopls loads sources from, besides what never changes: modules
// that a go.work lists, and those that take the place of others by a path. manifests are files below root and above it.
func annexes(root string, manifests []string) []string {
	queue := slices.Clone(manifests)
	known, seen := map[string]bool{}, map[string]bool{}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		for _, dir := range paths(path) {
			if below, err := filepath.Rel(root, dir); err == nil && !filepath.IsLocal(below) {
				known[dir] = true
			}
			queue = append(queue, filepath.Join(dir, "go.mod"))
		}
	}
	var dirs []string
	for _, dir := range slices.Sorted(maps.Keys(known)) { // one comes before those in it
		if !slices.ContainsFunc(dirs, func(outer string) bool { return disk.Inside(outer, dir) }) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// paths returns the directories that a go.mod or go.work names.
func paths(path string) []string {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var paths []string
	replace := func(list []*modfile.Replace) {
		for _, r := range list {
			if modfile.IsDirectoryPath(r.New.Path) {
				paths = append(paths, r.New.Path)
			}
		}
	}
	if filepath.Base(path) == "go.mod" {
		if parsed, err := modfile.Parse(path, data, nil); err == nil {
			replace(parsed.Replace)
		}
	} else if parsed, err := modfile.ParseWork(path, data, nil); err == nil {
		replace(parsed.Replace)
		for _, use := range parsed.Use {
			paths = append(paths, use.Path)
		}
	}
	for i, dir := range paths {
		if paths[i] = filepath.FromSlash(dir); !filepath.IsAbs(paths[i]) {
			paths[i] = filepath.Join(filepath.Dir(path), paths[i])
		}
	}
	return paths
}
