package launch

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tidepool/internal/environ"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// New returns a launcher of the controlserver beside this program, or else on
// PATH. TIDEPOOL_AUTOSTART=0 switches it off. The daemon receives the harmless
// variables of env.
func New(env []string) *Launcher {
	getenv := func(name string) string { return lookup(env, name) }
	l := &Launcher{Off: IsOff(getenv("TIDEPOOL_AUTOSTART"))}
	if l.Off {
		return l
	}
	l.Agent, _ = Self() // if that fails, so does the start, with the reason
	l.Program, _ = Find(getenv("PATH"))
	l.Environ = env
	return l
}

// IsOff reports whether the value of a variable switches something off.
func IsOff(text string) bool {
	switch strings.ToLower(text) {
	case "0", "false", "no", "off":
		return true
	}
	return false
}

// lookup returns the value of a variable; "" if it is not set.
func lookup(env []string, name string) string {
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// spawn starts the daemon, which inherits the lock of log.
func (l *Launcher) spawn(place protocol.Place, log *os.File) error {
	if l.Program == "" {
		return &Error{
			Reason: "no daemon answers, and there is no controlserver beside agent or on PATH to start",
			Advice: fmt.Sprintf("install it beside %s, or run `controlserver serve` in %s", l.Agent, place.Project),
		}
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	args := []string{l.Agent, "spawn", l.Program, "serve", "--detached", "--project", place.Project}
	pid, err := syscall.ForkExec(l.Agent, args, &syscall.ProcAttr{
		Dir:   place.Project,
		Env:   within(daemonEnviron(l.Environ, place), place),
		Files: []uintptr{null.Fd(), null.Fd(), log.Fd()},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return fmt.Errorf("starting %s: %w", l.Agent, err)
	}
	return reap(pid)
}

// daemonEnviron returns the variables of env for the daemon: the harmless ones, or
// all if the settings may name more. Only the daemon can judge the settings. It then
// drops the others itself, which takes 15 ms more.
func daemonEnviron(env []string, place protocol.Place) []string {
	if lookup(env, "TIDEPOOL_ENVIRONMENT_PASS") != "" {
		return env
	}
	var settings []byte
	_ = state.Within(filepath.Join(state.Of(place.Project), "config.json"), func(f *state.File) (err error) {
		settings, err = f.Read(maxSettings)
		return err
	}) // the daemon reports what is wrong with it
	if bytes.Contains(settings, []byte(`"environment`)) {
		return env
	}
	return environ.Harmless(env, nil)
}

// maxSettings is the largest settings file, in bytes, that is examined here.
const maxSettings = 1 << 20

// within returns env for a process in the project's directory: a relative path of
// the socket becomes absolute.
func within(env []string, place protocol.Place) []string {
	const socket = "TIDEPOOL_CONTROL_SOCKET="
	changed := make([]string, len(env))
	for i, entry := range env {
		if strings.HasPrefix(entry, socket) && entry != socket {
			entry = socket + place.Socket
		}
		changed[i] = entry
	}
	return changed
}

// reap waits for `agent spawn`, which takes a millisecond or two. Its errors are in
// the log.
func reap(pid int) error {
	for {
		if _, err := syscall.Wait4(pid, nil, 0, nil); err != syscall.EINTR {
			return os.NewSyscallError("wait4", err)
		}
	}
}

// Spawn is `agent spawn`: it starts a program in a session of its own, with
// this process's descriptors, environment and directory, and does not wait for it.
// It returns the exit status.
func Spawn(args []string, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintln(stderr, "error: agent spawn needs a program")
		return 2
	}
	_, err := syscall.ForkExec(args[0], args, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		fmt.Fprintf(stderr, "error: starting %s: %v\n", args[0], err)
		return 1
	}
	return 0
}

// failure returns the error of a daemon that exited before it answered: its error
// and hint from the log, or else its first line.
func failure(log *os.File, from int64) error {
	said, err := io.ReadAll(io.NewSectionReader(log, from, maxLog))
	if err != nil {
		return err
	}
	var first, reason, advice string
	for line := range strings.Lines(string(said)) {
		line = strings.TrimSpace(line)
		first = cmp.Or(first, line)
		if text, ok := strings.CutPrefix(line, "error: "); ok {
			reason, advice = text, ""
		} else if text, ok := strings.CutPrefix(line, "hint: "); ok {
			advice = text
		}
	}
	reason = cmp.Or(reason, first, "it ended without a word")
	return &Error{Reason: "the daemon did not start: " + reason, Advice: advice, Log: log.Name()}
}
