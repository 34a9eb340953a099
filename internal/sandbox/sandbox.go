package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/trust"
)

// A Level is how far a command is confined.
type Level string

// The levels. The zero value is none of them.
const (
	Full    Level = "full"
	Partial Level = "partial"
	None    Level = "none"
)

// atLeast reports whether a level holds as much as another.
func (l Level) atLeast(other Level) bool {
	order := []Level{None, Partial, Full}
	return slices.Index(order, l) >= slices.Index(order, other)
}

// The part of the home directory that a command can read.
const (
	HomeListed = "listed" // toolchains, their caches, and what PATH and its like name
	HomeOpen   = "open"   // all but known credentials
)

// atOnce is how many commands run at once; others wait for their turn.
const atOnce = 8

// Options configure a Sandbox.
type Options struct {
	Program   []string // what becomes the process between daemon and command: a program that calls confine.Main, with its arguments
	Project   string   // the directory that commands may write to
	Protected []string // paths besides the known ones that stay as they are; relative ones are below the project
	Hide      []string // paths besides the known ones that cannot be read
	Read      []string // paths that can be read although they lie in a hidden directory
	Write     []string // directories that commands may write to besides
	Home      string   // HomeListed or HomeOpen; "" is HomeListed
	Scratch   string   // the directory for /tmp of sessions, for caches, and for what was moved away; it is made when needed
	Log       *slog.Logger
}

// A Sandbox runs commands of one project. It starts nothing by itself and is safe for concurrent use.
type Sandbox struct {
	options    Options
	project    string // resolved
	repository string // the common directory of its repository, resolved; the project if that lies in it
	home       string // the user's, resolved; "" if there is none
	slots      chan struct{}
	tree       *tree

	probing sync.Mutex // held while the level is found out
	support Support    // zero until then
}

// New returns a Sandbox.
func New(o Options) (*Sandbox, error) {
	if len(o.Program) == 0 || o.Scratch == "" {
		return nil, errors.New("a sandbox needs a program and a directory of its own")
	}
	project, err := resolve(o.Project)
	if err != nil {
		return nil, fmt.Errorf("finding the project: %w", err)
	}
	if project == "/" {
		return nil, errors.New("the project is the root directory: commands could write everywhere")
	}
	repository, err := trust.RepositoryOf(project)
	if err != nil {
		return nil, fmt.Errorf("finding the project's repository: %w", err)
	}
	home, _ := os.UserHomeDir()
	if home, err = resolve(home); err != nil {
		home = ""
	}
	o.Home = cmp.Or(o.Home, HomeListed)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return &Sandbox{
		options: o, project: project, repository: repository, home: home,
		slots: make(chan struct{}, atOnce), tree: &tree{dirs: map[string]*dir{}},
	}, nil
}

// Support is how far commands can be confined here.
type Support struct {
	Level   Level
	Missing []string // what the level does not hold, in words; empty for Full
	Step    string   // the first step that failed on the way to a higher level; "" for Full
	Why     string   // its error
}

// Support finds the level out, once, by running true. The zero Support means that ctx ended before.
func (s *Sandbox) Support(ctx context.Context) Support {
	s.probing.Lock()
	defer s.probing.Unlock()
	if s.support.Level == "" {
		s.support = s.probe(ctx)
	}
	return s.support
}

// Known returns the level if it has been found out, else the zero Support. It does not wait.
func (s *Sandbox) Known() Support {
	if !s.probing.TryLock() {
		return Support{}
	}
	defer s.probing.Unlock()
	return s.support
}

// attempts is how often a level is tried before it counts as failed: what other programs do to files meanwhile may disturb one.
const attempts = 3

// probe tries the levels from above.
func (s *Sandbox) probe(ctx context.Context) Support {
	var found Support
	for _, level := range []Level{Full, Partial} {
		err := s.try(ctx, level)
		for n := 1; err != nil && n < attempts && ctx.Err() == nil; n++ {
			err = s.try(ctx, level)
		}
		if ctx.Err() != nil {
			return Support{}
		}
		if err == nil {
			found.Level, found.Missing = level, s.missing(level)
			return found
		}
		if found.Step == "" {
			found.Step, found.Why = "daemon", err.Error()
			if e, is := errors.AsType[*StartError](err); is {
				found.Step, found.Why = e.Step, e.Err.Error()
			}
		}
	}
	found.Level, found.Missing = None, s.missing(None)
	return found
}

// try runs true at a level.
func (s *Sandbox) try(ctx context.Context, level Level) error {
	out, err := s.at(ctx, level, Spec{Args: []string{"true"}, Dir: s.project, Env: []string{"PATH=/usr/bin:/bin"}}.withDefaults())
	if err == nil && (out.Exit != 0 || out.TimedOut) {
		err = &StartError{Step: "command", Err: fmt.Errorf("true ended with %d", out.Exit)}
	}
	return err
}

// missing returns what a level does not hold.
func (s *Sandbox) missing(level Level) []string {
	switch level {
	case Full:
		return nil
	case Partial:
		return []string{
			"protected files in the project are compared and put back after the command, not kept",
			"the project's state directory can be read and written",
			"names and command lines of the user's other processes can be read, and which processors they use can be changed",
			"modes, owners, times and attributes of the user's files can be changed, and files watched",
			"memory in files that no process has mapped does not count",
			"the number of root's processes is not limited",
			"sockets do not work at all",
		}
	}
	return []string{"nothing is confined"}
}

// resolve returns an absolute path without links.
func resolve(path string) (string, error) {
	if path == "" {
		return "", errors.New("the path is empty")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// existing is resolve for absolute paths of which most do not exist.
func existing(path string) (string, error) {
	if _, err := os.Lstat(path); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// within reports whether a path is a directory or below it.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}
