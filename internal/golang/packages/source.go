package packages

import (
	"go/build"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"

	"tidepool/internal/golang/goroot"
)

// A source is where the packages beyond a tree lie. The zero value finds out.
type source struct {
	root  string // GOROOT
	cache string // GOMODCACHE
}

// find fills in what is not known yet.
func (s *source) find() {
	if s.root != "" {
		return
	}
	s.root = goroot.Find()
	if s.cache = os.Getenv("GOMODCACHE"); s.cache == "" {
		first, _, _ := strings.Cut(build.Default.GOPATH, string(filepath.ListSeparator))
		s.cache = filepath.Join(first, "pkg", "mod")
	}
}

// goRoot returns GOROOT.
func (s *source) goRoot() string {
	s.find()
	return s.root
}

// fixed reports whether a directory never changes: it lies below GOROOT or in the module cache, where its path has its version.
func (s *source) fixed(dir string) bool {
	s.find()
	return s.standard(dir) || strings.HasPrefix(dir, s.cache+string(filepath.Separator))
}

// standard reports whether a directory lies below GOROOT.
func (s *source) standard(dir string) bool {
	return strings.HasPrefix(dir, filepath.Join(s.root, "src")+string(filepath.Separator))
}

// directory finds the package that a module imports, or, with std, one of the standard library; "" if it is not on the
// disk.
func (s *source) directory(importPath string, from module, std bool) string {
	s.find()
	below := filepath.FromSlash(importPath)
	candidates := []string{filepath.Join(s.root, "src", below)}
	if first, _, _ := strings.Cut(importPath, "/"); strings.Contains(first, ".") {
		candidates = []string{filepath.Join(from.dir, "vendor", below), s.required(importPath, from)}
		if std {
			candidates = []string{filepath.Join(s.root, "src", "vendor", below)}
		}
	}
	for _, dir := range candidates {
		if dir != "" && isDirectory(dir) {
			return dir
		}
	}
	return ""
}

// required finds a package in the modules that a go.mod requires, which lists them all since Go 1.17.
func (s *source) required(importPath string, from module) string {
	if from.file == nil {
		return ""
	}
	best, dir := "", ""
	for _, r := range from.file.Require {
		below, ok := strings.CutPrefix(importPath, r.Mod.Path)
		if !ok || below != "" && below[0] != '/' || len(r.Mod.Path) < len(best) {
			continue
		}
		if in := s.directoryOf(r.Mod, from); in != "" {
			best, dir = r.Mod.Path, filepath.Join(in, filepath.FromSlash(below))
		}
	}
	return dir
}

// directoryOf returns where a module lies, or what takes its place.
func (s *source) directoryOf(m modpath.Version, from module) string {
	for _, r := range from.file.Replace {
		if r.Old.Path != m.Path || r.Old.Version != "" && r.Old.Version != m.Version {
			continue
		}
		if m = r.New; modfile.IsDirectoryPath(m.Path) {
			if filepath.IsAbs(m.Path) {
				return m.Path
			}
			return filepath.Join(from.dir, filepath.FromSlash(m.Path))
		}
	}
	name, err := modpath.EscapePath(m.Path)
	if err != nil {
		return ""
	}
	version, err := modpath.EscapeVersion(m.Version)
	if err != nil {
		return ""
	}
	return filepath.Join(s.cache, filepath.FromSlash(name)+"@"+version)
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
