package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/protected"
	"tidepool/internal/sandbox/confine"
	"tidepool/internal/state"
)

// maxRepositories bounds how many repositories of a project are protected. With more, nothing runs.
const maxRepositories = 1000

// gitNames returns what is protected in a git directory: what makes git run something, or look elsewhere for it.
func gitNames() []string {
	return strings.Fields("hooks config config.worktree commondir gitdir info modules worktrees branches remotes")
}

// An inventory is what is protected in a project, as it was before a command. All paths are absolute, their directories without links.
type inventory struct {
	survey  survey
	gits    []string          // git directories, those of linked worktrees not counted
	guarded []string          // directories that must keep their place, because something below is protected
	present []string          // protected files and directories
	opened  []string          // directories in protected ones that can be written to: worktrees and their administrative directories
	absent  []string          // protected paths where nothing was
	links   map[string]string // protected paths that are links, with their targets
	saved   []saved           // at Partial: what was in the present ones
}

// inventory looks at what is protected.
func (s *Sandbox) inventory(level Level) (*inventory, error) {
	found, err := s.tree.survey(s.project)
	if err != nil {
		return nil, err
	}
	if n := len(found.repositories) + len(found.bare); n > maxRepositories {
		return nil, fmt.Errorf("%s contains %d repositories, at most %d can be protected", s.project, n, maxRepositories)
	}
	i := &inventory{survey: found, links: map[string]string{}}
	for _, top := range append([]string{s.project}, found.repositories...) {
		for _, name := range protected.Names() {
			i.note(filepath.Join(top, name))
		}
		if top != s.project { // the project's own state is hidden
			i.note(state.Of(top))
		}
		i.gitDir(filepath.Join(top, ".git"), s.project)
		if isClaudeWorktree(top) {
			i.opened = append(i.opened, top)
		}
	}
	for _, dir := range found.bare {
		i.contents(dir)
	}
	for _, path := range s.options.Protected {
		if path = s.place(path); within(path, s.project) {
			i.note(path)
		}
	}
	for _, path := range slices.Concat(s.options.Protected, s.options.Hide) {
		i.closeBelow(s.place(path))
	}
	i.guard(s.project)
	if level == Partial {
		i.saved, err = save(i.present, i.opened)
	}
	return i, err
}

// place returns a path of a setting, absolute and with the directories above it resolved.
func (s *Sandbox) place(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.project, path)
	}
	parent, err := resolve(filepath.Dir(path))
	if err != nil {
		parent = filepath.Dir(path)
	}
	return filepath.Join(parent, filepath.Base(path))
}

// note adds a protected path as what it is now.
func (i *inventory) note(path string) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		i.absent = append(i.absent, path)
	case info.Mode()&os.ModeSymlink != 0:
		target, _ := os.Readlink(path)
		i.links[path] = target
		if real, err := resolve(path); err == nil {
			i.present = append(i.present, real)
		}
	default:
		i.present = append(i.present, path)
	}
}

// gitDir adds a .git: a directory, a file that names one elsewhere, or a link to one.
func (i *inventory) gitDir(path, project string) {
	info, err := os.Lstat(path)
	if err == nil && info.IsDir() {
		i.contents(path)
		return
	}
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		i.note(path)
		return
	}
	target, _ := os.Readlink(path)
	i.links[path] = target
	if real, err := resolve(path); err == nil && within(real, project) {
		i.contents(real)
	}
}

// contents adds what is in a repository's common directory.
func (i *inventory) contents(dir string) {
	i.gits = append(i.gits, dir)
	i.gitNames(dir)
	i.linked(filepath.Join(dir, "worktrees"))
}

// gitNames adds what is protected in a git directory, and the directory itself as one that must stay.
func (i *inventory) gitNames(dir string) {
	i.guarded = append(i.guarded, dir)
	for _, name := range gitNames() {
		i.note(filepath.Join(dir, name))
	}
}

// guard adds the directories between the project and what is protected, and leaves out what is not in the project.
func (i *inventory) guard(project string) {
	i.present = slices.DeleteFunc(i.present, func(path string) bool { return !within(path, project) || path == project })
	slices.Sort(i.present)
	i.present = slices.Compact(i.present)
	all := map[string]bool{}
	for _, path := range append(slices.Clone(i.present), i.guarded...) {
		for dir := filepath.Dir(path); within(dir, project) && dir != project; dir = filepath.Dir(dir) {
			all[dir] = true
		}
	}
	for _, dir := range i.guarded {
		all[dir] = within(dir, project) && dir != project
	}
	i.guarded = nil
	for dir, is := range all {
		if is {
			i.guarded = append(i.guarded, dir)
		}
	}
}

// mounts adds what keeps the protected paths as they are: a directory that a mount is on cannot be renamed, so that nobody can put another
// one with other contents in its place.
func (i *inventory) mounts(v view) {
	for _, dir := range i.guarded {
		v.add(confine.Guard, dir, "")
	}
	for _, path := range i.present {
		v.add(confine.Protect, path, "")
	}
	for _, dir := range i.opened {
		v.add(confine.Write, dir, dir)
	}
}
