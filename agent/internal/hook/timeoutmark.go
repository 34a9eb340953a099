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

// pingLimit is how long a daemon may take for a Pong after it has left a hook
// without an answer. A working daemon answers at any time, however slow its hooks
// are.
const pingLimit = 200 * time.Millisecond

// checkHang returns nil if the event may be sent: no earlier hook went without an
// answer, or the daemon answers again, or there is another daemon. The first case
// is by far the usual one and costs one system call.
func checkHang(place protocol.Place, deadline time.Time) error {
	if _, err := os.Lstat(markPath(place)); err != nil {
		return nil
	}
	if socket := identify(place.Socket); socket != "" && readMark(place) == socket {
		_, err := client.Ask(place, &protocol.Ping{}, within(pingLimit, deadline))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return &client.BrokenError{Reason: "the daemon hangs: it has not answered an earlier hook in time, and does not answer a ping"}
		}
	}
	_ = state.Within(markPath(place), (*state.File).Remove) // a mark that cannot be removed does not count
	return nil
}

// markPath returns the path of the mark.
func markPath(place protocol.Place) string {
	return filepath.Join(state.Of(place.Project), protocol.TimeoutName)
}

// markTimeout writes the mark for later hooks, and replaces whatever a checkout has
// put there. Without the mark each of them would wait as long as this one.
func markTimeout(place protocol.Place) {
	socket := identify(place.Socket)
	if socket == "" {
		return
	}
	_ = state.Within(markPath(place), func(f *state.File) error {
		_ = f.Dir().Sub(f.Name()).RemoveEmpty()
		return f.Replace([]byte(socket))
	})
}

// readMark returns the identity of the socket that the mark is about; "" if there is no mark.
func readMark(place protocol.Place) (socket string) {
	_ = state.Within(markPath(place), func(f *state.File) error {
		text, err := f.Read(128)
		socket = string(text)
		return err
	})
	return socket
}

// identify returns what distinguishes a socket from the next one at its path, since
// each daemon makes its own. "" if it is no socket.
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
