package httpapi

import (
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
	bodyLimit  = 10 * time.Second // from the end of a header to that of the body
)

// A statusError is what is wrong with a request, with the status of its reply.
type statusError struct {
	status  int
	message string // as clients of other memories know it, so some begin with a capital
}

func (e *statusError) Error() string { return e.message }

// Status returns the status of the reply.
func (e *statusError) Status() int { return e.status }

// bodies bound the memory of all bodies that are being answered. Each holds an element of all, and each long one another of long.
type bodies struct{ all, long chan struct{} }

func newBodies() bodies {
	return bodies{make(chan struct{}, allBodies), make(chan struct{}, longBodies)}
}

// read returns the body of a request. The caller calls release, which is never nil, when it needs neither the body nor what it
// decoded from it any longer. The error is a *statusError.
func (b bodies) read(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	deadline := time.Now().Add(bodyLimit)
	if err := acquire(r, b.all, deadline); err != nil {
		return nil, func() {}, err
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(deadline) // a connection without deadlines is a test's
	defer func() { _ = control.SetReadDeadline(time.Time{}) }()
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	body, err = io.ReadAll(io.LimitReader(limited, shortBody))
	if err != nil || len(body) < shortBody {
		return body, func() { <-b.all }, asStatus(err)
	}
	if err := acquire(r, b.long, deadline); err != nil {
		return nil, func() { <-b.all }, err
	}
	rest, err := io.ReadAll(limited)
	return append(body, rest...), func() { <-b.long; <-b.all }, asStatus(err)
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

// asStatus returns what is wrong with a body that cannot be read, nil for nil.
func asStatus(err error) error {
	if err == nil {
		return nil
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return &statusError{http.StatusRequestEntityTooLarge, "the request is larger than 1 MiB: send less"}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &statusError{http.StatusRequestTimeout, "the request did not end within " + bodyLimit.String()}
	}
	return &statusError{http.StatusBadRequest, "the request ends too soon: send as many bytes as its Content-Length says"}
}
