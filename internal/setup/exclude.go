package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Repository is the git repository around a project.
type Repository struct {
	Top     string // its work tree, absolute
	Exclude string // its own list of files that git does not show, absolute: .git/info/exclude
	Index   Index
}

// An Index tells what git does with a file of the work tree.
type Index interface {
	Tracked(path string) (bool, error)
	Ignored(path string) (bool, error)
}

// excludeMark begins the lines that are ours in the list.
const excludeMark = "# by agent init, which uninit removes again:"

// hides returns whether git shows nothing of a file that only the user has, once a line of the list names it. A file that it
// tracks it shows whatever the list says.
func (r *Repository) hides(path string) (hidden bool, err error) {
	if r == nil {
		return true, nil
	}
	tracked, err := r.Index.Tracked(path)
	return !tracked, err
}

// exclude plans that the list names the files of add, beside those that it names already by us, and none of drop.
func (p *Plan) exclude(r *Repository, add, drop []string) error {
	if r == nil {
		return nil
	}
	f, err := r.list()
	if err != nil {
		return err
	}
	foreign, ours := splitExclude(string(f.data))
	for _, path := range add {
		ignored, err := r.Index.Ignored(path)
		if err != nil {
			return err
		}
		if line := r.pattern(path); !ignored && line != "" && !slices.Contains(ours, line) {
			ours = append(ours, line)
		}
	}
	for _, path := range drop {
		ours = slices.DeleteFunc(ours, func(line string) bool { return line == r.pattern(path) })
	}
	after := joinExclude(foreign, ours)
	if after == string(f.data) {
		return nil
	}
	return p.change(f, []byte(after), 0o644)
}

// list reads the list. Links are not followed there: the directory may have come with an archive.
func (r *Repository) list() (file, error) {
	for _, path := range []string{filepath.Dir(r.Exclude), r.Exclude} {
		info, err := os.Lstat(path)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return file{}, &FileError{Path: path, Problem: "a symbolic link in git's own directory", hint: "look where it leads, and remove it"}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return file{}, err
		}
	}
	return look(r.Exclude)
}

// pattern returns the line that names exactly one file of the work tree; "" if none does.
func (r *Repository) pattern(path string) string {
	below, err := filepath.Rel(r.Top, path)
	if err != nil || !filepath.IsLocal(below) || strings.ContainsAny(below, "\n\r") {
		return ""
	}
	return "/" + strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(filepath.ToSlash(below))
}

// splitExclude takes our lines out of a list.
func splitExclude(text string) (foreign string, ours []string) {
	before, after, found := strings.Cut(text, excludeMark+"\n")
	if !found {
		return text, nil
	}
	for line := range strings.Lines(after) {
		if !strings.HasPrefix(line, "/") {
			break
		}
		ours = append(ours, strings.TrimSuffix(line, "\n"))
		after = after[len(line):]
	}
	return before + after, ours
}

// joinExclude is the inverse of splitExclude.
func joinExclude(foreign string, ours []string) string {
	if len(ours) == 0 {
		return foreign
	}
	if foreign != "" && !strings.HasSuffix(foreign, "\n") {
		foreign += "\n"
	}
	return foreign + excludeMark + "\n" + strings.Join(ours, "\n") + "\n"
}
