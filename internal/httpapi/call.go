package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"tidepool/protocol"
)

// A toolRequest is the body of /api/call.
type toolRequest struct {
	JSONRPC json.RawMessage // absent: the reply is the tool's JSON alone
	ID      json.RawMessage // absent in a request of JSON-RPC: there is no reply
	Method  json.RawMessage
	Params  json.RawMessage
}

// toolParams are its parameters.
type toolParams struct {
	Name      string
	Arguments json.RawMessage
	Session   string `json:"session_id"` // that the caller is of; "": it does not say
	Meta      struct {
		ToolUseID string `json:"claudecode/toolUseId"`
	} `json:"_meta"`
}

// call answers /api/call.
func (a *api) call(w http.ResponseWriter, r *http.Request) {
	request, done, err := a.readCall(w, r)
	defer done()
	if err != nil {
		fail(w, err)
		return
	}
	if request.JSONRPC != nil {
		a.callRPC(w, r, request)
		return
	}
	result, err := a.run(r.Context(), request.Params)
	if err != nil {
		fail(w, err)
		return
	}
	write(w, http.StatusOK, asObject(result))
}

// readCall reads the request, which is one JSON object. The caller calls done when the request is answered.
func (a *api) readCall(w http.ResponseWriter, r *http.Request) (request *toolRequest, done func(), err error) {
	body, done, err := a.bodies.read(w, r)
	if err != nil {
		return nil, done, err
	}
	request = new(toolRequest)
	err = json.Unmarshal(body, request)
	switch {
	case err == nil:
		return request, done, nil
	case json.Valid(body):
		return nil, done, &statusError{http.StatusBadRequest, "Request body must be a JSON object"}
	}
	return nil, done, invalidJSON(err)
}

// run calls the tool that the parameters name. The error is a *statusError.
func (a *api) run(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	var params toolParams
	if err := json.Unmarshal(raw, &params); err != nil || strings.TrimSpace(params.Name) == "" {
		return nil, &statusError{http.StatusBadRequest, "Missing tool name in params.name"}
	}
	if params.Session != "" {
		if err := checkSession(params.Session); err != nil {
			return nil, err
		}
	}
	result, err := resultOf(a.Do(ctx, &protocol.MCPToolCall{
		ToolName: params.Name, Arguments: params.Arguments, Meta: &protocol.CallMeta{ToolUseID: params.Meta.ToolUseID, Session: params.Session, Client: "HTTP"},
	}))
	if err != nil {
		return nil, asCallError(params.Name, err)
	}
	return result, nil
}

// resultOf returns what a call's reply carries.
func resultOf(response protocol.Response) (json.RawMessage, error) {
	switch r := response.(type) {
	case *protocol.MCPToolResponse:
		if r.Error != nil {
			return nil, r.Error
		}
		return r.Result, nil
	case *protocol.ErrorResponse:
		return nil, r.Error
	}
	return nil, fmt.Errorf("the daemon answered with %T", response)
}

// asCallError returns the error of a call with its status, in the words that clients know.
func asCallError(name string, err error) error {
	wire, is := errors.AsType[*protocol.Error](err)
	switch {
	case is && wire.Code == protocol.CodeMethodNotFound:
		return &statusError{http.StatusNotFound, "Unknown tool: " + name}
	case is && wire.Code == protocol.CodeNotFound:
		return &statusError{http.StatusNotFound, "Tool error: " + messageOf(err)}
	case is && wire.Code == protocol.CodeInvalidParams:
		return &statusError{http.StatusBadRequest, "Invalid arguments for " + name + ": " + wire.Message}
	}
	return &statusError{http.StatusInternalServerError, "Tool error: " + messageOf(err)}
}

// asObject returns a result as an object or a list: any other is wrapped.
func asObject(result json.RawMessage) json.RawMessage {
	result = bytes.TrimSpace(result)
	if len(result) > 0 && (result[0] == '{' || result[0] == '[') {
		return result
	}
	if len(result) == 0 {
		result = json.RawMessage("null")
	}
	return append(append([]byte(`{"result":`), result...), '}')
}
