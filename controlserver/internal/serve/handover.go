package serve

import (
	"log/slog"
	"os"
	"sync"

	"tidepool/internal/daemon"
	"tidepool/protocol"
)

// A handover gives up the place of a daemon for a client that would start another one: of another build, if a client has
// started this one, or for the place that the project has been moved to, which the socket has come along to.
type handover struct {
	claimed *daemon.Daemon
	build   string // of this process; "": no other one is a reason
	log     *slog.Logger

	once sync.Once
	done chan struct{} // closed when the place is given up
}

func newHandover(claimed *daemon.Daemon, detached bool, log *slog.Logger) *handover {
	h := &handover{claimed: claimed, log: log, done: make(chan struct{})}
	if program, err := os.Executable(); err == nil && detached {
		h.build = protocol.Build(program)
	}
	return h
}

// Yield reports whether the place is free for a daemon of that build.
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
