package mcphttp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

const (
	maxBody    = 4 << 20          // bytes
	shortBody  = 32 << 10         // bytes that a request may hold without a slot
	longBodies = 16               // longer bodies that are held at once: 64 MiB
	bodyLimit  = 10 * time.Second // from the end of a header to that of the body
)

// A bodyError is what is wrong with a body, with the status of the reply.
type bodyError struct {
	status        int
	message, hint string
}

func (e *bodyError) Error() string { return e.message }

// Hint says what to do.
func (e *bodyError) Hint() string { return e.hint }

// bodies bounds the memory of all bodies that are being answered, and the time of their transfer.
type bodies struct {
	long  chan struct{} // holds an element for each long one
	limit time.Duration // from the end of a header to that of the body
}

func newBodies() bodies { return bodies{make(chan struct{}, longBodies), bodyLimit} }

// read returns the body of a request. The caller calls release, which is never nil, when the request is answered. The error is a
// *bodyError; after one, net/http does not wait for the rest of the body.
func (b *bodies) read(w http.ResponseWriter, r *http.Request) (body []byte, release func(), err error) {
	release = func() {}
	if r.Method != http.MethodPost {
		return nil, release, nil
	}
	deadline := time.Now().Add(b.limit)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(deadline) // a connection without deadlines is a test's
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	body, err = io.ReadAll(io.LimitReader(limited, shortBody))
	if err == nil && len(body) == shortBody {
		if err = b.acquire(r, time.Until(deadline)); err == nil {
			release = func() { <-b.long }
			var rest []byte
			rest, err = io.ReadAll(limited)
			body = append(body, rest...)
		}
	}
	if err != nil {
		_ = control.SetReadDeadline(time.Unix(1, 0))
		return nil, release, b.wrong(err)
	}
	_ = control.SetReadDeadline(time.Time{})
	return body, release, nil
}

// acquire waits for the slot of a long body.
func (b *bodies) acquire(r *http.Request, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case b.long <- struct{}{}:
		return nil
	case <-r.Context().Done():
	case <-timer.C:
	}
	return &bodyError{http.StatusServiceUnavailable, "too many long requests are being answered", "send it again in a moment"}
}

// wrong returns what is wrong with a body that cannot be read.
func (b *bodies) wrong(err error) error {
	if known, is := errors.AsType[*bodyError](err); is {
		return known
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return &bodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is larger than %d MiB", maxBody>>20), "send less"}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &bodyError{http.StatusRequestTimeout, "the request did not end within " + b.limit.String(), "send it at once"}
	}
	return &bodyError{http.StatusBadRequest, "the request ends too soon", "send as many bytes as its Content-Length says"}
}
