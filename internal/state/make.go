package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Make opens a state directory that is for this user alone and ignored by git. It makes it, or closes it to others, if
// need be. Its errors are those of Open, and an *UnwritableError.
func Make(path string) (*Dir, error) {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, &UnwritableError{"making the state directory", err}
	}
	d, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := d.closeToOthers(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Ensure makes a state directory, or closes the one that is there to others, see Make.
func Ensure(path string) error {
	d, err := Make(path)
	if err != nil {
		return err
	}
	return d.Close()
}

func (d *Dir) closeToOthers() error {
	info, err := d.root.Stat(".")
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = d.root.Chmod(".", 0o700)
	}
	if err != nil {
		return fmt.Errorf("closing the state directory to other users: %w", err)
	}
	return d.ignoreFromGit()
}

// ignoreFromGit writes the directory's own .gitignore unless there is one.
func (d *Dir) ignoreFromGit() error {
	ignore := d.File(".gitignore")
	if _, err := ignore.Stat(); !errors.Is(err, fs.ErrNotExist) {
		return nil // Check tells if it is no file
	}
	if err := ignore.Replace([]byte("*\n")); err != nil { // an empty one would ignore nothing, for good
		return &UnwritableError{"writing .gitignore", err}
	}
	return nil
}

// Make makes the directory, for this user alone, unless it is there.
func (d *Dir) Make() error {
	if d.below == "." {
		return nil
	}
	if err := d.above().Make(); err != nil {
		return err
	}
	if err := d.root.Mkdir(d.below, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.check()
}

// Try writes a file and removes it, in the parent if this directory does not exist yet. A full disk, a quota and a read-only file
// system show in no other way.
func (d *Dir) Try() error {
	if err := d.check(); errors.Is(err, fs.ErrNotExist) && d.below != "." {
		return d.above().Try()
	} else if err != nil {
		return err
	}
	path, file, err := d.File(".try").beside()
	if err != nil {
		return err
	}
	_, err = file.WriteString("can be written\n")
	return errors.Join(err, file.Close(), d.root.Remove(path))
}

// Clear removes the directory with all its entries; it removes links and does not follow them. Nobody else may write to the
// directory meanwhile. It is no error if there is none.
func (d *Dir) Clear() error {
	if err := d.check(); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	err := d.root.RemoveAll(d.below)
	if errors.Is(err, fs.ErrPermission) && d.loosen() == nil {
		err = d.root.RemoveAll(d.below)
	}
	return err
}

// loosen gives this user all rights to the directories below, which a program may have taken from its own. It follows no links.
func (d *Dir) loosen() error {
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
		if e == nil || !e.IsDir() {
			return nil
		}
		if info, unknown := e.Info(); err == nil && unknown == nil && info.Mode().Perm()&0o700 == 0o700 {
			return nil
		}
		return root.Chmod(path, 0o700)
	})
}

// RemoveEmpty removes the directory if it is empty.
func (d *Dir) RemoveEmpty() error {
	if err := d.check(); err != nil {
		return err
	}
	return d.root.Remove(d.below)
}

// Purge removes a state directory with all its entries. It does not touch a link in its place, nor a directory of another
// user.
func Purge(path string) error {
	d, err := Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	above, err := At(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(above.root.RemoveAll(filepath.Base(path)), above.Close())
}

// Unmake removes a state directory that contains no more than Make has put into it.
func Unmake(path string) error {
	d, err := Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(d.File(".gitignore").Remove(), d.Close()); err != nil {
		return err
	}
	above, err := At(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(above.root.Remove(filepath.Base(path)), above.Close())
}
