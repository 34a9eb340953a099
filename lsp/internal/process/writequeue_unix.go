//go:build unix

package process

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// withoutWaiting returns what writes as much to a stream as it takes at once, 0 bytes of a failed write, nil if a write to
// the stream may wait.
func withoutWaiting(stream io.Writer) func(p []byte) (taken int) {
	file, ok := stream.(*os.File) // nothing that may have made a method Write of its own
	if !ok {
		return nil
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	waits := true
	err = conn.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		waits = err != nil || flags&unix.O_NONBLOCK == 0
	})
	if err != nil || waits {
		return nil
	}
	return func(p []byte) (taken int) {
		_ = conn.Write(func(fd uintptr) bool {
			if n, err := unix.Write(int(fd), p); err == nil {
				taken = n
			}
			return true // false would wait
		})
		return taken
	}
}
