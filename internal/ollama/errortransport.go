package ollama

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"tidepool/internal/wording"
)

// maxReply bounds a reply, in bytes. A tool call takes some hundred.
const maxReply = 1 << 20

// An errorTransport turns every incomplete or implausible reply into an error. The
// API's client treats an error status with an empty body, an empty reply, and a
// connection lost in the middle of a reply as success.
type errorTransport struct{ next http.RoundTripper }

func (g errorTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	reply, err := g.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(io.LimitReader(reply.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, err
	case reply.StatusCode != http.StatusOK:
		return nil, statusError(reply.StatusCode, body)
	case len(body) > maxReply:
		return nil, &Error{Kind: Malformed, Detail: "it is longer than 1 MiB"}
	}
	if err := checkBody(body); err != nil {
		return nil, err
	}
	reply.Body = io.NopCloser(bytes.NewReader(body))
	return reply, nil
}

func statusError(status int, body []byte) *Error {
	var reply struct{ Error string }
	isJSON := json.Unmarshal(body, &reply) == nil && reply.Error != ""
	if !isJSON {
		reply.Error = string(body)
	}
	return &Error{Kind: statusKind(status, reply.Error, isJSON), Status: status, Detail: oneLine(reply.Error)}
}

// checkBody accepts one JSON object. An error may hide behind status 200, also
// as the last line of several.
func checkBody(body []byte) error {
	text := strings.TrimSpace(string(body))
	if text == "" {
		return &Error{Kind: EmptyReply, Detail: "the model may have written a number that JSON cannot hold"}
	}
	for line := range strings.Lines(text) {
		var reply struct{ Error string }
		if json.Unmarshal([]byte(line), &reply) == nil && reply.Error != "" {
			return &Error{Kind: statusKind(http.StatusInternalServerError, reply.Error, true), Detail: oneLine(reply.Error)}
		}
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return &Error{Kind: Malformed, Detail: oneLine(text), Err: err}
	}
	return nil
}

// oneLine bounds a foreign text in a message.
func oneLine(text string) string { return wording.Line(text, 200) }
