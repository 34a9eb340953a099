package mcphttp

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxSessions = 256
	idleLimit   = 30 * time.Minute // after which a session ends that nobody uses
)

// sessions bounds the sessions of /mcp in number and time. The SDK has the sessions themselves; what it has ended is forgotten here when
// its time is over, at the latest.
type sessions struct {
	server *mcp.Server

	mu       sync.Mutex
	closed   bool
	starting int // requests that may begin one
	byID     map[string]*session
}

// A session is one that has begun.
type session struct {
	used  time.Time // when the last request began or ended
	open  int       // requests being answered
	calls int       // those of them that are no streams of events
	idle  *time.Timer
}

// enter notes a request of a session, or one that may begin a session. leave must be called at its end, with the id that the reply
// gives to a new session, "" if it gives none.
func (s *sessions) enter(r *http.Request) (leave func(began string), err error) {
	id, streams := r.Header.Get(sessionHeader), r.Method == http.MethodGet
	s.mu.Lock()
	defer s.mu.Unlock()
	switch known := s.byID[id]; {
	case s.closed:
		return nil, errClosed
	case known != nil:
		s.use(known, streams)
		return func(string) { s.leave(id, streams, r.Method == http.MethodDelete) }, nil
	case id != "" || r.Method != http.MethodPost:
		return func(string) {}, nil // the SDK refuses it
	case len(s.byID)+s.starting >= maxSessions && !s.endOldest():
		return nil, &fullError{fmt.Sprintf("%d sessions are open, which is the most, and all are in use", maxSessions)}
	}
	s.starting++
	return s.began, nil
}

// use counts a request. Callers hold mu.
func (s *sessions) use(known *session, streams bool) {
	known.used = time.Now()
	known.idle.Stop()
	known.open++
	if !streams {
		known.calls++
	}
}

// leave ends a request of a session.
func (s *sessions) leave(id string, streams, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.byID[id]
	switch {
	case known == nil:
		return // ended meanwhile
	case ended:
		s.forget(id)
		return
	}
	known.used = time.Now()
	known.open--
	if !streams {
		known.calls--
	}
	if known.open == 0 {
		known.idle.Reset(idleLimit)
	}
}

// began ends a request that may have begun a session.
func (s *sessions) began(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starting--
	if id == "" {
		return
	}
	if s.byID == nil {
		s.byID = map[string]*session{}
	}
	s.byID[id] = &session{used: time.Now(), idle: time.AfterFunc(idleLimit, func() { s.expire(id) })}
}

// expire ends a session that nobody has used, unless somebody uses it just now.
func (s *sessions) expire(id string) {
	s.mu.Lock()
	known := s.byID[id]
	idle := known != nil && known.open == 0
	if idle {
		s.forget(id)
	}
	s.mu.Unlock()
	if idle {
		s.end(id)
	}
}

// endOldest ends the session that nobody has called for the longest time. It reports false if all have calls that run. Callers hold mu.
func (s *sessions) endOldest() bool {
	oldest := ""
	for id, known := range s.byID {
		if known.calls == 0 && (oldest == "" || known.used.Before(s.byID[oldest].used)) {
			oldest = id
		}
	}
	if oldest == "" {
		return false
	}
	s.forget(oldest)
	go s.end(oldest) // nothing of it runs, so this ends at once; the SDK must not be called with mu held
	return true
}

// forget removes a session from the count. Callers hold mu.
func (s *sessions) forget(id string) {
	s.byID[id].idle.Stop()
	delete(s.byID, id)
}

// end has the SDK end a session, which it may have done already.
func (s *sessions) end(id string) {
	if known := s.find(id); known != nil {
		_ = known.Close() // whether the client hears of it does not matter
	}
}

// find returns the SDK's session; nil: there is none.
func (s *sessions) find(id string) *mcp.ServerSession {
	for known := range s.server.Sessions() {
		if id != "" && known.ID() == id {
			return known
		}
	}
	return nil
}

// close ends all sessions.
func (s *sessions) close() {
	s.mu.Lock()
	s.closed = true
	for id := range s.byID {
		s.forget(id)
	}
	s.mu.Unlock()
	for known := range s.server.Sessions() {
		_ = known.Close()
	}
}
