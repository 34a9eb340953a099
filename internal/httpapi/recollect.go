package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
)

// A recollection is the reply of /recollect. Bites is never nil.
type recollection struct {
	Bites     []Bite `json:"bites"`
	Timestamp int64  `json:"timestamp,omitempty"` // milliseconds since 1970; absent from an error
	Error     string `json:"error,omitempty"`
}

// recollect answers /recollect.
func (a *api) recollect(w http.ResponseWriter, r *http.Request) {
	bites, err := a.bites(w, r)
	if err != nil {
		reply(w, statusOf(err), recollection{Bites: []Bite{}, Error: messageOf(err)})
		return
	}
	reply(w, http.StatusOK, recollection{Bites: append([]Bite{}, bites...), Timestamp: time.Now().UnixMilli()})
}

// bites returns the memories that a request asks for.
func (a *api) bites(w http.ResponseWriter, r *http.Request) ([]Bite, error) {
	var in struct{ Prompt, SessionID string }
	done, err := a.decode(w, r, &in)
	defer done()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Prompt) == "" || in.SessionID == "" {
		return nil, &statusError{http.StatusBadRequest, "Missing prompt or sessionId"}
	}
	if err := checkSession(in.SessionID); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), recollectLimit)
	defer cancel()
	release, err := a.acquire(ctx)
	if err != nil {
		return nil, &statusError{http.StatusServiceUnavailable, err.Error()}
	}
	defer release()
	return a.Recall.Recollect(ctx, in.SessionID, in.Prompt)
}

// flush answers /flush: 200 if everything is on the disk, 202 if it is not within flushLimit.
func (a *api) flush(w http.ResponseWriter, r *http.Request) {
	var in struct{ SessionID string }
	done, err := a.decode(w, r, &in)
	defer done()
	if err == nil && in.SessionID == "" {
		err = &statusError{http.StatusBadRequest, "Missing sessionId"}
	}
	if err := cmp.Or(err, checkSession(in.SessionID)); err != nil {
		fail(w, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), flushLimit)
	defer cancel()
	release, err := a.acquire(ctx)
	if err == nil {
		defer release()
		err = a.Recall.Flush(ctx, in.SessionID)
	}
	switch {
	case ctx.Err() != nil && err != nil:
		text(w, http.StatusAccepted, "not on the disk yet\n")
	case err != nil:
		fail(w, err)
	default:
		text(w, http.StatusOK, "OK")
	}
}

// text writes a reply that is no JSON.
func text(w http.ResponseWriter, status int, body string) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// decode reads the body into a struct. The caller calls done when it needs that no longer. The error is a *statusError.
func (a *api) decode(w http.ResponseWriter, r *http.Request, into any) (done func(), err error) {
	body, done, err := a.bodies.read(w, r)
	if err != nil {
		return done, err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return done, invalidJSON(err)
	}
	return done, nil
}

// invalidJSON says what is wrong with a body, with at most one character of it.
func invalidJSON(err error) error {
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		return &statusError{http.StatusBadRequest, "Invalid JSON: " + cmp.Or(wrong.Field, "the request") + " is a " + wrong.Value}
	}
	return &statusError{http.StatusBadRequest, "Invalid JSON: " + err.Error()}
}

// checkSession returns what is wrong with a session's id.
func checkSession(id string) error {
	const most = 128
	foreign := strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
	if id == "" || len(id) > most || foreign {
		return &statusError{http.StatusBadRequest, "sessionId is no id: it has 1 to 128 letters, digits, _ and -"}
	}
	return nil
}

// statusOf returns the status of the reply to a request that failed.
func statusOf(err error) int {
	if known, is := errors.AsType[*statusError](err); is {
		return known.status
	}
	return http.StatusInternalServerError
}
