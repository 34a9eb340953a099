// Package launch starts the daemon of a project that has none, and waits for
// one that somebody else is starting.
//
// # The lock of the start
//
// The start log, .tidepool/logs/start.log, is the stderr of the new daemon. Whoever
// starts a daemon holds the log's file lock. The daemon inherits the lock and
// releases it when it answers, or by its exit. So if many clients need a daemon at
// once, one of them starts it, the others wait no longer than the start takes, and
// all of them can report the daemon's own error.
//
// # Detaching
//
// Claude Code kills a hook that takes too long with all its descendants, so the
// daemon must not be one. `agent spawn` is a process between the two, in a session
// of its own. It starts the daemon in another session and exits.
package launch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// LogName is the path of the start log inside a project's state directory.
const LogName = "logs/start.log"

// The interval in which a client checks whether the daemon answers. A check costs
// two system calls.
const lookEvery = 2 * time.Millisecond

// A Launcher starts daemons. The zero value starts none and only waits for others.
type Launcher struct {
	Program string   // the controlserver to start; "" if none was found
	Environ []string // environment of the daemon, unchanged
	Agent   string   // path of this program, for its command spawn
	Off     bool     // the user has switched starting off
}

// Join waits until a daemon that somebody else is starting answers. It returns
// [ErrNobody] if nobody is starting one.
func (l *Launcher) Join(place protocol.Place, deadline time.Time) error {
	return l.launch(place, deadline, attempt{})
}

// Start waits until a daemon answers, and starts one if nobody else does.
func (l *Launcher) Start(place protocol.Place, deadline time.Time) error {
	return l.launch(place, deadline, attempt{begin: !l.Off})
}

// Renew is Start that also replaces a running daemon which a client has started and
// which is another build than l.Program. The old daemon finishes its calls.
func (l *Launcher) Renew(place protocol.Place, deadline time.Time) error {
	a := attempt{begin: !l.Off}
	if a.begin {
		a.build = protocol.Build(l.Program)
	}
	return l.launch(place, deadline, a)
}

// An attempt is the state of one client's wait for a daemon.
type attempt struct {
	begin bool   // it may start one
	build string // required build of the daemon; "": any
	begun bool   // it has started one
	from  int64  // offset of that daemon's output in the log
}

func (l *Launcher) launch(place protocol.Place, deadline time.Time, a attempt) error {
	for {
		log, err := openLog(place, a.begin)
		if err != nil {
			return err
		}
		done, err := l.step(place, log, deadline, &a)
		log.Close()
		if done || err != nil {
			return err
		}
		time.Sleep(lookEvery)
	}
}

// step checks once whether a daemon answers, and starts one if nobody else is doing
// that. It is done when a daemon answers.
func (l *Launcher) step(place protocol.Place, log *os.File, deadline time.Time, a *attempt) (done bool, err error) {
	free, err := lock(log)
	if err != nil {
		return false, err
	}
	late := !time.Now().Before(deadline)
	if !late {
		build := a.build
		if !free {
			build = "" // whoever is starting one has replaced the old build
		}
		if done, err := answers(place, build, deadline); done || err != nil {
			return done, err
		}
	}
	switch {
	case !free && late:
		return false, &Error{Reason: "the daemon is being started and does not answer yet", Log: log.Name()}
	case !free:
		return false, nil
	case a.begun:
		return false, failure(log, a.from)
	case !a.begin:
		return false, ErrNobody
	}
	a.begun = true
	if a.from, err = begin(log); err != nil {
		return false, err
	}
	return false, l.spawn(place, log)
}

// answers reports whether a daemon answers that does not hand over to the build.
func answers(place protocol.Place, build string, deadline time.Time) (bool, error) {
	response, err := client.Ask(place, &protocol.Attach{PID: os.Getpid(), Build: build}, deadline)
	if client.IsAbsent(err) || client.IsUnread(err) {
		return false, nil
	}
	if refused, ok := errors.AsType[*protocol.Error](err); ok && refused.Code == protocol.CodeMethodNotFound {
		return true, nil // it answers, but knows no Attach
	}
	if err != nil {
		return false, err
	}
	attached, ok := response.(*protocol.Attached)
	return !ok || !attached.Leaving, nil
}

// ErrNobody means that there is no daemon, and that nobody is starting one.
var ErrNobody = errors.New("nobody is starting the daemon")

// An Error is why a daemon that was started does not answer.
type Error struct {
	Reason string
	Advice string // "" if there is only the log
	Log    string // path of the start log; "" if nothing was started
}

func (e *Error) Error() string { return e.Reason }

// Hint says what to do, and names the log.
func (e *Error) Hint() string {
	switch {
	case e.Log == "":
		return e.Advice
	case e.Advice == "":
		return "see " + e.Log
	}
	return fmt.Sprintf("%s (%s)", e.Advice, e.Log)
}

// openLog opens the start log. A client that starts nothing does not create it. The
// state directory must belong to the user, and links in it are not followed: a clone
// may have brought them.
func openLog(place protocol.Place, create bool) (log *os.File, err error) {
	dir := state.Of(place.Project)
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, ErrNobody
	}
	err = state.Within(filepath.Join(dir, LogName), func(f *state.File) error {
		flags := os.O_RDWR | os.O_APPEND
		if create {
			flags |= os.O_CREATE
			if err := f.Dir().Make(); err != nil {
				return err
			}
		}
		log, err = f.Open(flags)
		return err
	})
	switch {
	case !create && errors.Is(err, os.ErrNotExist):
		return nil, ErrNobody
	case err != nil:
		return nil, unwritable(err)
	}
	return log, nil
}

// maxLog is the size in bytes above which a new start empties the log.
const maxLog = 256 << 10

// begin writes a line about the start to the log, and returns the offset of the
// daemon's output. It empties a log that is too large. A disk that is full fails
// here, before there is a daemon.
func begin(log *os.File) (int64, error) {
	size, err := log.Seek(0, io.SeekEnd)
	if err == nil && size >= maxLog {
		size, err = 0, log.Truncate(0)
	}
	if err != nil {
		return 0, err
	}
	n, err := fmt.Fprintf(log, "%s starting the daemon\n", time.Now().UTC().Format(time.RFC3339))
	if err != nil {
		return 0, unwritable(err)
	}
	return size + int64(n), nil
}

// unwritable returns the error for a start log that cannot be written. A daemon
// could not write its own files either.
func unwritable(err error) error {
	if refused, is := errors.AsType[*state.RefusedError](err); is {
		return &Error{Reason: refused.Error(), Advice: refused.Hint()}
	}
	advice := "make .tidepool/logs a directory of your own that you may write to"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		advice = "free some space on that disk"
	}
	return &Error{Reason: fmt.Sprintf("the daemon cannot be started: %v", err), Advice: advice}
}

// lock takes the lock of the start. It reports false if somebody else holds it. This
// process holds it until log is closed; a daemon that inherits it, until it answers.
func lock(log *os.File) (free bool, err error) {
	for {
		switch err := syscall.Flock(int(log.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case nil:
			return true, nil
		case syscall.EWOULDBLOCK:
			return false, nil
		case syscall.EINTR:
		default:
			return false, os.NewSyscallError("flock", err)
		}
	}
}
