package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// environ returns the variables that commands get. PATH has no directory of the project and no relative one. What npm has set for a
// script of the project is left out: it may come from the project's .npmrc. npm refuses packages that this Node is too old for.
func (i Installer) environ() []string {
	inScript := i.getenv("npm_lifecycle_event") != ""
	env := slices.DeleteFunc(slices.Clone(i.Env), func(entry string) bool {
		return strings.HasPrefix(entry, "PATH=") || inScript && strings.HasPrefix(entry, "npm_")
	})
	return append(env, "PATH="+strings.Join(i.path(), string(filepath.ListSeparator)), "DEBIAN_FRONTEND=noninteractive", "NPM_CONFIG_ENGINE_STRICT=true")
}

// path returns the directories of PATH that are not the project's.
func (i Installer) path() []string {
	return slices.DeleteFunc(filepath.SplitList(i.getenv("PATH")), func(dir string) bool { return !filepath.IsAbs(dir) || i.inProject(dir) })
}

// Find returns the path of a program, "" if it is not on PATH. One that lies in the project is passed over, also behind a link.
func (i Installer) Find(program string) string {
	for _, dir := range i.path() {
		path := filepath.Join(dir, program)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !i.inProject(path) {
			return path
		}
	}
	return ""
}

// inProject reports whether a path lies in the project, or leads there.
func (i Installer) inProject(path string) bool {
	for _, root := range both(i.Project) {
		for _, p := range both(path) {
			if below, err := filepath.Rel(root, p); err == nil && filepath.IsLocal(below) {
				return true
			}
		}
	}
	return false
}

// both returns a path as it is, and as its links lead.
func both(path string) []string {
	if direct, err := filepath.EvalSymlinks(path); err == nil {
		return []string{path, direct}
	}
	return []string{path}
}

// getenv reads a variable; the last one of a name counts.
func (i Installer) getenv(name string) (value string) {
	for _, entry := range i.Env {
		if text, is := strings.CutPrefix(entry, name+"="); is {
			value = text
		}
	}
	return value
}
