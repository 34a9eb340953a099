package catalogue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
	"tidepool/tools"
)

const (
	maxArguments = 64 << 10         // bytes of the body of a call
	bodyLimit    = 10 * time.Second // how long a client may take to send one
	writeLimit   = 10 * time.Second // how long a client may take to accept a reply
)

// A Call runs a tool with arguments that are JSON or nothing. A *protocol.Error says by its code what was wrong with the call.
type Call func(ctx context.Context, tool string, arguments json.RawMessage) (tools.Result, error)

// Handler answers HTTP requests for a catalogue, and calls its tools:
//
//	GET  /tools        the list, as text
//	GET  /tools/NAME   one tool, as Markdown, or as JSON if the Accept header begins with application/json
//	POST /tools/NAME   calls it: the body is its arguments, the reply its JSON, or what a model reads if Accept begins with text/plain
//	GET  /guide        when a program is better than calls, and how to write one
//	GET  /guide/NAME   a program that the guide names
//
// An error is a JSON object with the key error. The handler starts no goroutine.
func Handler(c *Catalogue, call Call) http.Handler {
	s := &site{c, call}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tools", func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, plainText, []byte(c.Index())) })
	mux.HandleFunc("GET /tools/{name}", s.describe)
	mux.HandleFunc("POST /tools/{name}", s.run)
	mux.HandleFunc("GET /guide", func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, markdown, []byte(Guide())) })
	mux.HandleFunc("GET /guide/{name}", program)
	return mux
}

// Routes returns the patterns of what Handler answers, for the ServeMux that it becomes a part of.
func Routes() []string {
	return []string{"GET /tools", "GET /tools/{name}", "POST /tools/{name}", "GET /guide", "GET /guide/{name}"}
}

const (
	plainText = "text/plain; charset=utf-8"
	markdown  = "text/markdown; charset=utf-8"
	jsonType  = "application/json"
)

// A site holds what the handlers share.
type site struct {
	catalogue *Catalogue
	call      Call
}

func (s *site) describe(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if strings.HasPrefix(r.Header.Get("Accept"), jsonType) {
		page, err := s.catalogue.ToolJSON(name)
		answer(w, jsonType, page, err)
		return
	}
	page, err := s.catalogue.Tool(name)
	answer(w, markdown, []byte(page), err)
}

func (s *site) run(w http.ResponseWriter, r *http.Request) {
	arguments, err := readArguments(w, r)
	if err != nil {
		Fail(w, err)
		return
	}
	result, err := s.call(r.Context(), r.PathValue("name"), arguments)
	if err == nil && strings.HasPrefix(r.Header.Get("Accept"), "text/plain") && result.Text != "" {
		answer(w, plainText, []byte(result.Text), nil)
		return
	}
	answer(w, jsonType, append(result.JSON, '\n'), err)
}

// readArguments returns the body, nil if it is empty. Another content type than JSON is what a form of a web page sends.
func readArguments(w http.ResponseWriter, r *http.Request) (json.RawMessage, error) {
	body, err := ReadBody(w, r, maxArguments)
	if err != nil {
		return nil, err
	}
	if body = bytes.TrimSpace(body); len(body) == 0 {
		return nil, nil
	}
	if body[0] != '{' || !json.Valid(body) {
		return nil, &StatusError{http.StatusBadRequest, "the body is not a JSON object: send the tool's arguments, such as {\"name\":\"F\"}"}
	}
	return body, nil
}

// ReadBody returns a request's body of at most so many bytes, which must come within ten seconds. The error is a *StatusError.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyLimit)) // a connection without deadlines is a test's
	defer func() { _ = control.SetReadDeadline(time.Time{}) }()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, &StatusError{http.StatusRequestEntityTooLarge, "the body is too large: at most " + wording.Count(int(most>>10), "KiB") + ", send less"}
	}
	if err != nil {
		return nil, &StatusError{http.StatusBadRequest, "the body ends too soon: send as many bytes as its Content-Length says, within " + bodyLimit.String()}
	}
	return body, nil
}

// A StatusError is an error with the status of its reply.
type StatusError struct {
	Status  int
	Message string // what happened, and what to do
}

func (e *StatusError) Error() string { return e.Message }

// Fail replies with an error.
func Fail(w http.ResponseWriter, err error) {
	message := err.Error()
	if hint := wording.HintOf(err); hint != "" {
		message += ": " + hint
	}
	body, failed := json.Marshal(map[string]string{"error": message})
	if failed != nil { // a text can always be encoded
		body = []byte(`{"error":"the error cannot be encoded"}`)
	}
	send(w, statusOf(err), jsonType, append(body, '\n'))
}

func statusOf(err error) int {
	if known, is := errors.AsType[*StatusError](err); is {
		return known.Status
	}
	if _, unknown := errors.AsType[*tools.UnknownToolError](err); unknown {
		return http.StatusNotFound
	}
	if _, wrong := errors.AsType[*tools.ArgumentError](err); wrong {
		return http.StatusBadRequest
	}
	wire, is := errors.AsType[*protocol.Error](err)
	switch {
	case is && (wire.Code == protocol.CodeMethodNotFound || wire.Code == protocol.CodeNotFound):
		return http.StatusNotFound
	case is && wire.Code == protocol.CodeInvalidParams:
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

func answer(w http.ResponseWriter, contentType string, body []byte, err error) {
	if err != nil {
		Fail(w, err)
		return
	}
	send(w, http.StatusOK, contentType, body)
}

// send writes a reply. A client that does not accept it in time counts as gone.
func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
