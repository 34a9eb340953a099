package claudememory

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tidepool/internal/git"
)

// Options say where files are. The zero Options finds those of nobody.
type Options struct {
	Home      string // the user's directory
	ConfigDir string // CLAUDE_CONFIG_DIR; "": .claude in Home
	Managed   string // the administrator's directory; "": /etc/claude-code
	Trusted   bool   // the project's settings may name the memory directory
}

func (o Options) config() string {
	if o.ConfigDir == "" && o.Home == "" {
		return ""
	}
	return cmp.Or(o.ConfigDir, filepath.Join(o.Home, ".claude"))
}

func (o Options) managed() string { return cmp.Or(o.Managed, "/etc/claude-code") }

// A Kind says whose memory a file is.
type Kind string

const (
	Managed Kind = "managed" // the administrator's
	User    Kind = "user"    // for all projects of the user
	Project Kind = "project" // instructions of a directory, usually under version control
	Local   Kind = "local"   // the user's own, for one checkout
	Auto    Kind = "auto"    // MEMORY.md, which Claude Code writes and loads
	Topic   Kind = "topic"   // beside MEMORY.md, read by the model when it wants
)

// A place is a directory with memory files.
type place struct {
	dir   string
	files []string // names of files
	trees []string // directories below dir whose Markdown files are all taken
	kind  Kind
}

// places returns where a session in a directory finds its memory: the administrator's first, then from the user's inwards.
func (o Options) places(dir string) []place {
	all := []place{{dir: o.managed(), files: []string{"CLAUDE.md"}, kind: Managed}}
	if config := o.config(); config != "" {
		all = append(all, place{dir: config, files: []string{"CLAUDE.md"}, trees: []string{"rules"}, kind: User})
	}
	for _, d := range ancestors(dir) {
		if filepath.Join(d, ".claude") == o.config() {
			all = append(all, place{dir: d, files: []string{"CLAUDE.md"}, kind: Project}, local(d))
			continue
		}
		all = append(all, place{dir: d, files: []string{"CLAUDE.md", ".claude/CLAUDE.md"}, trees: []string{".claude/rules"}, kind: Project}, local(d))
	}
	for _, d := range o.memoryDirs(dir) {
		all = append(all, place{dir: d, trees: []string{"."}, kind: Topic})
	}
	return all
}

func local(dir string) place { return place{dir: dir, files: []string{"CLAUDE.local.md"}, kind: Local} }

// ancestors returns a directory and all above it, the outermost first.
func ancestors(dir string) []string {
	if !filepath.IsAbs(dir) {
		return nil
	}
	var all []string
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		all = append(all, dir)
		if dir == filepath.Dir(dir) {
			slices.Reverse(all)
			return all
		}
	}
}

// memoryDirs returns the memory directories of a session in a directory.
func (o Options) memoryDirs(dir string) []string {
	if named := o.named(dir); named != "" {
		return []string{named}
	}
	if o.config() == "" || !filepath.IsAbs(dir) {
		return nil
	}
	top, main := worktree(dir)
	var all []string
	for _, d := range []string{main, top, dir} {
		all = append(all, o.ofSlug(slugOf(d))...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// maxSettings bounds a file of settings, in bytes.
const maxSettings = 1 << 20

// named returns the directory that settings name as autoMemoryDirectory; "" if they name none. The administrator's settings come first.
func (o Options) named(dir string) string {
	files := []string{filepath.Join(o.managed(), "managed-settings.json")}
	if o.Trusted {
		top, _ := worktree(dir)
		files = append(files, filepath.Join(top, ".claude", "settings.local.json"), filepath.Join(top, ".claude", "settings.json"))
	}
	if config := o.config(); config != "" {
		files = append(files, filepath.Join(config, "settings.json"))
	}
	for _, file := range files {
		data, err := git.ReadRegular(file, maxSettings)
		if err != nil {
			continue
		}
		var settings struct {
			AutoMemoryDirectory string `json:"autoMemoryDirectory"`
		}
		if json.Unmarshal(data, &settings) != nil {
			continue
		}
		named := settings.AutoMemoryDirectory
		if rest, ok := strings.CutPrefix(named, "~/"); ok && o.Home != "" {
			named = filepath.Join(o.Home, rest)
		}
		if filepath.IsAbs(named) {
			return filepath.Clean(named)
		}
	}
	return ""
}

// worktree returns the top of the worktree that a directory lies in, and of the repository's main worktree; the directory itself twice if
// it lies in none.
func worktree(dir string) (top, main string) {
	for _, d := range slices.Backward(ancestors(dir)) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err != nil {
			continue
		}
		private := git.PrivateDir(d)
		common, ok := git.Pointer(filepath.Join(private, "commondir"), "", private)
		if private == "" || !ok || filepath.Base(common) != ".git" {
			return d, d
		}
		return d, filepath.Dir(common)
	}
	return dir, dir
}

// maxSlug is how many characters of a path Claude Code keeps in a slug. Behind a longer one stands a hash.
const maxSlug = 200

// slugOf returns the name that Claude Code gives to the directory of a project, without the hash of a long one.
func slugOf(dir string) string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	slug := regexp.MustCompile("[^A-Za-z0-9]").ReplaceAllString(dir, "-")
	return slug[:min(len(slug), maxSlug+1)]
}

// ofSlug returns the memory directories of a slug. A path that is too long for one has those of all that begin alike.
func (o Options) ofSlug(slug string) []string {
	if len(slug) <= maxSlug {
		return []string{filepath.Join(o.config(), "projects", slug, "memory")}
	}
	return o.memoryOf(func(name string) bool { return strings.HasPrefix(name, slug[:maxSlug]+"-") })
}

// memoryOf returns the memory directories of the projects whose slugs are wanted.
func (o Options) memoryOf(want func(slug string) bool) []string {
	projects := filepath.Join(o.config(), "projects")
	entries, err := os.ReadDir(projects)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if e.IsDir() && want(e.Name()) {
			all = append(all, filepath.Join(projects, e.Name(), "memory"))
		}
	}
	return all
}

// ofProject returns the memory directories of projects whose path contains a text.
func (o Options) ofProject(text string) []place {
	part := strings.Trim(regexp.MustCompile("[^A-Za-z0-9]").ReplaceAllString(text, "-"), "-")
	var all []place
	for _, dir := range o.memoryOf(func(slug string) bool { return part != "" && strings.Contains(slug, part) }) {
		all = append(all, place{dir: dir, trees: []string{"."}, kind: Topic})
	}
	return all
}
