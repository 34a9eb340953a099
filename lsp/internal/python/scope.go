package python

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tidepool/lsp/internal/disk"
)

// A scope is which files pyright reads of the folders it serves, by their configuration as it was when the
// scope was made. Pyright has no request that lists the files it has read.
type scope []folder

type folder struct {
	dir              string
	config           string // base name of the configuration file; "": there is none
	include, exclude []*regexp.Regexp
	never            []*regexp.Regexp
	virtual          *virtualEnvs
}

// virtualEnvs remember of directories whether they are, or lie in, a virtual environment.
type virtualEnvs struct {
	mu    sync.Mutex
	known map[string]bool
}

// excludes returns what pyright never reads, beside virtual environments: no part of the project.
func excludes() []string {
	return []string{"**/node_modules", "**/__pycache__", "**/.*", "**/__editable__.*"}
}

func scopes(folders []string) scope {
	var all scope
	for _, dir := range folders {
		name, config := readPyrightConfig(dir)
		if len(config.include) == 0 {
			config.include = []string{"."}
		}
		all = append(all, folder{
			dir: dir, config: name, virtual: &virtualEnvs{known: map[string]bool{}},
			include: globs(dir, config.include), exclude: globs(dir, config.exclude),
			never: globs(dir, excludes()),
		})
	}
	return all
}

// globs compiles patterns for paths below dir, which match a directory with all that is in it.
func globs(dir string, patterns []string) []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, pattern := range patterns {
		var b strings.Builder
		b.WriteString("^" + regexp.QuoteMeta(filepath.ToSlash(dir)))
		for part := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(pattern)), "/") {
			switch part {
			case ".", "":
			case "**":
				b.WriteString("(/[^/]+)*?")
			default:
				part = strings.NewReplacer(`\*`, "[^/]*", `\?`, "[^/]").Replace(regexp.QuoteMeta(part))
				b.WriteString("/" + part)
			}
		}
		b.WriteString("($|/)")
		all = append(all, regexp.MustCompile(b.String()))
	}
	return all
}

// folderOf returns the innermost folder that path stands in, "" if none.
func (s scope) folderOf(path string) string { return s.of(path).dir }

func (s scope) of(path string) folder {
	var best folder
	for _, f := range s {
		if strings.HasPrefix(path, f.dir+string(filepath.Separator)) && len(f.dir) > len(best.dir) {
			best = f
		}
	}
	return best
}

// covers reports whether pyright reads a source file.
func (s scope) covers(path string) bool {
	f := s.of(path)
	return f.dir != "" && !f.foreign(path) && f.leftOut(path) == ""
}

// reads reports whether pyright answers about a file that is not open. To open one has it checked for errors first, which
// in code without types made the answers of 1.1.414 ten times slower. What lies outside of the folders is only asked
// about when pyright has itself led there, and so has read it.
func (s scope) reads(path string) bool { return s.folderOf(path) == "" || s.covers(path) }

// outside returns why pyright does not read a source file of the project.
func (s scope) outside(path string) string {
	f := s.of(path)
	if f.dir == "" || f.foreign(path) {
		return ""
	}
	return f.leftOut(path)
}

func (f folder) leftOut(path string) string {
	switch {
	case matchesAny(f.exclude, path):
		return "is left out by exclude in " + f.config
	case !matchesAny(f.include, path):
		return "is not in what include names in " + f.config
	}
	return ""
}

// foreign reports whether nobody takes the file for a part of the project: it was installed or generated.
func (f folder) foreign(path string) bool {
	f.virtual.mu.Lock()
	defer f.virtual.mu.Unlock()
	return matchesAny(f.never, path) || f.inVirtual(filepath.Dir(path))
}

func (f folder) inVirtual(dir string) bool {
	known, ok := f.virtual.known[dir]
	if !ok {
		known = isVirtualEnv(dir) || len(dir) > len(f.dir) && f.inVirtual(filepath.Dir(dir))
		f.virtual.known[dir] = known
	}
	return known
}

// isVirtualEnv asks what pyright asks of every directory.
func isVirtualEnv(dir string) bool {
	if disk.IsFile(dir, "pyvenv.cfg") || disk.IsFile(dir, "bin", "activate") || disk.IsFile(dir, "Scripts", "activate") {
		return true
	}
	info, err := os.Stat(filepath.Join(dir, "conda-meta"))
	return err == nil && info.IsDir()
}

func matchesAny(globs []*regexp.Regexp, path string) bool {
	path = filepath.ToSlash(path)
	return slices.ContainsFunc(globs, func(glob *regexp.Regexp) bool { return glob.MatchString(path) })
}
