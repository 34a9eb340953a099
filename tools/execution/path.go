package execution

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/wording"
)

const maxPath = 4096 // bytes of a path

// shownPath returns a path for messages.
func shownPath(path string) string { return wording.Line(wording.Visible(path), 200) }

// below returns a path relative to the project and slash-separated. A relative path begins at dir, the caller's directory; "" is the
// project's. Links above the project are followed, since the project may be behind one; none below it is, see openAt.
func (t *Toolset) below(dir, path string) (string, error) {
	switch {
	case path == "" || len(path) > maxPath || strings.ContainsRune(path, 0):
		return "", &refusedError{fmt.Sprintf("%q is no path", shownPath(path)), "give the path of a file in the project"}
	case !filepath.IsAbs(path):
		path = filepath.Join(cmp.Or(dir, t.Root), path)
	}
	path = filepath.Clean(path)
	for _, candidate := range [...]string{path, resolved(path)} {
		if rel, err := filepath.Rel(t.Root, candidate); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", &refusedError{shownPath(path) + " is outside of the project " + t.Root, "the safe tools reach files of the project only"}
}

// resolved returns a path without links in the part of it that exists.
func resolved(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// openAt opens the directory of a path below a root, one name after the other, and follows no link: a command that runs meanwhile may
// put one anywhere. create makes directories that are missing. The caller closes the result.
func openAt(project, path string, create bool) (*os.Root, error) {
	root, err := os.OpenRoot(project)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	names := strings.Split(path, "/")
	for i, name := range names[:len(names)-1] {
		next, err := step(root, name, strings.Join(names[:i+1], "/"), create)
		if err = errors.Join(err, root.Close()); err != nil {
			return nil, err
		}
		root = next
	}
	return root, nil
}

// step opens a directory in another one. path is that of the directory, for messages.
func step(root *os.Root, name, path string, create bool) (*os.Root, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err := root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("making a directory: %w", err)
		}
		info, err = root.Lstat(name)
	}
	if err != nil {
		return nil, notThere(path, err)
	}
	if !info.IsDir() {
		return nil, notRegular(root, name, path, info)
	}
	next, err := root.OpenRoot(name)
	if err != nil {
		return nil, notThere(path, err)
	}
	if opened, err := next.Stat("."); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(&refusedError{shownPath(path) + " is being replaced", "try again"}, err, next.Close())
	}
	return next, nil
}

// notThere returns the error of a path that cannot be opened.
func notThere(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &missingError{refusedError{"there is no " + shownPath(path), "paths are relative to your directory, or absolute"}}
	}
	return fmt.Errorf("opening %s: %w", shownPath(path), err)
}

// notRegular returns the error of a path that is of another kind than it must be.
func notRegular(root *os.Root, name, path string, info fs.FileInfo) error {
	shown := shownPath(path)
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		to, _ := root.Readlink(name) // "": it has gone
		return &refusedError{fmt.Sprintf("%s is a link to %s, and the safe tools follow none", shown, shownPath(to)), "give the path that it leads to"}
	case mode.IsDir():
		return &refusedError{shown + " is a directory", "give the path of a file; safe_bash lists directories"}
	case mode.IsRegular():
		return &refusedError{shown + " is a file, not a directory", "give another path"}
	}
	return &refusedError{shown + " is no regular file but a pipe, a socket or a device", "give the path of a file"}
}
