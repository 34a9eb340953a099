package coverage

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// ModuleOf returns the directory of the Go module that a directory belongs to, looking upwards as far as root; "" if there
// is none.
func ModuleOf(dir, root string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		parent := filepath.Dir(dir)
		if dir == root || parent == dir {
			return ""
		}
		dir = parent
	}
}

// A source is a module whose packages are compiled from the disk as they are.
type source struct {
	path string // what import paths of its packages begin with
	dir  string
}

// sources returns a module and those beside it that take the place of what it requires, those with the longer paths first, and
// the files that say so.
func sources(module string) (all []source, said []string, err error) {
	name := filepath.Join(module, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	said = append(said, name)
	all = append(all, source{modfile.ModulePath(data), module})
	if mod, err := modfile.Parse(name, data, nil); err == nil {
		for _, r := range mod.Replace {
			if r.New.Version == "" && r.Old.Path != "" {
				all = append(all, source{r.Old.Path, within(module, r.New.Path)})
			}
		}
	}
	if work, uses := workspace(module); work != "" {
		said = append(said, work)
		all = append(all, uses...)
	}
	slices.SortStableFunc(all, func(a, b source) int { return cmp.Compare(len(b.path), len(a.path)) })
	return all, said, nil
}

// workspace finds the go.work of a module and the modules that it uses.
func workspace(module string) (name string, uses []source) {
	for dir := module; ; dir = filepath.Dir(dir) {
		name = filepath.Join(dir, "go.work")
		data, err := os.ReadFile(name)
		if err != nil {
			if dir == filepath.Dir(dir) {
				return "", nil
			}
			continue
		}
		work, err := modfile.ParseWork(name, data, nil)
		if err != nil {
			return name, nil
		}
		for _, u := range work.Use {
			used := within(dir, u.Path)
			if data, err := os.ReadFile(filepath.Join(used, "go.mod")); err == nil && used != module {
				uses = append(uses, source{modfile.ModulePath(data), used})
			}
		}
		return name, uses
	}
}

func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, filepath.FromSlash(path))
}

// directory returns where the package of an import path lies; "" if it is none of the sources'.
func directory(all []source, importPath string) string {
	for _, s := range all {
		below, ok := strings.CutPrefix(importPath, s.path)
		if ok && (below == "" || below[0] == '/') {
			return filepath.Join(s.dir, filepath.FromSlash(below))
		}
	}
	return ""
}
