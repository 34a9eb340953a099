package mcp

import (
	"bytes"
	"encoding/json"

	"tidepool/protocol"
)

// A message is one JSON-RPC 2.0 message of the client.
type message struct {
	id     json.RawMessage // byte for byte as the client wrote it; nil for a notification
	method string          // "" for a response
	params json.RawMessage // nil if absent
	result json.RawMessage // of a response; nil if it is an error

	logLevel string // of log messages that the client wants while it runs, in the modern era; "" = none
}

// An rpcError is JSON-RPC's error object. Its codes are those of the socket, and
// [codeUnsupportedVersion].
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// parseMessage decodes one message. With an error it also returns the id, if that is
// known, for the error's reply.
func parseMessage(data []byte) (message, *rpcError) {
	if !json.Valid(data) {
		return message{}, &rpcError{Code: protocol.CodeParse, Message: "Parse error: this line is not JSON"}
	}
	// A map, not a struct: encoding/json would take "ID" for "id".
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return message{}, invalid("a message is a JSON object")
	}
	m := message{params: members["params"]}
	id, hasID := members["id"]
	if hasID && !isID(id) {
		return message{}, invalid("id must be a string or a number")
	}
	m.id = id
	var version string
	if json.Unmarshal(members["jsonrpc"], &version) != nil || version != "2.0" {
		return m, invalid(`jsonrpc must be "2.0"`)
	}
	method, hasMethod := members["method"]
	if !hasMethod && hasID && (members["result"] != nil || members["error"] != nil) {
		m.result = members["result"]
		return m, nil // a response
	}
	if json.Unmarshal(method, &m.method) != nil || m.method == "" {
		return m, invalid("method must be a string")
	}
	return m, nil
}

func invalid(why string) *rpcError {
	return &rpcError{Code: protocol.CodeInvalidRequest, Message: "Invalid request: " + why}
}

// isID reports whether a JSON value is a string or a number, as request ids and
// progress tokens are.
func isID(value json.RawMessage) bool {
	return len(value) > 0 && (value[0] == '"' || value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}

// key returns a comparable form of an id: two spellings of a string are the same id.
func key(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return `"` + text
	}
	return string(id)
}

// resultLine returns the answer to the request with this id.
func resultLine(id, result json.RawMessage) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	line = append(append(line, `,"result":`...), result...)
	return append(line, '}')
}

// errorLine returns the answer to a request that failed. Without an id it is null.
func errorLine(id json.RawMessage, err *rpcError) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	line = append(append(line, `,"error":`...), marshal(err)...)
	return append(line, '}')
}

// notificationLine returns a notification. nil params are omitted.
func notificationLine(method string, params any) []byte {
	return marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}

// marshal encodes a type of this package on one line. It does not escape angle
// brackets: a model reads some of the texts.
func marshal(v any) json.RawMessage {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // only for a raw value that is not JSON, and each was decoded before
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n"))
}
