package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"

	"tidepool/protocol"
)

// An rpcResponse is a response of JSON-RPC 2.0. Exactly one of Result and Error is set.
type rpcResponse struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  *rpcResult      `json:"result,omitempty"`
	Error   *protocol.Error `json:"error,omitempty"`
}

// An rpcResult is the result of tools/call as the Model Context Protocol has it. Its text is JSON.
type rpcResult struct {
	Content []rpcText `json:"content"`
	IsError bool      `json:"isError,omitempty"`
}

type rpcText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// callRPC answers a request of JSON-RPC. A notification is carried out and gets no content.
func (a *api) callRPC(w http.ResponseWriter, r *http.Request, request *toolRequest) {
	response := rpcResponse{JSONRPC: "2.0", ID: request.ID}
	if request.ID == nil || !isID(request.ID) {
		response.ID = json.RawMessage("null")
	}
	response.Result, response.Error = a.answerRPC(r, request)
	if request.ID == nil && response.Error == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	reply(w, http.StatusOK, response)
}

// answerRPC carries a request out. A tool that fails has a result that says so.
func (a *api) answerRPC(r *http.Request, request *toolRequest) (*rpcResult, *protocol.Error) {
	if string(request.JSONRPC) != `"2.0"` || !isID(request.ID) {
		return nil, &protocol.Error{Code: protocol.CodeInvalidRequest, Message: `a request has "jsonrpc":"2.0" and an id that is a string or a number`}
	}
	if string(request.Method) != `"tools/call"` {
		return nil, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "the only method is tools/call"}
	}
	result, err := a.run(r.Context(), request.Params)
	if err == nil {
		return &rpcResult{Content: []rpcText{{"text", string(result)}}}, nil
	}
	switch statusOf(err) {
	case http.StatusNotFound:
		return nil, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: err.Error()}
	case http.StatusBadRequest:
		return nil, &protocol.Error{Code: protocol.CodeInvalidParams, Message: err.Error()}
	}
	return &rpcResult{Content: []rpcText{{"text", errorText(err)}}, IsError: true}, nil
}

// errorText returns an error as the JSON in which clients look for one.
func errorText(err error) string {
	text, failed := json.Marshal(map[string]string{"error": err.Error()})
	if failed != nil { // a text can always be encoded
		return errors.Join(err, failed).Error()
	}
	return string(text)
}

// isID reports whether a request's id is one: a string, a number, null or none.
func isID(id json.RawMessage) bool {
	return id == nil || id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9' || string(id) == "null"
}
