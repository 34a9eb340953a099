package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tidepool/internal/state"
)

// Socket checks the daemon's lock and the socket that it answers on.
type Socket struct {
	Path string // absolute
	// Holder tells which process holds the lock, and whether any does.
	Holder func() (pid int, held bool, err error)
	// Ping asks whether the daemon answers, for a bounded time.
	Ping func() error
	// Clean removes a socket that nobody owns, while it holds the lock itself.
	Clean func() error
}

// Look finds out whether lock and socket fit together.
func (s Socket) Look(context.Context) []Finding {
	pid, held, err := s.Holder()
	if err != nil {
		return []Finding{trouble("lock", "make it accessible", err)}
	}
	if !held {
		return []Finding{fine("lock", "free: no daemon runs; the next session of Claude Code starts one"), s.unowned()}
	}
	return []Finding{fine("lock", "held by the daemon, pid %d", pid), s.owned(pid)}
}

// unowned looks at the socket of nobody.
func (s Socket) unowned() Finding {
	const name = "socket"
	info, err := os.Lstat(s.Path)
	switch {
	case err != nil && !exists(s.Path):
		return fine(name, "none, as no daemon runs")
	case err != nil:
		return trouble(name, "make it accessible", err)
	case info.Mode().Type() != os.ModeSocket:
		return problem(name, "move it away, or set TIDEPOOL_CONTROL_SOCKET to another path", "%s is no socket, and would not be replaced by one", s.Path)
	}
	return problem(name, "remove it; the next daemon does so, too", "%s is left of a daemon that died", s.Path).safely(s.Clean)
}

// owned looks at the socket of a daemon that runs.
func (s Socket) owned(pid int) Finding {
	const name = "socket"
	info, err := os.Lstat(s.Path)
	switch {
	case err != nil || info.Mode().Type() != os.ModeSocket:
		return problem(name, "end the daemon: controlserver stop", "%s is gone, so that nobody reaches the daemon", s.Path)
	case info.Mode().Perm() != 0o600:
		return problem(name, "chmod 600 "+quote(s.Path), "%s has mode %o", s.Path, info.Mode().Perm()).safely(s.closeToOthers)
	}
	if open := openTo(filepath.Dir(s.Path)); open != "" {
		return problem(name, "chmod go-w "+quote(filepath.Dir(s.Path)), "%s", open)
	}
	if err := s.Ping(); err != nil {
		return problem(name, fmt.Sprintf("look into agent logs; controlserver stop ends it, kill -KILL %d if that does not", pid), "the daemon does not answer on %s: %v", s.Path, err)
	}
	return fine(name, "%s, the daemon answers", s.Path)
}

func (s Socket) closeToOthers() error {
	dir, err := state.Around(s.Path)
	if err != nil {
		return err
	}
	return errors.Join(dir.CloseSocketToOthers(filepath.Base(s.Path)), dir.Close())
}

// openTo returns who else may put another socket in the place of ours; "" is nobody.
func openTo(dir string) string {
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o022 == 0 || info.Mode()&os.ModeSticky != 0 {
		return ""
	}
	return fmt.Sprintf("other users may replace what is in %s (mode %o)", dir, info.Mode().Perm())
}
