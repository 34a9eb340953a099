package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/git"
)

// maxConfig is the most that is read of a git configuration, in bytes.
const maxConfig = 1 << 20

// commonOf returns the common directory of the repository whose worktree is top, which is resolved. found reports whether top
// has a .git of any kind. If it has one and there is no common directory, no repository confirms the .git. The error is for a
// repository of another user.
func commonOf(top string) (common string, found bool, err error) {
	at := filepath.Join(top, ".git")
	info, err := os.Lstat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err == nil {
		err = owned(at, info)
	}
	switch {
	case err != nil:
		return "", true, err
	case info.IsDir():
		return at, true, nil // whatever a file commondir in it says: the inode is that of this directory
	case info.Mode().IsRegular():
		return pointedAt(top), true, nil
	}
	return "", true, nil // a link, or nothing that git knows
}

// pointedAt returns the common directory that the file .git in top names; "" unless that repository names the worktree top,
// too.
func pointedAt(top string) string {
	private := privateOf(top)
	if private == "" {
		return ""
	}
	if info, err := os.Lstat(private); err != nil || owned(private, info) != nil {
		return ""
	}
	if list := filepath.Dir(private); filepath.Base(list) == "worktrees" {
		back, _ := git.Pointer(filepath.Join(private, "gitdir"), "", private)
		if same(back, filepath.Join(top, ".git")) {
			return filepath.Dir(list)
		}
	}
	if outer := repositoryAround(filepath.Dir(top)); outer != "" {
		return submodule(top, private, outer)
	}
	return ""
}

// submodule returns the common directory of the repository in outer if top is a submodule of it.
func submodule(top, private, outer string) string {
	common, _, err := commonOf(outer)
	if err != nil || common == "" {
		return ""
	}
	of := common
	if linked := privateOf(outer); linked != "" {
		of = linked
	}
	below, err := filepath.Rel(filepath.Join(of, "modules"), private)
	if err != nil || below == "." || !filepath.IsLocal(below) {
		return ""
	}
	back := worktreeIn(filepath.Join(private, "config"))
	if back != "" && !filepath.IsAbs(back) {
		back = filepath.Join(private, back)
	}
	if !same(back, top) {
		return ""
	}
	return common
}

// privateOf returns the resolved directory that the file .git in top names; "" if .git is no file.
func privateOf(top string) string {
	private := git.PrivateDir(top)
	if private == "" {
		return ""
	}
	direct, err := filepath.EvalSymlinks(private)
	if err != nil {
		return ""
	}
	return direct
}

// repositoryAround returns the nearest directory with a .git, dir or one above it; "" if there is none.
func repositoryAround(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// same reports whether a path, which may lead through links, is that of a file whose directory is resolved.
func same(path, resolved string) bool {
	if path == "" {
		return false
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	return err == nil && filepath.Join(dir, filepath.Base(path)) == resolved
}

// worktreeIn returns core.worktree of a git configuration, as git writes it; "" if it has none.
func worktreeIn(file string) string {
	data, err := git.ReadRegular(file, maxConfig)
	if err != nil {
		return ""
	}
	core, found := false, ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			core = strings.EqualFold(line, "[core]")
			continue
		}
		if key, value, ok := strings.Cut(line, "="); core && ok && strings.EqualFold(strings.TrimSpace(key), "worktree") {
			found = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return found
}
