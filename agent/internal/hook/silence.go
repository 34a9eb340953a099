package hook

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// hailLimit is how long a daemon that has left a hook without an answer may take
// for a Pong. One that works answers it at any time, however slow its hooks are.
const hailLimit = 200 * time.Millisecond

// hail returns nil if the event may be sent: no hook before this one went
// without an answer, or the daemon answers again, or there is another one. The
// first case, by far the usual one, costs a system call.
func hail(place protocol.Place, deadline time.Time) error {
	if _, err := os.Lstat(filepath.Join(place.Project, protocol.StateDir, protocol.SilenceName)); err != nil {
		return nil
	}
	root, err := stateRoot(place)
	if err != nil {
		return nil // the record of a failure will say why
	}
	defer root.Close()
	if socket := identify(place.Socket); socket != "" && readMark(root) == socket {
		_, err := client.Ask(place, &protocol.Ping{}, within(hailLimit, deadline))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return &client.BrokenError{Reason: "the daemon hangs: it has not answered an earlier hook in time, and does not answer a ping"}
		}
	}
	_ = root.Remove(protocol.SilenceName)
	return nil
}

// markSilent leaves the mark for the hooks to come. Without it each of them
// waits as long as this one has.
func markSilent(place protocol.Place) {
	socket := identify(place.Socket)
	root, err := stateRoot(place)
	if err != nil || socket == "" {
		return
	}
	defer root.Close()
	_ = root.Remove(protocol.SilenceName) // whatever a checkout has put there
	mark, err := root.OpenFile(protocol.SilenceName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	_, _ = mark.WriteString(socket)
	_ = mark.Close()
}

// readMark returns which socket the mark is about, "" if it is no mark.
func readMark(root *os.Root) string {
	mark, err := root.OpenFile(protocol.SilenceName, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer mark.Close()
	if info, err := mark.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(mark, 128))
	if err != nil {
		return ""
	}
	return string(text)
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

// stateRoot opens the project's state directory, which must be the user's own
// and no link: it may have come with a checkout.
func stateRoot(place protocol.Place) (*os.Root, error) {
	dir := filepath.Join(place.Project, protocol.StateDir)
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(stat.Uid) != os.Geteuid() {
		return nil, &os.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	return os.OpenRoot(dir)
}
