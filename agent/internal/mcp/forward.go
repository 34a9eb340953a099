package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// A forwarded method is one that the daemon answers with the whole result. This
// program knows nothing of what it means.
type forwarded struct {
	cacheable bool // the modern era wants to know for how long its result is valid
	list      list // that it lists; 0 = none
}

// forwardedMethod returns what is known of a method; false if it is not forwarded.
func forwardedMethod(method string) (forwarded, bool) {
	switch method {
	case "prompts/list":
		return forwarded{cacheable: true, list: prompts}, true
	case "resources/list":
		return forwarded{cacheable: true, list: resources}, true
	case "resources/templates/list", "resources/read":
		return forwarded{cacheable: true}, true
	case "prompts/get", "completion/complete":
		return forwarded{}, true
	}
	return forwarded{}, false
}

// errOldDaemon is the answer while a daemon runs that does not know MCPRequest.
var errOldDaemon = errors.New("the daemon that runs is older than this program: " +
	"stop it with `controlserver stop`, and the next request starts the newer one")

// forward returns what answers a forwarded method.
func (s *server) forward(method string, of forwarded) runFunc {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, *rpcError) {
		s.lists.ask(of.list)
		result, err := s.askDaemon(ctx, method, params)
		if client.IsUnread(err) && ctx.Err() == nil { // the daemon has exited without reading the request
			result, err = s.askDaemon(ctx, method, params)
		}
		if err == nil {
			return result, nil
		}
		if refused, ok := errors.AsType[*protocol.Error](err); ok {
			return nil, wireError(refused)
		}
		s.lists.miss(of.list)
		return nil, &rpcError{Code: protocol.CodeInternal, Message: failureText(method, err)}
	}
}

// askDaemon sends a request over its own connection. An error with which the daemon
// answers it is a *protocol.Error.
func (s *server) askDaemon(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	session, err := s.open(listLimit)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	defer context.AfterFunc(ctx, func() { session.Close() })()
	if err := session.SetDeadline(time.Time{}); err != nil { // the daemon bounds its answer, the client cancels
		return nil, err
	}
	if err := session.Send(s.newRequest(method, params)); err != nil {
		return nil, err
	}
	response, err := session.Receive()
	if refused, ok := errors.AsType[*protocol.Error](err); ok && refused.Code == protocol.CodeMethodNotFound {
		return nil, errOldDaemon
	}
	if err != nil {
		return nil, err
	}
	answer, ok := response.(*protocol.MCPResult)
	switch {
	case !ok:
		return nil, &client.BrokenError{Reason: fmt.Sprintf("the daemon answered %s with %T", method, response)}
	case answer.Error != nil:
		return nil, answer.Error
	case answer.Result == nil:
		return nil, &client.BrokenError{Reason: "the daemon answered " + method + " with nothing"}
	}
	return answer.Result, nil
}

func wireError(e *protocol.Error) *rpcError {
	err := &rpcError{Code: e.Code, Message: e.Message}
	if data := present(e.Data); data != nil {
		err.Data = data
	}
	return err
}

func (s *server) newRequest(method string, params json.RawMessage) *protocol.MCPRequest {
	var p callParams
	_ = json.Unmarshal(params, &p) // the daemon refuses what is no object
	return &protocol.MCPRequest{ID: s.nextID(), Method: method, Params: present(params), Meta: s.callMeta(p.Meta.ToolUseID, s.Session)}
}

// nextID returns the id of a request to the daemon.
func (s *server) nextID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.callCount++
	return strconv.Itoa(s.PID) + "-" + strconv.Itoa(s.callCount)
}

// callMeta returns where a request comes from.
func (s *server) callMeta(toolUseID json.RawMessage, session string) *protocol.CallMeta {
	meta := &protocol.CallMeta{Cwd: s.Dir, Session: session}
	_ = json.Unmarshal(toolUseID, &meta.ToolUseID) // anything but a string counts as absent
	s.mu.Lock()
	defer s.mu.Unlock()
	meta.Client = s.client
	return meta
}
