package python

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// A root is served with all that lies below it, so that pyright finds uses across the projects in it. Imports it
// resolves from the root, from src in it, and from the directories above the importing file; what a project within
// keeps in its own src it finds if it is told of that. Measured with pyright 1.1.414.

// configured answers for one folder: the settings, with the src directories of the projects in the folder.
func configured(s *session.Session, folder string) map[string]any {
	settings := maps.Clone(s.Language.Settings)
	analysis, _ := settings["analysis"].(map[string]any)
	analysis = maps.Clone(analysis)
	extra, _ := analysis["extraPaths"].([]any)
	extra = slices.Clone(extra)
	for _, dir := range sources(folder, s.Language.RootMarkers, s.Host.Sources()) {
		extra = append(extra, dir)
	}
	if analysis != nil && len(extra) > 0 {
		analysis["extraPaths"] = extra
		settings["analysis"] = analysis
	}
	return settings
}

// sources returns the src directories of the projects below a folder. Of two that hold the same package neither is
// named: an import of it would mean the first, whoever imports.
func sources(folder string, markers, sources []string) []string {
	holders := map[string][]string{} // by what can be imported
	for _, path := range sources {
		dir, below, ok := source(folder, markers, path)
		if name, _, _ := strings.Cut(below, "/"); ok && !slices.Contains(holders[name], dir) {
			holders[name] = append(holders[name], dir)
		}
	}
	found, twice := map[string]bool{}, map[string]bool{}
	for _, dirs := range holders {
		for _, dir := range dirs {
			found[dir] = true
			twice[dir] = twice[dir] || len(dirs) > 1
		}
	}
	maps.DeleteFunc(found, func(dir string, _ bool) bool { return twice[dir] })
	return slices.Sorted(maps.Keys(found))
}

// source returns the src directory of a project below folder that a file lies in, and the file's path below it.
func source(folder string, markers []string, path string) (dir, below string, ok bool) {
	for dir = filepath.Dir(path); len(dir) > len(folder)+len("/src"); dir = filepath.Dir(dir) {
		parent := filepath.Dir(dir)
		marks := func(name string) bool { return disk.IsFile(parent, name) }
		if filepath.Base(dir) == "src" && slices.ContainsFunc(markers, marks) {
			return dir, filepath.ToSlash(path[len(dir)+1:]), disk.Inside(folder, path)
		}
	}
	return "", "", false
}

// moved reports whether changes may give a folder other src directories.
func moved(s *session.Session, changes []disk.Change) bool {
	return slices.ContainsFunc(changes, func(c disk.Change) bool {
		if c.Kind == disk.Changed {
			return false
		}
		return slices.ContainsFunc(s.Folders(), func(folder string) bool {
			_, _, ok := source(folder, s.Language.RootMarkers, c.Path)
			return ok
		})
	})
}
