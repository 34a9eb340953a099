package packages

import (
	"cmp"
	"crypto/sha256"
	"go/build"
	"go/build/constraint"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"tidepool/internal/golang/syntax"
)

// byDirectory groups the Go files that packages are made of; the go command passes over the others.
func byDirectory(sources []string) map[string][]string {
	dirs := make(map[string][]string)
	for _, path := range sources {
		dir, name := filepath.Split(path)
		if filepath.Ext(name) == ".go" && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") {
			dir = filepath.Clean(dir)
			dirs[dir] = append(dirs[dir], path)
		}
	}
	return dirs
}

// modules say for each directory how packages of its module are called.
type modules map[string]module

// A module is a directory with a go.mod; the zero one is none.
type module struct {
	dir  string
	path string // what its packages' import paths begin with
	file *modfile.File
	sum  [sha256.Size]byte // of the text of go.mod
}

// find fills in the modules of directories, and drops those that belong to none or that `go list ./...` passes over.
func (ms modules) find(dirs map[string][]string) {
	for dir := range dirs {
		if m := ms.of(dir); m.path == "" || passedOver(m.dir, dir) {
			delete(dirs, dir)
		}
	}
}

func (ms modules) of(dir string) module {
	if m, ok := ms[dir]; ok {
		return m
	}
	m, parent := readModule(dir), filepath.Dir(dir)
	if m.path == "" && parent != dir {
		m = ms.of(parent)
	}
	ms[dir] = m
	return m
}

func readModule(dir string) module {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return module{}
	}
	m := module{dir: dir, path: modfile.ModulePath(data), sum: sha256.Sum256(data)}
	m.file, _ = modfile.ParseLax(name, data, nil) // without it nothing outside is found
	return m
}

func passedOver(root, dir string) bool {
	below, err := filepath.Rel(root, dir)
	if err != nil || below == "." {
		return false
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(below), "/"), func(name string) bool {
		return name == "testdata" || name == "vendor" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".")
	})
}

// all lists the modules, each once, those in others' paths first.
func (ms modules) all() []module {
	byDir := make(map[string]module)
	for _, m := range ms {
		if m.path != "" {
			byDir[m.dir] = m
		}
	}
	return slices.SortedFunc(maps.Values(byDir), func(a, b module) int {
		return cmp.Or(cmp.Compare(len(b.path), len(a.path)), cmp.Compare(a.dir, b.dir))
	})
}

// importPath returns what others call the package of a directory.
func (ms modules) importPath(dir string) string {
	m := ms.of(dir)
	below, err := filepath.Rel(m.dir, dir)
	if err != nil {
		return m.path
	}
	return path.Join(m.path, filepath.ToSlash(below))
}

// directory finds the package of an import path in the tree; "" if it is none of ours.
func (w *Work) directory(importPath string) string {
	for _, m := range w.roots {
		below, ok := strings.CutPrefix(importPath, m.path)
		if !ok || below != "" && below[0] != '/' {
			continue
		}
		if dir := filepath.Join(m.dir, filepath.FromSlash(below)); len(w.dirs[dir]) > 0 {
			return dir
		}
	}
	return ""
}

// A variant is some files of a directory that are compiled together.
type variant struct {
	files         []*syntax.File
	tests         []*syntax.File  // of the same package
	external      []*syntax.File  // tests in a package of their own
	otherPlatform map[string]bool // paths of files that only this variant has; nil: the system we run on builds it
	system        build.Context   // that builds it, if there is an otherPlatform
	bodies        map[string]bool // paths of files whose functions are looked into; nil: all
}

// looksInto reports whether functions in a file are looked into.
func (v variant) looksInto(path string) bool { return v.bodies == nil || v.bodies[path] }

// variants reads the files of a directory: what the system we run on builds comes first, then what it takes to see every
// other file once.
func (w *Work) variants(dir string) []variant {
	files := w.read(dir)
	here := build.Default
	here.CgoEnabled = true
	all := []variant{{}}
	seen := make(map[string]bool)
	for _, f := range files {
		if seen[f.Path] = builds(here, f.Path); seen[f.Path] {
			all[0].add(f)
		}
	}
	for _, f := range files {
		if seen[f.Path] {
			continue
		}
		system, ok := systemOf(f)
		v := variant{otherPlatform: make(map[string]bool), system: system}
		for _, other := range files {
			if ok && builds(system, other.Path) {
				v.add(other)
				if !seen[other.Path] {
					seen[other.Path], v.otherPlatform[other.Path] = true, true
				}
			}
		}
		if v.otherPlatform[f.Path] {
			all = append(all, v)
		}
	}
	return all
}

// read parses the files of a directory that belong to the package that most of them do.
func (w *Work) read(dir string) []*syntax.File {
	var all []*syntax.File
	count := make(map[string]int)
	for _, s := range w.stampsOf(dir) {
		if f, err := w.files.Open(s.path); err == nil && f.Package != "" {
			all = append(all, f)
			if !f.Test() && builds(build.Default, f.Path) {
				count[f.Package]++
			}
		}
	}
	name := ""
	for _, f := range all {
		if of := strings.TrimSuffix(f.Package, "_test"); name == "" || count[of] > count[name] {
			name = of
		}
	}
	return slices.DeleteFunc(all, func(f *syntax.File) bool {
		return f.Package != name && (f.Package != name+"_test" || !f.Test())
	})
}

func (v *variant) add(f *syntax.File) {
	switch {
	case !f.Test():
		v.files = append(v.files, f)
	case strings.HasSuffix(f.Package, "_test"):
		v.external = append(v.external, f)
	default:
		v.tests = append(v.tests, f)
	}
}

func builds(system build.Context, path string) bool {
	match, err := system.MatchFile(filepath.Dir(path), filepath.Base(path))
	return err == nil && match
}

// systemOf finds a system, and tags, with which a file is built.
func systemOf(f *syntax.File) (build.Context, bool) {
	for _, tags := range [][]string{nil, tagsOf(f)} {
		for _, system := range systems() {
			system.BuildTags = tags
			if builds(system, f.Path) {
				return system, true
			}
		}
	}
	return build.Context{}, false
}

// systems returns those that files are written for, the likeliest first.
func systems() []build.Context {
	var all []build.Context
	add := func(os, arch string, cgo bool) {
		system := build.Default
		system.GOOS, system.GOARCH, system.CgoEnabled = os, arch, cgo
		all = append(all, system)
	}
	add(build.Default.GOOS, build.Default.GOARCH, true)
	add(build.Default.GOOS, build.Default.GOARCH, false)
	for _, os := range []string{"linux", "windows", "darwin", "freebsd", "openbsd", "netbsd", "dragonfly", "solaris", "plan9", "android", "ios"} {
		add(os, "amd64", true)
	}
	add("aix", "ppc64", true)
	for _, arch := range []string{"arm64", "386", "arm", "riscv64", "ppc64le", "s390x", "loong64", "mips64", "mips"} {
		add("linux", arch, true)
	}
	for _, os := range []string{"js", "wasip1"} {
		add(os, "wasm", false)
	}
	return all
}

// tagsOf returns the tags that the build constraint of a file asks for, but for the one that says that it is in no build.
func tagsOf(f *syntax.File) []string {
	var tags []string
	for line := 1; line <= f.Lines(); line++ {
		text := f.Line(line)
		if strings.HasPrefix(text, "package ") {
			break
		}
		if !constraint.IsGoBuild(text) {
			continue
		}
		expr, err := constraint.Parse(text)
		if err != nil {
			continue
		}
		expr.Eval(func(tag string) bool {
			if tag != "ignore" {
				tags = append(tags, tag)
			}
			return true
		})
	}
	return tags
}
