package protocol

import (
	"encoding/json"
	"fmt"
)

// Codes of an [Error], as in JSON-RPC 2.0 §5.1, and one of the Model Context Protocol.
const (
	CodeParse          = -32700 // the line is not JSON
	CodeInvalidRequest = -32600 // JSON, but not a request
	CodeNotFound       = -32002 // a correct request names what is not there: a memory, a reference, a file; MCP has this code for resources
	CodeMethodNotFound = -32601 // unknown message type, or unknown tool
	CodeInvalidParams  = -32602 // a field or an argument is wrong
	CodeInternal       = -32603 // a correct request failed
)

// An Error is a failure as the wire carries it. The message says what
// happened, why, and what to do.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`

	Data json.RawMessage `json:"data,omitempty"` // details for programs, from the tool; nil = none
}

func (e *Error) Error() string { return e.Message }

func errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
