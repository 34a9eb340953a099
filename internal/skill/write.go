package skill

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Path returns where a new document would be: for people, and absolute. The error says why there is no such place.
func (s *Store) Path(kind Kind, scope Scope, name string) (shown, file string, err error) {
	p, ok := s.place(kind, scope)
	if !ok {
		return "", "", &Error{"the user has no home directory", "use the scope project"}
	}
	return p.shown(p.below(name)), filepath.Join(p.dir(), p.below(name)), nil
}

// Create writes a new document. It replaces none, also none that appears meanwhile.
func (s *Store) Create(kind Kind, scope Scope, name, text string) error {
	if err := CheckName(kind, name); err != nil {
		return err
	}
	p, ok := s.place(kind, scope)
	if !ok {
		return &Error{"the user has no home directory", "use the scope project"}
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	below := p.below(name)
	dir, err := p.open(below, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	staged, err := stage(dir, text, 0o644)
	if err != nil {
		return fmt.Errorf("writing %s: %w", p.shown(below), err)
	}
	err = dir.Link(staged, filepath.Base(below)) // a rename would replace
	if errors.Is(err, fs.ErrExist) {
		err = thereError(p.shown(below))
	}
	return errors.Join(err, dir.Remove(staged))
}

// Replace writes a document that was read before anew, unless it has changed since.
func (s *Store) Replace(d Document, text string) error {
	return s.change(d, func(dir *os.Root, name string) error {
		staged, err := stage(dir, text, d.mode)
		if err != nil {
			return fmt.Errorf("writing %s: %w", d.Path, err)
		}
		if err := dir.Rename(staged, name); err != nil {
			return errors.Join(err, dir.Remove(staged))
		}
		return nil
	})
}

// Remove removes a document that was read before, unless it has changed since. The directory of a skill goes with it if it contains nothing
// else; rest is how many entries stay.
func (s *Store) Remove(d Document) (rest int, err error) {
	err = s.change(d, func(dir *os.Root, name string) error {
		if err := dir.Remove(name); err != nil || d.Kind != Skill {
			return err
		}
		entries, err := fs.ReadDir(dir.FS(), ".")
		rest = len(entries)
		return err
	})
	if err != nil || d.Kind != Skill || rest > 0 {
		return rest, err
	}
	above, err := open(d.place.base, d.place.names, false)
	if err != nil {
		return 0, err
	}
	defer above.Close()
	return 0, above.Remove(filepath.Dir(d.file))
}

// change does something to the file of a document if it is as it was read.
func (s *Store) change(d Document, do func(dir *os.Root, name string) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	dir, err := d.place.open(d.file, false)
	if errors.Is(err, fs.ErrNotExist) {
		return changedError(d.Path)
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	name := filepath.Base(d.file)
	if text, _, err := read(dir, name); err != nil || text != d.Text {
		return changedError(d.Path)
	}
	return do(dir, name)
}

// open opens the directory of a document.
func (p place) open(below string, create bool) (*os.Root, error) {
	names := append([]string{}, p.names...)
	if dir := filepath.Dir(below); dir != "." {
		names = append(names, dir)
	}
	return open(p.base, names, create)
}

// stage writes a text to a new file in a directory, on the disk for good, and returns its name. A file that could not be written is gone.
func stage(dir *os.Root, text string, mode fs.FileMode) (string, error) {
	name := ".tidepool-" + rand.Text()
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, dir.Remove(name))
	}
	return name, nil
}
