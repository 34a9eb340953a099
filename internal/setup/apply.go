package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tidepool/internal/state"
)

// A staged change has its new content, and its old one for the way back, on the disk under other names.
type staged struct {
	path string
	next temporary // the zero one: the file is to be removed
	last temporary // the zero one: there was no file
}

// Apply makes all changes, or none: if one fails, those already made are taken back. Each file is whole at any moment.
// A file that changed since the plan was made is an error.
func (p *Plan) Apply() error {
	for _, path := range p.looked {
		sweep(path)
	}
	changes := slices.Concat(p.backups, p.Changes)
	for _, c := range changes {
		if err := c.check(); err != nil {
			return err
		}
	}
	made, err := p.makeDirs(changes)
	if err == nil {
		err = p.commit(changes)
	}
	if err != nil {
		p.unmake(made)
		return err
	}
	removeEmptied(changes)
	return nil
}

// check refuses a file that is no longer as it was.
func (c Change) check() error {
	f, err := look(c.Path)
	if err != nil {
		return err
	}
	if f.exists() != (c.Before != nil) || !bytes.Equal(f.data, c.Before) {
		return &FileError{Path: c.Path, Problem: "the file has just been changed by another program", hint: "try again"}
	}
	return nil
}

// makeDirs makes the directories that are missing and returns them, the outer ones first.
func (p *Plan) makeDirs(changes []Change) (made []string, err error) {
	if p.makeStateDir != nil {
		if _, err := os.Lstat(p.stateDir); errors.Is(err, fs.ErrNotExist) {
			made = append(made, p.stateDir)
		}
		if err := p.makeStateDir(p.stateDir); err != nil {
			return made, err
		}
	}
	for _, c := range changes {
		dir, mode := filepath.Dir(c.Path), fs.FileMode(0o755)
		if c.mode.Perm()&0o077 == 0 {
			mode = 0o700
		}
		for _, dir := range append(missingAbove(dir), dir) {
			isNew, err := makeDir(filepath.Join(dir, filepath.Base(c.Path)), mode)
			if isNew {
				made = append(made, dir)
			}
			if err != nil {
				return made, fmt.Errorf("making a directory for %s: %w", c.Path, err)
			}
		}
	}
	return made, nil
}

// missingAbove returns the directories around one that are missing, the outer ones first.
func missingAbove(dir string) (missing []string) {
	for at := filepath.Dir(dir); !exists(at) && !isOwn(at); at = filepath.Dir(at) {
		missing = append([]string{at}, missing...)
	}
	return missing
}

// commit writes all new contents beside their files, then renames them into place.
func (p *Plan) commit(changes []Change) error {
	var all []staged
	defer func() { removeStaged(all) }()
	for _, c := range changes {
		s, err := c.stage()
		all = append(all, s)
		if err != nil {
			return err
		}
	}
	for i, s := range all {
		if err := p.replace(s.path, s.next.path); err != nil {
			return errors.Join(fmt.Errorf("changing %s: %w", s.path, err), p.rollBack(all[:i]))
		}
	}
	for _, s := range all {
		if err := syncDir(filepath.Dir(s.path)); err != nil {
			return errors.Join(err, p.rollBack(all))
		}
	}
	return nil
}

func (c Change) stage() (s staged, err error) {
	s.path = c.Path
	if c.After != nil {
		if s.next, err = stage(c.Path, c.After, c.info, c.mode); err != nil {
			return s, err
		}
	}
	if c.Before != nil {
		s.last, err = stage(c.Path, c.Before, c.info, c.mode)
	}
	return s, err
}

// rollBack restores what the changes replaced, the last one first.
func (p *Plan) rollBack(done []staged) (err error) {
	for _, s := range slices.Backward(done) {
		if failed := p.replace(s.path, s.last.path); failed != nil {
			err = errors.Join(err, fmt.Errorf("restoring %s: %w", s.path, failed))
		}
	}
	return err
}

// replace puts the file called by over the one at path, or removes that if by is "".
func (p *Plan) replace(path, by string) error {
	if by == "" {
		return remove(path)
	}
	return p.rename(by, path)
}

func removeStaged(all []staged) {
	for _, s := range all {
		s.next.discard()
		s.last.discard()
	}
}

// unmake removes directories that were made for nothing.
func (p *Plan) unmake(made []string) {
	for _, dir := range slices.Backward(made) {
		if dir == p.stateDir {
			_ = state.Unmake(dir)
			continue
		}
		_ = removeDir(dir)
	}
}

// removeEmptied removes those directories of ours and of clients that became empty.
func removeEmptied(changes []Change) {
	for _, c := range changes {
		dir := filepath.Dir(c.Path)
		if c.After == nil && slices.Contains([]string{".claude", ".codex", ".gemini", ".cursor", "backup"}, filepath.Base(dir)) {
			_ = removeDir(dir) // fails if something is left in it
		}
	}
}
