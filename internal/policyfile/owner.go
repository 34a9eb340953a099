package policyfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tidepool/internal/policy"
)

// checkPath returns why somebody else could put other files at the directory's path, or nil.
func (d Dir) checkPath() error {
	direct, err := filepath.EvalSymlinks(d.Path)
	if err != nil {
		return err
	}
	for _, path := range []string{d.Path, direct} {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return &RefusedError{path, "it is no directory", "make a directory of it"}
		}
		if err := d.checkOwner(path, info); err != nil {
			return err
		}
		for above := filepath.Dir(path); ; above = filepath.Dir(above) {
			if err := d.checkAbove(above); err != nil {
				return err
			}
			if above == filepath.Dir(above) {
				break
			}
		}
	}
	return nil
}

// checkAbove checks a directory above. One that others may write to is fine if each may only remove what is their own, as in /tmp.
func (d Dir) checkAbove(path string) error {
	for _, look := range []func(string) (fs.FileInfo, error){os.Lstat, os.Stat} { // whose link it is counts, too
		info, err := look(path)
		if err != nil {
			return err
		}
		if err := d.checkUser(path, info); err != nil {
			return err
		}
		if info.IsDir() && info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
			return &RefusedError{path, "everybody may write in it", "chmod o-w " + path}
		}
	}
	return nil
}

// checkOwner returns why somebody else may have written a file or directory, or nil.
func (d Dir) checkOwner(path string, info fs.FileInfo) error {
	if err := d.checkUser(path, info); err != nil {
		return err
	}
	if info.Mode().Perm()&0o022 != 0 {
		return &RefusedError{path, fmt.Sprintf("others may write it (its mode is %04o)", info.Mode().Perm()), "chmod go-w " + path}
	}
	return nil
}

func (d Dir) checkUser(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return &RefusedError{path, "the system does not say whose it is", "put it on another file system"}
	case stat.Uid == 0:
		return nil
	case d.Level == policy.Organisation:
		return &RefusedError{path, fmt.Sprintf("it belongs to user %d, and policies of the organisation belong to root", stat.Uid), "chown root " + path}
	case int(stat.Uid) != os.Geteuid():
		return &RefusedError{path, fmt.Sprintf("it belongs to user %d", stat.Uid), "give it to yourself or to root, or remove it"}
	}
	return nil
}
