package httpapi

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

const (
	maxBody    = 1 << 20          // bytes
	shortBody  = 32 << 10         // bytes that a request may hold without a slot
	longBodies = 16               // longer bodies that are held at once: 16 MiB
	allBodies  = 1024             // bodies that are held at once: the short ones have 32 MiB
	bodyLimit  = 10 * time.Second // from the end of a header to that of the body, unless Options says otherwise
)

// A statusError is what is wrong with a request, with the status of its reply.
type statusError struct {
	status  int
	message string // as clients of other memories know it, so some begin with a capital
}

func (e *statusError) Error() string { return e.message }

// Status returns the status of the reply.
func (e *statusError) Status() int { return e.status }

// bodies bound the memory of all bodies that are being answered, and the time of their transfer. Each holds an element of all, and each
// long one another of long.
type bodies struct {
	all, long chan struct{}
	limit     time.Duration // from the end of a header to that of the body
}

func newBodies(limit time.Duration) bodies {
	return bodies{make(chan struct{}, allBodies), make(chan struct{}, longBodies), cmp.Or(limit, bodyLimit)}
}

// read returns the body of a request. The caller calls release, which is never nil, when it needs neither the body nor what it
// decoded from it any longer. The error is a *statusError; after one, net/http does not wait for the rest of the body.
func (b bodies) read(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	deadline := time.Now().Add(b.limit)
	control := http.NewResponseController(w)
	if r.ContentLength > maxBody {
		refuse(control)
		return nil, func() {}, errTooLong()
	}
	if err := acquire(r, b.all, deadline); err != nil {
		refuse(control)
		return nil, func() {}, err
	}
	_ = control.SetReadDeadline(deadline) // a connection without deadlines is a test's
	body, release, err = b.readAll(w, r, deadline)
	if err != nil {
		refuse(control)
		return nil, release, b.asStatus(err)
	}
	_ = control.SetReadDeadline(time.Time{})
	return body, release, nil
}

func errTooLong() error {
	return &statusError{http.StatusRequestEntityTooLarge, "the request is larger than 1 MiB: send less"}
}

// refuse has net/http wait for no more of a body.
func refuse(control *http.ResponseController) { _ = control.SetReadDeadline(time.Unix(1, 0)) }

// readAll reads a body that holds an element of all. Beyond shortBody it waits for one of long.
func (b bodies) readAll(w http.ResponseWriter, r *http.Request, deadline time.Time) (body []byte, release func(), err error) {
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	body, err = io.ReadAll(io.LimitReader(limited, shortBody))
	if err != nil || len(body) < shortBody {
		return body, func() { <-b.all }, err
	}
	if err := acquire(r, b.long, deadline); err != nil {
		return nil, func() { <-b.all }, err
	}
	rest, err := io.ReadAll(limited)
	return append(body, rest...), func() { <-b.long; <-b.all }, err
}

// acquire waits for a place among bodies.
func acquire(r *http.Request, places chan struct{}, deadline time.Time) error {
	select {
	case places <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case places <- struct{}{}:
		return nil
	case <-r.Context().Done():
	case <-timer.C:
	}
	return &statusError{http.StatusServiceUnavailable, "too many requests are being answered: send it again in a moment"}
}

// asStatus returns what is wrong with a body that cannot be read.
func (b bodies) asStatus(err error) error {
	if known, is := errors.AsType[*statusError](err); is {
		return known
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return errTooLong()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &statusError{http.StatusRequestTimeout, "the request did not end within " + b.limit.String() + ": send all of it at once"}
	}
	return &statusError{http.StatusBadRequest, "the request ends too soon: send as many bytes as its Content-Length says"}
}
