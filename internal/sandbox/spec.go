package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Defaults and bounds of a Spec.
const (
	defaultTimeout   = 30 * time.Second
	maxTimeout       = time.Hour
	defaultMemoryMB  = 2048
	defaultProcesses = 256
	defaultOutput    = 10 << 20
)

// A Spec is one command.
type Spec struct {
	Args        []string // argv; a program without a slash is looked for in the PATH of Env
	Dir         string   // where it runs: the project or below; "" is the project
	Env         []string // "NAME=value"; variables that name caches and /tmp are replaced
	Session     string   // whose /tmp it has; "" is a session, too
	Network     bool     // the machine's network instead of a loopback interface
	Accept      Level    // the lowest level at which it may run; "" is Full
	Timeout     time.Duration
	MemoryMB    int   // resident, of all its processes; 0 is 2048
	Processes   int   // at once; 0 is 256
	OutputBytes int64 // of each stream that are kept; 0 is 10 MB

	// Socket makes a Unix socket that the command alone reaches, at SocketPath; nil: it reaches none. It is called before the command starts, and
	// only if that runs at Full without the network: a lower level cannot show one socket and hide the others. The caller ends the socket
	// when Run has returned. ok is false if there is none after all.
	Socket func() (socket Socket, ok bool)
}

// SocketPath is where a command reaches its Socket.
const SocketPath = "/run/tidepool.sock"

// A Socket is a Unix socket for one command.
type Socket struct {
	Path string   // absolute, outside of the command's view
	Env  []string // "NAME=value": variables that the command has besides
}

func (s Spec) withDefaults() Spec {
	s.Accept = cmp.Or(s.Accept, Full)
	s.Timeout = min(cmp.Or(s.Timeout, defaultTimeout), maxTimeout)
	s.MemoryMB = cmp.Or(s.MemoryMB, defaultMemoryMB)
	s.Processes = cmp.Or(s.Processes, defaultProcesses)
	s.OutputBytes = cmp.Or(s.OutputBytes, defaultOutput)
	return s
}

// check returns what cannot be run, and sets the directory.
func (s *Sandbox) check(spec *Spec) error {
	switch {
	case len(spec.Args) == 0 || spec.Args[0] == "":
		return &SpecError{"there is no command", "name one"}
	case slices.ContainsFunc(slices.Concat(spec.Args, spec.Env, []string{spec.Dir}), func(text string) bool { return strings.ContainsRune(text, 0) }):
		return &SpecError{"the command contains a NUL character", "programs cannot be given any; write it as an escape sequence"}
	case spec.Timeout < 0 || spec.MemoryMB < 0 || spec.Processes < 0 || spec.OutputBytes < 0:
		return &SpecError{"a limit is negative", "leave it out for the default"}
	case !slices.Contains([]Level{Full, Partial, None}, spec.Accept):
		return &SpecError{fmt.Sprintf("there is no level %q", spec.Accept), "use full, partial or none"}
	}
	if spec.Dir == "" {
		spec.Dir = s.project
	}
	if !filepath.IsAbs(spec.Dir) {
		spec.Dir = filepath.Join(s.project, spec.Dir)
	}
	dir, err := resolve(spec.Dir)
	if err != nil {
		return &SpecError{fmt.Sprintf("cannot run in %q: %v", spec.Dir, err), "name a directory of the project"}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return &SpecError{fmt.Sprintf("cannot run in %q: it is no directory", spec.Dir), "name a directory of the project"}
	}
	if !within(dir, s.project) {
		return &SpecError{fmt.Sprintf("cannot run in %q: it is outside of the project %s", spec.Dir, s.project), "name a directory of the project"}
	}
	spec.Dir = dir
	return nil
}

// An Output is what a command wrote to one stream.
type Output struct {
	Text  []byte // the first bytes
	Total int64  // bytes that came in all
}

// An Outcome is what became of a command that ran. Its exit status, whatever it is, is no error.
type Outcome struct {
	Exit      int    // 128 and the signal's number if a signal ended it, 124 if the time was over
	Signal    string // the signal's name, as "SIGSEGV"; "" if none ended it
	Duration  time.Duration
	TimedOut  bool
	Limit     string // the limit that ended it, "memory" or "processes"; "" if none did
	Stdout    Output
	Stderr    Output
	Isolation Level
	Missing   []string // what the level does not hold
	Held      []string // paths of the project that the command made and that were moved away, each with where to
	Restored  []string // paths of the project that the command changed and that were put back
}
