package mcphttp

import (
	"bytes"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	writeLimit = 10 * time.Second // how long a client may take to accept what is sent at once
	closeLimit = time.Second      // how long a reply waits for the message that closes a dialog
)

// A writer writes a reply. A client that does not accept a part of it within writeLimit counts as gone.
type writer struct {
	http.ResponseWriter
	request *request
}

// Write writes a part: at least one whole message, if the reply is a stream of events.
func (w *writer) Write(p []byte) (int, error) {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(writeLimit)) // of a connection that is closed, it fails
	n, err := w.ResponseWriter.Write(p)
	if bytes.Contains(p[:min(len(p), 200)], []byte(`"notifications/cancelled"`)) {
		select {
		case w.request.closes <- struct{}{}:
		default:
		}
	}
	return n, err
}

// Unwrap lets net/http flush the reply.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A streamWriter writes the stream of events of a session, and attaches the session to it when it begins. The SDK holds the stream's
// lock then, so a message for the stream waits until it can be sent.
type streamWriter struct {
	http.ResponseWriter
	stream  *request
	session *mcp.ServerSession
}

// WriteHeader begins the reply.
func (w *streamWriter) WriteHeader(status int) {
	if status == http.StatusOK {
		w.stream.attach(w.session)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets net/http flush the reply.
func (w *streamWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// awaitClose waits until the client has been told to close a dialog. The SDK tells it from a goroutine of its own, and drops
// the message if the call's result precedes it.
func (q *request) awaitClose() {
	timer := time.NewTimer(closeLimit)
	defer timer.Stop()
	select {
	case <-q.closes:
	case <-q.ctx.Done():
	case <-timer.C:
	}
}
