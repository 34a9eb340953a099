package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tidepool/internal/state"
)

// State checks the directory that holds all of a project's state.
type State struct {
	Dir     string                 // absolute
	Make    func(dir string) error // makes it, or closes it to others and ignores it from git; refuses a foreign one
	Sockets []string               // names of the sockets that may be in it
}

// Look finds the directory, what is in it that a clone has brought, and what keeps it out of git.
func (s State) Look(context.Context) []Finding {
	directory := s.directory()
	if !directory.OK {
		return []Finding{directory}
	}
	return append([]Finding{directory, s.ignored()}, s.foreign()...)
}

// foreign returns the entries for which the daemon does not start. None is removed without a person who has looked at it.
func (s State) foreign() []Finding {
	const name = "state"
	dir, err := state.Open(s.Dir)
	if err != nil {
		return []Finding{trouble(name, "make it accessible", err)}
	}
	defer dir.Close()
	err = dir.Check(s.Sockets...)
	all, is := errors.AsType[*state.ForeignError](err)
	switch {
	case err == nil:
		return nil
	case !is:
		return []Finding{trouble(name, "make it accessible", err)}
	}
	var found []Finding
	for _, entry := range all.Entries {
		found = append(found, trouble(name, "remove it", entry))
	}
	if all.More > 0 {
		found = append(found, problem(name, "remove those above first", "%d more in %s cannot be used", all.More, s.Dir))
	}
	return found
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
	err := state.Within(path, func(f *state.File) error {
		_, err := f.Stat()
		return err
	})
	if err != nil {
		return problem(name, "echo '*' >"+quote(path), "nothing keeps %s out of git", s.Dir).safely(func() error { return s.Make(s.Dir) })
	}
	return fine(name, "git does not see it")
}
