package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tidepool/internal/state"
)

// Log checks that the daemon can write its log.
type Log struct {
	File string // absolute; its directory may be missing, but not the one above
}

// Look writes a file of its own beside the log, and removes it.
func (l Log) Look(context.Context) []Finding {
	const name = "log"
	fix := "make " + filepath.Dir(l.File) + " a directory that you may write to, on a disk with space"
	dir, err := state.Around(l.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the state directory is missing, which is said elsewhere
	}
	if err != nil {
		return []Finding{trouble(name, fix, err)}
	}
	defer dir.Close()
	if err := dir.Try(); err != nil {
		return []Finding{trouble(name, fix, err)}
	}
	return []Finding{l.look(dir.File(filepath.Base(l.File)))}
}

func (l Log) look(log *state.File) Finding {
	const name = "log"
	info, err := log.Stat()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fine(name, "%s can be written; there is none yet", l.File)
	case err != nil:
		return trouble(name, "make it accessible", err)
	case !info.Mode().IsRegular():
		return problem(name, "move it away", "%s is no file", l.File)
	case info.Mode().Perm()&0o077 != 0:
		return problem(name, "chmod 600 "+quote(l.File), "%s is open to other users (mode %o)", l.File, info.Mode().Perm()).
			safely(func() error { return state.Within(l.File, (*state.File).CloseToOthers) })
	}
	f, err := log.Open(os.O_WRONLY | os.O_APPEND)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return trouble(name, "make it writable", err)
	}
	return fine(name, "%s can be written", l.File)
}
