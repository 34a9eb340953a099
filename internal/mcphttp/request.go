package mcphttp

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxRunning bounds the calls that one HTTP request has begun and that run: those of a batch, or of a session of /sse. A connection may
// have 32 unfinished calls, and the answers to questions are among them.
const maxRunning = 24

// requestHeader tells a call which HTTP request it came with. The SDK passes on to it the header of that request, but the context of
// the one that began the session. What a client sends in this header is overwritten.
const requestHeader = "Tidepool-Request"

// A request is an HTTP request that is being answered.
type request struct {
	ctx     context.Context // ends when the client hangs up
	running atomic.Int32    // calls
	closes  chan struct{}   // gets an element for each message that closes a dialog

	attached chan *mcp.ServerSession // gets the session whose stream of events the request is; has capacity 1
}

// attach says whose stream of events a request is, unless that is known.
func (q *request) attach(session *mcp.ServerSession) {
	select {
	case q.attached <- session:
	default:
	}
}

type requestKey struct{}

// requests are those that are being answered, by their requestHeader.
type requests struct {
	count atomic.Uint64
	byID  sync.Map // of *request
}

// enter registers a request until leave.
func (q *requests) enter(r *http.Request) (entered *http.Request, known *request, leave func()) {
	known = &request{ctx: r.Context(), closes: make(chan struct{}, maxRunning), attached: make(chan *mcp.ServerSession, 1)}
	id := strconv.FormatUint(q.count.Add(1), 10)
	q.byID.Store(id, known)
	entered = r.WithContext(context.WithValue(r.Context(), requestKey{}, known))
	entered.Header = r.Header.Clone()
	entered.Header.Set(requestHeader, id)
	return entered, known, func() { q.byID.Delete(id) }
}

// of returns the request that a call belongs to: the one that it came with, or the stream of its session. After the end of both it
// returns one that has ended.
func (q *requests) of(ctx context.Context, extra *mcp.RequestExtra) *request {
	if extra != nil {
		if known, is := q.byID.Load(extra.Header.Get(requestHeader)); is {
			return known.(*request)
		}
	}
	return requestOf(ctx)
}

// requestOf returns the request that a context belongs to: for the context of a session, the one that began it; nil for none.
func requestOf(ctx context.Context) *request {
	known, _ := ctx.Value(requestKey{}).(*request)
	return known
}
