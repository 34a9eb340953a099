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

// A Launcher starts the daemon of a place and returns when it answers. Renew
// also puts it in the place of one of another build.
type Launcher interface {
	Start(place protocol.Place, deadline time.Time) error
	Renew(place protocol.Place, deadline time.Time) error
}

// How soon a daemon is started again after it could not be.
const (
	firstStartRetry = time.Second
	lastStartRetry  = time.Minute
)

// A starter starts the daemon when it is needed and not there, less and less
// often while that fails. Only the first daemon of a session may be replaced by
// another build, so that two sessions of two builds do not do that in turn.
type starter struct {
	mu     sync.Mutex // held while a daemon is started
	met    bool       // a daemon has been seen to
	failed error      // of the last start
	pause  time.Duration
	again  time.Time // no start before
}

// open connects to a daemon that is needed now.
func (s *server) open(limit time.Duration) (*client.Session, error) {
	place, deadline := s.Locate(), time.Now().Add(limit)
	if s.Launcher == nil || !place.Managed {
		return client.Open(place, deadline)
	}
	_ = s.starter.meet(s.Launcher, place, deadline) // what remains of a failure shows next
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

// meet sees to it, once in a session, that the daemon is of the right build.
func (st *starter) meet(l Launcher, place protocol.Place, deadline time.Time) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.met {
		return nil
	}
	st.met = true
	return st.attempt(l.Renew, place, deadline)
}

// run starts a daemon, or says why the last start has failed.
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

// hasDied reports whether an error says that the daemon has ended without
// taking its socket away. One that has left in good order is not needed until
// somebody asks for it.
func hasDied(err error) bool {
	return client.IsAbsent(err) && errors.Is(err, syscall.ECONNREFUSED)
}
