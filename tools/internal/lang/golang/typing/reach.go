package typing

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
)

// Imports reports whether a file may name what the package in a directory declares: it belongs to the package or imports it. It is true,
// too, where the text does not tell, as [Reader.Reaches] is.
func (r *Reader) Imports(file, dir string) bool {
	own, told := r.moduleOfBoth(file, dir)
	if !told || filepath.Dir(file) == dir {
		return true
	}
	head, err := syntax.ReadHead(file)
	return err != nil || slices.Contains(head.Imports, own.importPath(dir))
}

// Reaches reports whether code in a file may have a value of a type that the package in a directory declares: the package of the file, for
// whatever system and tag and with its tests, is that package or imports it, through others of the module, too. It is true, too, where the
// text does not tell: where something does not parse, or the module is not the only one that may import the package.
func (r *Reader) Reaches(file, dir string) bool {
	own, told := r.moduleOfBoth(file, dir)
	from := filepath.Dir(file)
	if !told || from == dir {
		return true
	}
	seen := map[string]bool{from: true}
	for open := []string{from}; len(open) > 0; open = open[1:] {
		imports, ok := r.importsOf(open[0], own)
		if !ok || slices.Contains(imports, dir) {
			return true
		}
		for _, to := range imports {
			if !seen[to] {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	return false
}

// moduleOfBoth returns the module that both a file and a directory belong to; false if that is not one, or not one that stands alone: with a
// go.work, or directories in the place of modules, packages elsewhere may import those of the module and be imported by it.
func (r *Reader) moduleOfBoth(file, dir string) (own module, ok bool) {
	own = r.moduleOf(dir)
	return own, own.path != "" && r.moduleOf(filepath.Dir(file)) == own && r.alone(own)
}

func (r *Reader) alone(m module) bool {
	text, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil || bytes.Contains(text, []byte("=> .")) || bytes.Contains(text, []byte("=> /")) {
		return false
	}
	for dir := m.dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, "go.work")); err == nil {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// importPath returns by which path packages import that in a directory of the module.
func (m module) importPath(dir string) string {
	below, err := filepath.Rel(m.dir, dir)
	if err != nil {
		return ""
	}
	return path.Join(m.path, filepath.ToSlash(below))
}

// importsOf lists the directories of the module that the files of one of them import; false if the text of one does not tell, or if another
// module is nested there.
func (r *Reader) importsOf(dir string, own module) (dirs []string, ok bool) {
	r.mu.Lock()
	known, is := r.imports[dir]
	r.mu.Unlock()
	if is {
		return known.dirs, known.told
	}
	of := imported{told: true}
	for _, file := range r.goFiles(dir) {
		head, err := syntax.ReadHead(file)
		of.told = of.told && err == nil
		for _, path := range head.Imports {
			below, is := strings.CutPrefix(path, own.path)
			if !is || below != "" && below[0] != '/' {
				continue
			}
			to := filepath.Join(own.dir, filepath.FromSlash(below))
			of.told = of.told && r.moduleOf(to) == own
			if !slices.Contains(of.dirs, to) {
				of.dirs = append(of.dirs, to)
			}
		}
	}
	r.mu.Lock()
	put(&r.imports, dir, of)
	r.mu.Unlock()
	return of.dirs, of.told
}

// An imported is what the files of a directory import of its module.
type imported struct {
	dirs []string
	told bool
}
