package mcphttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/server"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// Options configures New. The zero value of each field works.
type Options struct {
	Version string // of this program, for clients
	// Prefix returns what precedes the path of a request in the client's URL, as a token. nil: nothing does.
	Prefix func(*http.Request) string
}

// A Handler answers /mcp and /sse. Its requests must come by connections of package server.
//
// Goroutines: the SDK's, some for each session; one for each tool call, which ends with it. Close ends all of them.
type Handler struct {
	options  Options
	bodies   bodies
	requests requests
	waiting  suspendedCalls

	mu     sync.Mutex
	closed bool
	made   *endpoints // nil: there was no request yet
}

// endpoints are what the first request makes.
type endpoints struct {
	server    *mcp.Server
	stateful  http.Handler // revisions with sessions
	stateless http.Handler // those without
	sse       http.Handler
	sessions  sessions
	streams   chan struct{} // holds an element for each session of /sse
}

// New returns a handler. It makes nothing that costs.
func New(o Options) *Handler { return &Handler{options: o, bodies: newBodies()} }

// errClosed is the reply after Close.
var errClosed = errors.New("the daemon is stopping: ask again when it runs")

// endpoints returns what answers, from the tools of the daemon.
func (h *Handler) endpoints(ctx context.Context) (*endpoints, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	if h.made != nil {
		return h.made, nil
	}
	switch list := server.Follow(ctx, &protocol.ToolsListRequest{}, nil).(type) {
	case *protocol.ToolsListResponse:
		h.made = h.newEndpoints(list)
		return h.made, nil
	case *protocol.ErrorResponse:
		return nil, list.Error
	}
	return nil, errors.New("the daemon does not tell its tools")
}

func (h *Handler) newEndpoints(list *protocol.ToolsListResponse) *endpoints {
	e := &endpoints{server: h.newServer(list), streams: make(chan struct{}, maxStreams)}
	e.sessions.server = e.server
	only := func(*http.Request) *mcp.Server { return e.server }
	e.stateful = mcp.NewStreamableHTTPHandler(only, &mcp.StreamableHTTPOptions{})
	e.stateless = mcp.NewStreamableHTTPHandler(only, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	e.sse = mcp.NewSSEHandler(only, &mcp.SSEOptions{})
	return e
}

// ServeHTTP answers a request for /mcp or /sse.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e, err := h.endpoints(r.Context())
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, err)
		return
	}
	body, release, err := h.bodies.read(w, r)
	defer release()
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	r, request, leave := h.requests.enter(r)
	defer leave()
	r.Body = io.NopCloser(bytes.NewReader(body))
	limited := &writer{w, request}
	if r.URL.Path == "/sse" {
		h.serveSSE(e, limited, r)
		return
	}
	e.serveStreamable(limited, r, body)
}

// Close ends all sessions and the calls that wait for their clients. Their requests must have ended.
func (h *Handler) Close() {
	h.mu.Lock()
	e := h.made
	h.closed = true
	h.mu.Unlock()
	h.waiting.close()
	if e != nil {
		e.sessions.close()
	}
}

// refuse replies with an error and its hint, as text.
func refuse(w http.ResponseWriter, status int, err error) {
	message := err.Error()
	if hint := wording.HintOf(err); hint != "" {
		message += ": " + hint
	}
	http.Error(w, message, status)
}
