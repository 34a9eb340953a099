//go:build linux

package escape

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A snapshot says of each path that must stay what it is: kind, mode, owner, size, time, content, attributes.
type snapshot map[string]string

// look describes the world as it is now: all of it, but of the project only what is protected.
func (w *world) look() (snapshot, error) {
	s := snapshot{}
	err := filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // a directory that is closed now has another mode, which is seen
		}
		name := w.name(path)
		if path == w.project() {
			return nil
		}
		if elsewhere(name) {
			return nil
		}
		below, project := strings.CutPrefix(name, "project/")
		if project && !watched(below) {
			if entry.IsDir() && !above(below) {
				return fs.SkipDir
			}
			return nil
		}
		s[name], err = describe(path, entry, !project || w.times)
		return err
	})
	return s, err
}

// name returns a path as rows name it.
func (w *world) name(path string) string {
	if below, ok := strings.CutPrefix(path, w.project()+"/"); ok {
		return "project/" + below
	}
	return strings.TrimPrefix(path, w.dir+"/")
}

// watchedPaths are what is protected in the project. The end of a path stands for all below.
func watchedPaths() []string {
	return []string{
		".claude", ".mcp.json", ".vscode", ".idea", ".envrc", ".tidepool",
		".git/hooks", ".git/config", ".git/config.worktree", ".git/commondir", ".git/modules/sub/hooks", ".git/modules/sub/config",
		".git/worktrees/tree/commondir", ".git/worktrees/tree/gitdir", ".git/worktrees/tree/config.worktree",
		"lib/nested/.git/hooks", "lib/nested/.git/config", "sub/.git", "tree/.git",
	}
}

// elsewhere reports whether a path belongs to a repository beside the project, which commits write to, and is not what makes git run
// something.
func elsewhere(name string) bool {
	below, repository := strings.CutPrefix(name, "home/src/gitdir/")
	if !repository {
		below, repository = strings.CutPrefix(name, "home/src/main/.git/")
	}
	parts := strings.Split(below, "/")
	return repository && parts[0] != "hooks" && !slices.Contains([]string{"config", "config.worktree", "commondir", "gitdir"}, parts[len(parts)-1])
}

// watched reports whether a path of the project must stay. What the sandbox itself keeps is below .tidepool/exec.
func watched(path string) bool {
	if path == ".tidepool/exec" || strings.HasPrefix(path, ".tidepool/exec/") {
		return false
	}
	return slices.ContainsFunc(watchedPaths(), func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}

// above reports whether something that is watched is below a directory of the project.
func above(dir string) bool {
	return slices.ContainsFunc(watchedPaths(), func(p string) bool { return strings.HasPrefix(p, dir+"/") })
}

// describe returns what must stay of an entry: of directories all but their times, which change with what is in them, and of files
// their times if the caller wants that: what is put back has another one.
func describe(path string, entry fs.DirEntry, times bool) (string, error) {
	info, err := entry.Info()
	if err != nil {
		return "gone", nil
	}
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return "gone", nil
	}
	text := fmt.Sprintf("%v %d:%d", info.Mode(), st.Uid, st.Gid)
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		to, err := os.Readlink(path)
		return text + " " + to, err
	case info.Mode().IsRegular():
		var content []byte
		if info.Size() <= largestRead {
			if content, err = os.ReadFile(path); err != nil && !os.IsPermission(err) {
				return "", err
			}
		}
		if times {
			text += info.ModTime().String()
		}
		return fmt.Sprintf("%s %d %08x %s", text, info.Size(), crc32.ChecksumIEEE(content), attributes(path)), nil
	}
	return text, nil
}

// attributes returns the names of a file's extended attributes.
func attributes(path string) string {
	names := make([]byte, 1024)
	n, err := unix.Llistxattr(path, names)
	if err != nil {
		return ""
	}
	return string(bytes.ReplaceAll(names[:n], []byte{0}, []byte{' '}))
}

// changed returns what is not as before.
func (w *world) changed() ([]Breach, error) {
	now, err := w.look()
	if err != nil {
		return nil, err
	}
	var found []Breach
	for path, was := range w.before {
		if now[path] != was {
			found = append(found, changes(path))
		}
	}
	for path := range now {
		if _, ok := w.before[path]; !ok {
			found = append(found, changes(path))
		}
	}
	slices.Sort(found)
	return found, nil
}

// largestRead is how much of a file is read: all that the world's own files have, but for a program.
const largestRead = 1 << 20

// left returns what is wrong with files of the project that are not protected: secrets in them, rights of others, devices. It
// follows no links.
func (w *world) left() ([]Breach, error) {
	var found []Breach
	err := filepath.WalkDir(w.project(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && entry.IsDir() && entry.Name() == ".tidepool" {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return nil
		}
		if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeDevice) != 0 || strings.Contains(attributes(path), "security.capability") {
			found = append(found, gives)
		}
		if info.Mode().IsRegular() && info.Size() <= largestRead {
			content, err := os.ReadFile(path)
			if err == nil {
				found = append(found, w.told(content)...)
			}
		}
		return nil
	})
	return found, err
}

// told returns which secrets are in a text.
func (w *world) told(text []byte) []Breach {
	var found []Breach
	for name, values := range w.secrets {
		if slices.ContainsFunc(values, func(v string) bool { return bytes.Contains(text, []byte(v)) }) {
			found = append(found, reads(name))
		}
	}
	return found
}
