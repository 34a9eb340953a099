package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// State checks the directory that holds all of a project's state.
type State struct {
	Dir  string                 // absolute
	Make func(dir string) error // makes it, or closes it to others and ignores it from git; refuses a foreign one
}

// Look finds the directory, and what keeps it out of git.
func (s State) Look(context.Context) []Finding {
	directory := s.directory()
	if !directory.OK {
		return []Finding{directory}
	}
	return []Finding{directory, s.ignored()}
}

func (s State) directory() Finding {
	const name = "state"
	mend := func() error { return s.Make(s.Dir) }
	info, err := os.Lstat(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem(name, "agent init makes it, and sets up Claude Code", "there is no %s", s.Dir).safely(mend)
	case err != nil:
		return trouble(name, "make it accessible", err)
	case !info.IsDir():
		return problem(name, "remove it; it is made anew", "%s is a symbolic link or a file, not a directory", s.Dir)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; int(owner) != os.Geteuid() {
		return problem(name, "run as that user, or give the directory to yourself", "%s belongs to user %d", s.Dir, owner)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return problem(name, "chmod 700 "+quote(s.Dir), "%s is open to other users (mode %o)", s.Dir, mode).safely(mend)
	}
	return fine(name, "%s, for you alone", s.Dir)
}

func (s State) ignored() Finding {
	const name = "gitignore"
	path := filepath.Join(s.Dir, ".gitignore")
	if _, err := os.Stat(path); err != nil {
		return problem(name, "echo '*' >"+quote(path), "nothing keeps %s out of git", s.Dir).safely(func() error { return s.Make(s.Dir) })
	}
	return fine(name, "git does not see it")
}
