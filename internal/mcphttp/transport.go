package mcphttp

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"tidepool/internal/server"
)

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "MCP-Protocol-Version"
	methodHeader  = "Mcp-Method"

	// sessionless is the first revision without sessions. Revisions are dates, so texts compare as they do.
	sessionless = "2026-07-28"

	// maxStreams is how many sessions /sse has.
	maxStreams = 32
)

// isModern reports whether a request belongs to the revisions without sessions. A client may forget the header that says so; the
// SDK then refuses the request with the error that this revision has.
func isModern(r *http.Request, body []byte) bool {
	version := r.Header.Get(versionHeader)
	if version == "" && r.Header.Get(sessionHeader) == "" {
		return bytes.Contains(body, []byte(`"io.modelcontextprotocol/protocolVersion"`))
	}
	return version >= sessionless
}

// serveStreamable answers a request for /mcp.
func (e *endpoints) serveStreamable(w http.ResponseWriter, r *http.Request, body []byte) {
	if isModern(r, body) {
		if r.Header.Get(methodHeader) == "subscriptions/listen" {
			e.stream(e.stateless, w, r)
			return
		}
		e.stateless.ServeHTTP(w, r)
		return
	}
	leave, err := e.sessions.enter(r)
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, err)
		return
	}
	defer func() { leave(w.Header().Get(sessionHeader)) }()
	if r.Method == http.MethodGet {
		if session := e.sessions.find(r.Header.Get(sessionHeader)); session != nil {
			w = &streamWriter{w, requestOf(r.Context()), session}
		}
		e.stream(e.stateful, w, r)
		return
	}
	e.stateful.ServeHTTP(w, r)
}

// stream answers a request whose reply is a stream of events.
func (e *endpoints) stream(handler http.Handler, w http.ResponseWriter, r *http.Request) {
	ctx, release := server.Stream(r.Context())
	defer release()
	defer tellStream(ctx, requestOf(ctx))()
	handler.ServeHTTP(w, r.WithContext(ctx))
}

// serveSSE answers a request for /sse. GET begins a session, whose calls end when its stream does; POST has a message for it.
func (h *Handler) serveSSE(e *endpoints, w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		e.sse.ServeHTTP(w, r)
		return
	}
	select {
	case e.streams <- struct{}{}:
		defer func() { <-e.streams }()
	default:
		refuse(w, http.StatusServiceUnavailable, &fullError{fmt.Sprintf("%d clients are connected to /sse, which is the most", maxStreams)})
		return
	}
	if h.options.Prefix != nil { // the client is told where to post
		url := *r.URL
		url.Path, url.RawPath, url.RawQuery = h.options.Prefix(r)+url.Path, "", ""
		r.URL = &url
	}
	e.stream(e.sse, w, r)
}

// A fullError means that there are as many sessions as there may be.
type fullError struct{ what string }

func (e *fullError) Error() string { return e.what }

// Hint says what to do.
func (*fullError) Hint() string { return "end one of them, then ask again" }

// statusOf returns the status of an error of reading a body.
func statusOf(err error) int {
	if wrong, is := errors.AsType[*bodyError](err); is {
		return wrong.status
	}
	return http.StatusInternalServerError
}
