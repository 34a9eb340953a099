// Package launch starts the daemon of a project that has none, and waits for
// one that somebody else is starting.
//
// The log of the start, .tidepool/logs/start.log, is the stderr of the new
// daemon, and whoever starts one holds its lock. The daemon inherits the lock
// and lets go of it when it answers, or when it ends without having come so
// far. So of any number of clients that miss a daemon at once one starts it,
// the others wait no longer than that takes, and a failure is known at once and
// by its own words.
//
// The daemon is nobody's child: Claude Code ends a hook that takes too long with
// all its descendants. Between this process and the daemon is one more, `agent
// spawn`, in a session of its own, which starts the daemon in another and is gone.
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

// LogName is the log of the start inside a project's state directory.
const LogName = "logs/start.log"

// How often a client looks whether the daemon that it waits for answers: two
// system calls.
const lookEvery = 2 * time.Millisecond

// A Launcher starts daemons. Its zero value starts none, and only joins.
type Launcher struct {
	Program string   // the controlserver to start; "" says that there is none
	Environ []string // for the daemon, as it is
	Agent   string   // this program, for its command spawn
	Off     bool     // the user wants no daemon to be started
}

// Join returns when a daemon answers that somebody is starting. The error is
// [ErrNobody] if nobody is.
func (l *Launcher) Join(place protocol.Place, deadline time.Time) error {
	return l.launch(place, deadline, attempt{})
}

// Start returns when a daemon answers, and starts it if nobody does.
func (l *Launcher) Start(place protocol.Place, deadline time.Time) error {
	return l.launch(place, deadline, attempt{begin: !l.Off})
}

// Renew is Start that leaves no daemon in place which a client has started and
// which is another build than the one that would be started now. It finishes
// the calls that it has.
func (l *Launcher) Renew(place protocol.Place, deadline time.Time) error {
	a := attempt{begin: !l.Off}
	if a.begin {
		a.build = protocol.Build(l.Program)
	}
	return l.launch(place, deadline, a)
}

// An attempt is how far a client goes to have a daemon.
type attempt struct {
	begin bool   // starts one
	build string // of which a daemon has to be; "": of any
	begun bool   // has started one
	from  int64  // where in the log that one's words begin
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

// step looks once, and starts a daemon if that is what remains. It is done when
// a daemon answers.
func (l *Launcher) step(place protocol.Place, log *os.File, deadline time.Time, a *attempt) (done bool, err error) {
	free, err := lock(log)
	if err != nil {
		return false, err
	}
	late := !time.Now().Before(deadline)
	if !late {
		build := a.build
		if !free {
			build = "" // whoever starts one now has seen to that
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

// answers reports whether a daemon answers, and stays although another build
// would be started.
func answers(place protocol.Place, build string, deadline time.Time) (bool, error) {
	response, err := client.Ask(place, &protocol.Attach{PID: os.Getpid(), Build: build}, deadline)
	if client.IsAbsent(err) || client.IsUnread(err) {
		return false, nil
	}
	if refused, ok := errors.AsType[*protocol.Error](err); ok && refused.Code == protocol.CodeMethodNotFound {
		return true, nil // it lives, and knows no Attach
	}
	if err != nil {
		return false, err
	}
	attached, ok := response.(*protocol.Attached)
	return !ok || !attached.Leaving, nil
}

// ErrNobody says that there is no daemon, and that nobody is starting one.
var ErrNobody = errors.New("nobody is starting the daemon")

// An Error says why there is no daemon although one was started.
type Error struct {
	Reason string
	Advice string // "" if the log is all there is
	Log    string // path of the log of the start; "" if nothing was started
}

func (e *Error) Error() string { return e.Reason }

// Hint says what to do, and where more is said.
func (e *Error) Hint() string {
	switch {
	case e.Log == "":
		return e.Advice
	case e.Advice == "":
		return "see " + e.Log
	}
	return fmt.Sprintf("%s (%s)", e.Advice, e.Log)
}

// openLog opens the log of the start, which a client that starts nothing does
// not make. The state directory must be the user's own; nothing below it is
// followed to a place outside, for it may have come with a clone.
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

// maxLog is the size in bytes at which a new start empties the log.
const maxLog = 256 << 10

// begin notes a start in the log, which is emptied before it grows too large,
// and returns where the daemon's words will stand. That they cannot be written,
// on a full disk for example, shows before there are any.
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

// unwritable is what to say when the log of the start cannot be written: the
// daemon could do no better.
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

// lock reports whether nobody else is starting a daemon. If so, that is this
// process until log is closed, or until a daemon that has inherited it says so.
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
