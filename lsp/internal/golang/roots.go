package golang

import (
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// nested reports whether a go.mod or go.work below another root is a root of its own: a module that the workspace of the
// root does not use, or another workspace. What the go command passes over by its name is none.
func nested(outer, marker string) bool {
	below, err := filepath.Rel(outer, filepath.Dir(marker))
	if err != nil || ignored(below) {
		return false
	}
	if filepath.Base(marker) == "go.work" {
		return true
	}
	return !slices.Contains(uses(filepath.Join(outer, "go.work")), filepath.Dir(marker))
}

// uses returns the directories of the modules that a go.work names; none if it cannot be read.
func uses(work string) []string {
	data, err := os.ReadFile(work)
	if err != nil {
		return nil
	}
	parsed, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, use := range parsed.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(work), dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// ignored reports whether `go list ./...` passes over a directory, of this path below the module, by its name.
func ignored(below string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(below), "/") {
		if part == "testdata" || part == "vendor" || len(part) > 1 && (part[0] == '_' || part[0] == '.' && part != "..") {
			return true
		}
	}
	return false
}

// depends reports whether a module of one root may use one of another root. Since Go 1.17 a go.mod names every module
// that packages of the module import, through others, too. gopls v0.23 answers from the view of the file asked about.
func depends(root, on string) bool {
	var declared []string
	for _, mod := range modules(on) {
		if mod == nil {
			return true
		}
		declared = append(declared, mod.Module.Mod.Path)
	}
	return slices.ContainsFunc(modules(root), func(mod *modfile.File) bool {
		if mod == nil || mod.Go == nil || version.Compare("go"+mod.Go.Version, "go1.17") < 0 {
			return true
		}
		return slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return slices.Contains(declared, r.Mod.Path) })
	})
}

// modules returns the modules of a root; nil stands for one that cannot be read.
func modules(root string) []*modfile.File {
	dirs := uses(filepath.Join(root, "go.work"))
	if dirs == nil {
		dirs = []string{root}
	}
	modules := make([]*modfile.File, len(dirs))
	for i, dir := range dirs {
		path := filepath.Join(dir, "go.mod")
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if parsed, err := modfile.Parse(path, data, nil); err == nil && parsed.Module != nil {
			modules[i] = parsed
		}
	}
	return modules
}
