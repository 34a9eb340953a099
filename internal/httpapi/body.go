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
	bodyLimit  = 10 * time.Second // from the end of a header to that of the body
)

// A statusError is what is wrong with a request, with the status of its reply.
type statusError struct {
	status  int
	message string // as clients of other memories know it, so some begin with a capital
}

func (e *statusError) Error() string { return e.message }

// bodies bounds the memory of all bodies that are being answered. It holds an element for each long one.
type bodies chan struct{}

func newBodies() bodies { return make(bodies, longBodies) }

// read returns the body of a request. The caller calls release, which is never nil, when it needs neither the body nor what it
// decoded from it any longer. The error is a *statusError.
func (b bodies) read(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	deadline := time.Now().Add(bodyLimit)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(deadline) // a connection without deadlines is a test's
	defer func() { _ = control.SetReadDeadline(time.Time{}) }()
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	body, err = io.ReadAll(io.LimitReader(limited, shortBody))
	if err != nil || len(body) < shortBody {
		return body, func() {}, asStatus(err)
	}
	if err := b.acquire(r, time.Until(deadline)); err != nil {
		return nil, func() {}, err
	}
	rest, err := io.ReadAll(limited)
	if err != nil {
		<-b
		return nil, func() {}, asStatus(err)
	}
	return append(body, rest...), func() { <-b }, nil
}

// acquire waits for the slot of a long body.
func (b bodies) acquire(r *http.Request, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case b <- struct{}{}:
		return nil
	case <-r.Context().Done():
	case <-timer.C:
	}
	return &statusError{http.StatusServiceUnavailable, "too many long requests are being answered: send it again in a moment"}
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
