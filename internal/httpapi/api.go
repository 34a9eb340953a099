package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"tidepool/internal/contextd"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// Recall is what the daemon remembers.
type Recall interface {
	// Recollect returns what matters to a prompt of a session and was not told there before; none is an answer, too.
	Recollect(ctx context.Context, session, prompt string) ([]Bite, error)
	// Flush returns when what was learned in a session, known or not, is on the disk. If ctx ends before, its error wraps that
	// of ctx.
	Flush(ctx context.Context, session string) error
	// State returns "ready", "building" or "off", and why it is not ready. If ctx ends before that is known, it is building.
	State(ctx context.Context) (state, reason string)
}

// A Bite is a memory as /recollect answers with it.
type Bite struct {
	ID         string `json:"id"`
	Bite       string `json:"bite"`       // one line
	Date       string `json:"date"`       // YYYY-MM-DD
	Importance string `json:"importance"` // high or normal
	Type       string `json:"type"`       // its kind
}

// Options configures New. Recall and Do must be set.
type Options struct {
	Recall  Recall
	Do      func(context.Context, protocol.Request) protocol.Response // makes a tool call; ctx is the HTTP request's
	Started time.Time                                                 // of the daemon
	More    map[string]http.Handler                                   // further routes, by pattern of http.ServeMux

	BodyLimit time.Duration // from the end of a request's header to that of its body; 0: 10 seconds
}

const (
	recollectLimit = 200 * time.Millisecond // the clients wait 240 ms
	flushLimit     = 2 * time.Second
	stateLimit     = time.Second
	writeLimit     = 10 * time.Second // how long a client may take to accept a reply
	recollections  = 16               // requests of /recollect and /flush that run at once
)

// An api holds what the handlers share.
type api struct {
	Options
	bodies bodies
	recall chan struct{} // holds an element for each request that the memory answers

	services func() http.Handler // made at the first request for a service
}

// New returns the handler of all routes.
func New(o Options) http.Handler {
	a := &api{Options: o, bodies: newBodies(o.BodyLimit), recall: make(chan struct{}, recollections)}
	a.services = sync.OnceValue(func() http.Handler { return contextd.New(contextd.Options{Do: o.Do, Body: a.bodies.read}) })
	mux := http.NewServeMux()
	route(mux, http.MethodGet, "/health", a.health)
	route(mux, http.MethodPost, "/recollect", a.recollect)
	route(mux, http.MethodPost, "/flush", a.flush)
	route(mux, http.MethodPost, "/api/call", a.call)
	for pattern, handler := range o.More {
		mux.Handle(pattern, handler)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if contextd.Serves(r.URL.Path) {
			a.services().ServeHTTP(w, r)
			return
		}
		fail(w, &statusError{http.StatusNotFound, "not found: there are GET /health, POST /recollect, POST /flush, POST /api/call and POST /api/v1/SERVICE/METHOD"})
	})
	return mux
}

// route adds a route with one method.
func route(mux *http.ServeMux, method, path string, handle http.HandlerFunc) {
	mux.HandleFunc(method+" "+path, handle)
	mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", method)
		fail(w, &statusError{http.StatusMethodNotAllowed, path + " takes " + method + " only"})
	})
}

// health answers /health.
func (a *api) health(w http.ResponseWriter, r *http.Request) {
	up := time.Since(a.Started)
	ctx, cancel := context.WithTimeout(r.Context(), stateLimit)
	defer cancel()
	state, reason := a.Recall.State(ctx)
	reply(w, http.StatusOK, struct {
		Status   string `json:"status"`
		PID      int    `json:"pid"`
		UptimeMS int64  `json:"uptimeMs"`
		Uptime   int64  `json:"uptime"` // seconds
		Memory   string `json:"memory"`
		Reason   string `json:"reason,omitempty"`
	}{"ok", os.Getpid(), up.Milliseconds(), int64(up.Seconds()), state, reason})
}

// acquire waits for the right to ask the memory, or for the end of ctx.
func (a *api) acquire(ctx context.Context) (release func(), err error) {
	select {
	case a.recall <- struct{}{}:
		return func() { <-a.recall }, nil
	case <-ctx.Done():
		return nil, errors.New("too many requests wait for the memory: send it again in a moment")
	}
}

// reply writes JSON.
func reply(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil { // the values are ours
		status, body = http.StatusInternalServerError, []byte(`{"error":"the reply cannot be encoded"}`)
	}
	write(w, status, body)
}

// write writes JSON that is encoded already. A client that does not accept it in time counts as gone.
func write(w http.ResponseWriter, status int, body []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit)) // of a socket that is closed, it fails
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

// fail writes an error, with the status that it has.
func fail(w http.ResponseWriter, err error) {
	reply(w, statusOf(err), struct {
		Error string `json:"error"`
	}{messageOf(err)})
}

// messageOf returns an error with its hint.
func messageOf(err error) string {
	if hint := wording.HintOf(err); hint != "" {
		return err.Error() + ": " + hint
	}
	return err.Error()
}
