package trust

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/git"
)

// Checkouts are the directories in which one project is worked on: its own, and the same one in each worktree of its
// repository.
type Checkouts struct {
	// ID is the same for all of them and for no other project: the path of the repository's common directory, and behind it the
	// project's place in a checkout, if it is not the whole; outside of a repository it is the project's directory.
	ID   string
	Dirs []string // absolute, resolved, the project's own first; there may be none any more at the others
}

// CheckoutsOf returns those of the project in a directory. A worktree counts if it and the repository name each other: a clone
// cannot bring along a .git that makes it a part of another project, nor a list of worktrees that makes another project a part
// of it. A submodule is a project of its own.
func CheckoutsOf(dir string) (Checkouts, error) {
	dir, err := resolve(dir)
	if err != nil {
		return Checkouts{}, err
	}
	top, err := topOf(dir)
	if err != nil {
		return Checkouts{}, err
	}
	if top == "" {
		return Checkouts{ID: dir, Dirs: []string{dir}}, nil
	}
	return checkoutsAt(top, dir), nil
}

// RepositoryOf returns the common directory of the repository that a directory lies in a worktree of, resolved. Where no repository
// confirms that, as in a submodule, it is the directory with the .git; outside of a repository it is the directory itself.
func RepositoryOf(dir string) (string, error) {
	dir, err := resolve(dir)
	if err != nil {
		return "", err
	}
	top, err := topOf(dir)
	if err != nil || top == "" {
		return dir, err
	}
	if common := worktreeOf(top); common != "" {
		return common, nil
	}
	return top, nil
}

// topOf returns the nearest directory with a .git of any kind, dir or one above it; "" if there is none. The error is for a repository of
// another user.
func topOf(dir string) (string, error) {
	for top := dir; ; top = filepath.Dir(top) {
		_, found, err := commonOf(top)
		if err != nil {
			return "", err
		}
		if found {
			return top, nil
		}
		if top == filepath.Dir(top) {
			return "", nil
		}
	}
}

// checkoutsAt returns the checkouts of a directory in the checkout top.
func checkoutsAt(top, dir string) Checkouts {
	common := worktreeOf(top)
	if common == "" {
		return Checkouts{ID: dir, Dirs: []string{dir}}
	}
	below, err := filepath.Rel(top, dir)
	if err != nil {
		return Checkouts{ID: dir, Dirs: []string{dir}}
	}
	all := Checkouts{ID: filepath.Join(common, below), Dirs: []string{dir}}
	for _, other := range worktrees(common) {
		if at := filepath.Join(other, below); !slices.Contains(all.Dirs, at) {
			all.Dirs = append(all.Dirs, at)
		}
	}
	return all
}

// worktreeOf returns the common directory of the repository that top is a worktree of, the main one or a linked one; "" if it
// is none, such as a submodule.
func worktreeOf(top string) string {
	common, _, err := commonOf(top)
	if err != nil || common == "" || common == filepath.Join(top, ".git") {
		return common
	}
	if filepath.Dir(privateOf(top)) != filepath.Join(common, "worktrees") {
		return ""
	}
	return common
}

// maxWorktrees bounds how many entries of a repository's list are read.
const maxWorktrees = 1000

// worktrees returns the resolved tops of a repository's worktrees that are there.
func worktrees(common string) []string {
	var tops []string
	if main, is := strings.CutSuffix(common, string(filepath.Separator)+".git"); is {
		tops = append(tops, main)
	}
	list, err := os.Open(filepath.Join(common, "worktrees"))
	if err != nil {
		return tops
	}
	defer list.Close()
	names, _ := list.Readdirnames(maxWorktrees)
	slices.Sort(names)
	for _, name := range names {
		private := filepath.Join(list.Name(), name)
		at, ok := git.Pointer(filepath.Join(private, "gitdir"), "", private)
		if !ok {
			continue
		}
		top, err := filepath.EvalSymlinks(filepath.Dir(at))
		if err == nil && worktreeOf(top) == common {
			tops = append(tops, top)
		}
	}
	return tops
}
