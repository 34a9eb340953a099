package serve

import (
	"log/slog"
	"os"
	"sync"

	"tidepool/internal/daemon"
	"tidepool/protocol"
)

// A handover makes way for the daemon that a client would start: one of another build, if a client has started this daemon, or one
// for the directory that the project was moved to, together with the socket.
type handover struct {
	claimed *daemon.Daemon
	build   string // of this process; "": no other one is a reason
	log     *slog.Logger

	once sync.Once
	done chan struct{} // closed when the place is given up
}

func newHandover(claimed *daemon.Daemon, detached bool, log *slog.Logger) *handover {
	h := &handover{claimed: claimed, log: log, done: make(chan struct{})}
	if detached {
		h.build = ownBuild()
	}
	return h
}

// ownBuild returns the build of this program; "" if it cannot be examined.
func ownBuild() string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	return protocol.Build(program)
}

// Yield reports whether a daemon of that build may start now.
func (h *handover) Yield(build string) bool {
	if (h.build == "" || build == h.build) && h.claimed.Lost() == nil {
		return false
	}
	h.once.Do(func() {
		if err := h.claimed.Resign(); err != nil {
			h.log.Warn("giving up the daemon's place", "err", err)
		}
		close(h.done)
	})
	return true
}
