package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// A StateDirError says why a directory cannot hold a daemon's state.
type StateDirError struct {
	Dir    string
	Reason string
	hint   string
}

func (e *StateDirError) Error() string { return "cannot use " + e.Dir + ": " + e.Reason }

// Hint says what to do.
func (e *StateDirError) Hint() string { return e.hint }

// MakeStateDir makes dir, for this user alone and ignored by git, or checks that it is so: a project that was cloned
// may hold anything under that name. A directory of ours that others may read is closed to them. The error is a
// *StateDirError if dir is a symbolic link, not a directory, or another user's.
func MakeStateDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return &UnwritableError{"making the state directory", err}
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENOTDIR) {
		return &StateDirError{dir, "it is a symbolic link or not a directory", "remove it; it is made anew"}
	}
	if err != nil {
		return fmt.Errorf("opening the state directory: %w", err)
	}
	defer f.Close()
	if err := closeToOthers(f); err != nil {
		return err
	}
	return ignoreFromGit(dir)
}

func closeToOthers(dir *os.File) error {
	info, err := dir.Stat()
	if err != nil {
		return fmt.Errorf("looking at the state directory: %w", err)
	}
	if uid := info.Sys().(*syscall.Stat_t).Uid; int(uid) != os.Geteuid() {
		return &StateDirError{dir.Name(), fmt.Sprintf("it belongs to user %d", uid),
			"run as that user, or give the directory to yourself"}
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := dir.Chmod(0o700); err != nil {
		return fmt.Errorf("closing the state directory to other users: %w", err)
	}
	return nil
}

// ignoreFromGit writes the directory's own .gitignore unless there is one.
func ignoreFromGit(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err == nil {
		_, err = f.WriteString("*\n")
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(f.Name())) // an empty one would ignore nothing, for good
		}
	}
	if err != nil {
		return &UnwritableError{"writing .gitignore", err}
	}
	return nil
}
