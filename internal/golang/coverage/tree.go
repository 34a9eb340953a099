package coverage

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxFiles bounds the files of a module, and of those beside it, that are read. The 7,000 of Go's own library took
// 2.3 s the first time and 0.2 s from then on, on 2 CPUs that twenty others wanted.
const maxFiles = 50_000

// A tree is a module on the disk, with the modules beside it that it is compiled with.
type tree struct {
	number   uint64 // of the reading: a later one has a larger number
	dir      string // absolute
	path     string // import path
	rules    digest // of what says where packages come from
	sources  []source
	packages map[string]*dirFiles // by absolute directory
	others   []found              // files that are of no package, by path
}

// dirFiles are the Go files of a directory.
type dirFiles struct {
	code, tests []found
	summed      *summed // of code; nil: not yet
}

type found struct {
	path string
	*file
}

// A LargeError means that a module has more than maxFiles files.
type LargeError struct{ Module string }

func (e *LargeError) Error() string {
	return fmt.Sprintf("%s has more than %d files", e.Module, maxFiles)
}

// readTree reads a module. The error is that of its go.mod, a *LargeError, or ctx's.
func readTree(ctx context.Context, module string, files *statCache) (*tree, error) {
	files.seen = make(map[string]*file)
	files.readings++
	t := &tree{number: files.readings, dir: module, packages: make(map[string]*dirFiles)}
	all, said, err := sources(module)
	if err != nil {
		return nil, err
	}
	t.sources = all
	for _, s := range all {
		if s.dir == module {
			t.path = s.path
		}
		said = append(said, filepath.Join(s.dir, "vendor", "modules.txt"))
		w := treeWalk{tree: t, files: files, root: s.dir}
		if err := w.run(ctx); err != nil {
			maps.Copy(files.known, files.seen) // for the next time
			return nil, err
		}
	}
	slices.SortFunc(t.others, comparePaths)
	t.others = slices.CompactFunc(t.others, func(a, b found) bool { return a.path == b.path })
	hash := sha256.New()
	for _, name := range said {
		if data, err := os.ReadFile(name); err == nil {
			fmt.Fprintf(hash, "%d\n%s", len(data), data)
		}
	}
	hash.Sum(t.rules[:0])
	files.known = files.seen
	return t, nil
}

func comparePaths(a, b found) int { return cmp.Compare(a.path, b.path) }

// A treeWalk reads the files of one module.
type treeWalk struct {
	*tree
	files *statCache
	root  string
}

func (w *treeWalk) run(ctx context.Context) error {
	return filepath.WalkDir(w.root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // what cannot be read no test reads either
			return nil
		case entry.IsDir():
			if path != w.root && w.passes(path, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		return w.add(path, entry)
	})
}

// passes reports whether a directory is left alone: what no build and no test reads, and other modules.
func (w *treeWalk) passes(path, name string) bool {
	if strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor" && filepath.Dir(path) == w.root {
		return true
	}
	_, err := os.Lstat(filepath.Join(path, "go.mod"))
	return err == nil && !w.data(path)
}

// data reports whether the go command passes over a directory, so that what is in it is data.
func (w *treeWalk) data(dir string) bool {
	below := strings.TrimPrefix(strings.TrimPrefix(dir, w.root), string(filepath.Separator))
	return slices.ContainsFunc(strings.Split(below, string(filepath.Separator)), func(name string) bool {
		return name == "testdata" || strings.HasPrefix(name, "_")
	})
}

func (w *treeWalk) add(path string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = os.Stat(path)
	}
	if err != nil {
		return nil // gone, or a link to nothing
	}
	f, err := w.files.look(path, info)
	if err != nil {
		return nil
	}
	if len(w.files.seen) > maxFiles {
		return &LargeError{w.dir}
	}
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if !ofPackage(name) || w.data(dir) {
		w.others = append(w.others, found{path, f})
		return nil
	}
	of := w.packages[dir]
	if of == nil {
		of = new(dirFiles)
		w.packages[dir] = of
	}
	if isTest(name) {
		of.tests = append(of.tests, found{path, f})
	} else {
		of.code = append(of.code, found{path, f})
	}
	return nil
}

// tested lists the directories of the module that hold tests, sorted.
func (t *tree) tested() []string {
	var dirs []string
	for dir, files := range t.packages {
		if len(files.tests) > 0 && t.owns(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// owns reports whether a directory belongs to the module, and not to one beside it.
func (t *tree) owns(dir string) bool {
	best := ""
	for _, s := range t.sources {
		if len(s.dir) > len(best) && (dir == s.dir || strings.HasPrefix(dir, s.dir+string(filepath.Separator))) {
			best = s.dir
		}
	}
	return best == t.dir
}

// below returns the files below a directory that are of no package.
func (t *tree) below(dir string) []found {
	prefix := dir + string(filepath.Separator)
	from, _ := slices.BinarySearchFunc(t.others, found{path: prefix}, comparePaths)
	to := from
	for to < len(t.others) && strings.HasPrefix(t.others[to].path, prefix) {
		to++
	}
	return t.others[from:to]
}
