package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// undo takes away what a command made since begin where something protected was missing, new repositories, links in git directories, and
// directories that cannot be listed; it puts back links, and at Partial files. It returns what it moved and what it put back.
func (s *Sandbox) undo(before *inventory, p places, begin time.Time) (held, restored []string, err error) {
	root, err := os.OpenRoot(s.project)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	h := &holder{project: s.project, root: root, to: p.held, stamp: strconv.FormatInt(time.Now().UnixNano(), 36)}
	for _, path := range before.absent {
		if _, err := os.Lstat(path); err == nil {
			h.hold(path)
		}
	}
	for path, target := range before.links {
		if now, err := os.Readlink(path); err == nil && now == target {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			h.hold(path)
		}
		h.restore(path, func(below string) error { return root.Symlink(target, below) })
	}
	for _, f := range before.saved {
		f.putBack(h)
	}
	for _, dir := range before.gits {
		for _, link := range gitLinks(dir, begin) {
			h.hold(link)
		}
	}
	after, err := s.tree.survey(s.project)
	for _, top := range after.repositories {
		if !slices.Contains(before.survey.repositories, top) {
			h.hold(filepath.Join(top, ".git"))
		}
	}
	for _, dir := range append(after.bare, after.closed...) {
		if !slices.Contains(before.survey.bare, dir) && !slices.Contains(before.survey.closed, dir) {
			h.hold(dir)
		}
	}
	return h.held, h.restored, errors.Join(append(h.errs, err)...)
}

// A holder moves entries of a project away.
type holder struct {
	project        string
	root           *os.Root // the project
	to             string   // the directory for them, absolute
	stamp          string   // tells commands apart
	held, restored []string
	errs           []error
}

// hold moves an entry into the directory for held ones, or renames it in its place where that is on another file system. The
// entry need not be there any more: a repository in a directory that is held goes with it.
func (h *holder) hold(path string) {
	below, err := filepath.Rel(h.project, path)
	if err != nil {
		h.errs = append(h.errs, err)
		return
	}
	if _, err := h.root.Lstat(below); errors.Is(err, os.ErrNotExist) {
		return
	}
	name := strconv.Itoa(len(h.held)) + "-" + filepath.Base(path)
	places := []string{below + ".held-" + h.stamp + "-" + name}
	if dir, err := filepath.Rel(h.project, filepath.Join(h.to, h.stamp)); err == nil && filepath.IsLocal(dir) {
		if err := h.root.Mkdir(dir, 0o700); err == nil || errors.Is(err, os.ErrExist) {
			places = slices.Insert(places, 0, filepath.Join(dir, name))
		}
	}
	for _, place := range places {
		if err = h.root.Rename(below, place); err == nil {
			h.held = append(h.held, below+" (now "+place+")")
			return
		}
	}
	h.errs = append(h.errs, fmt.Errorf("moving %s away: %w", below, err))
}

// restore puts an entry back by a function that is given its path below the project.
func (h *holder) restore(path string, put func(below string) error) {
	below, err := filepath.Rel(h.project, path)
	if err == nil {
		err = put(below)
	}
	if err != nil {
		h.errs = append(h.errs, fmt.Errorf("putting %s back: %w", path, err))
		return
	}
	h.restored = append(h.restored, below)
}
