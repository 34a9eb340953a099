package hook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// hailLimit is how long a daemon that has left a hook without an answer may take
// for a Pong. One that works answers it at any time, however slow its hooks are.
const hailLimit = 200 * time.Millisecond

// hail returns nil if the event may be sent: no hook before this one went
// without an answer, or the daemon answers again, or there is another one. The
// first case, by far the usual one, costs a system call.
func hail(place protocol.Place, deadline time.Time) error {
	if _, err := os.Lstat(markOf(place)); err != nil {
		return nil
	}
	if socket := identify(place.Socket); socket != "" && readMark(place) == socket {
		_, err := client.Ask(place, &protocol.Ping{}, within(hailLimit, deadline))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return &client.BrokenError{Reason: "the daemon hangs: it has not answered an earlier hook in time, and does not answer a ping"}
		}
	}
	_ = state.Within(markOf(place), (*state.File).Remove) // one that cannot be removed is no mark
	return nil
}

// markOf is the path of the mark.
func markOf(place protocol.Place) string {
	return filepath.Join(state.Of(place.Project), protocol.TimeoutName)
}

// markSilent leaves the mark for the hooks to come, in the place of whatever a
// checkout has put there. Without it each of them waits as long as this one has.
func markSilent(place protocol.Place) {
	socket := identify(place.Socket)
	if socket == "" {
		return
	}
	_ = state.Within(markOf(place), func(f *state.File) error {
		_ = f.Dir().Sub(f.Name()).RemoveEmpty()
		return f.Replace([]byte(socket))
	})
}

// readMark returns which socket the mark is about, "" if it is no mark.
func readMark(place protocol.Place) (socket string) {
	_ = state.Within(markOf(place), func(f *state.File) error {
		text, err := f.Read(128)
		socket = string(text)
		return err
	})
	return socket
}

// identify tells one socket at a path from the next: a daemon makes its own. ""
// is no socket.
func identify(socket string) string {
	info, err := os.Lstat(socket)
	if err != nil || info.Mode().Type() != os.ModeSocket {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("socket %d:%d of %d\n", stat.Dev, stat.Ino, info.ModTime().UnixNano())
}
