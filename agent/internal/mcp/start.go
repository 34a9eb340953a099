package mcp

import (
	"errors"
	"sync"
	"syscall"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/agent/internal/launch"
	"tidepool/protocol"
)

// A Launcher starts the daemon of a place and returns when it answers. Renew also
// replaces a daemon of another build.
type Launcher interface {
	Start(place protocol.Place, deadline time.Time) error
	Renew(place protocol.Place, deadline time.Time) error
}

// The pause after a failed start, which doubles up to the longest.
const (
	firstStartRetry = time.Second
	lastStartRetry  = time.Minute
)

// A starter starts the daemon when a request needs it, and backs off while that
// fails. A session replaces a daemon of another build only once, at its start: two
// sessions of two builds would otherwise replace each other's in turn.
type starter struct {
	mu      sync.Mutex // held while a daemon is started
	ensured bool       // ensureBuild has run
	failed  error      // error of the last start
	pause   time.Duration
	again   time.Time // no start before this time
}

// open connects to the daemon, and starts it if necessary.
func (s *server) open(limit time.Duration) (*client.Session, error) {
	place, deadline := s.Locate(), time.Now().Add(limit)
	if s.Launcher == nil || !place.Managed {
		return client.Open(place, deadline)
	}
	_ = s.starter.ensureBuild(s.Launcher, place, deadline) // a failure that lasts shows below
	for {
		session, err := client.Open(place, deadline)
		if !client.IsAbsent(err) {
			return session, err
		}
		switch failed := s.starter.run(s.Launcher.Start, place, deadline); {
		case errors.Is(failed, launch.ErrNobody):
			return nil, err
		case failed != nil:
			return nil, failed
		}
	}
}

// ensureBuild replaces, once in a session, a daemon of another build.
func (st *starter) ensureBuild(l Launcher, place protocol.Place, deadline time.Time) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.ensured {
		return nil
	}
	st.ensured = true
	return st.attempt(l.Renew, place, deadline)
}

// run starts a daemon. During the pause after a failed start it returns that error.
func (st *starter) run(start func(protocol.Place, time.Time) error, place protocol.Place, deadline time.Time) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.failed != nil && time.Now().Before(st.again) {
		return st.failed
	}
	return st.attempt(start, place, deadline)
}

func (st *starter) attempt(start func(protocol.Place, time.Time) error, place protocol.Place, deadline time.Time) error {
	st.failed = start(place, deadline)
	if st.failed == nil {
		st.pause = 0
		return nil
	}
	st.pause = min(max(2*st.pause, firstStartRetry), lastStartRetry)
	st.again = time.Now().Add(st.pause)
	return st.failed
}

// hasDied reports whether an error means that the daemon has exited without removing
// its socket. A daemon that exited in good order is started again only when a request
// needs it.
func hasDied(err error) bool {
	return client.IsAbsent(err) && errors.Is(err, syscall.ECONNREFUSED)
}
