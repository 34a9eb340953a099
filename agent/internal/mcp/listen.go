package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"tidepool/protocol"
)

// A listener is the id of a subscriptions/listen that asked for news of the
// tools.
type listener json.RawMessage

// subscriptionParams are the params of what a listener is told.
type subscriptionParams struct {
	Meta          subscriptionMeta `json:"_meta"`
	Notifications *notifications   `json:"notifications,omitempty"`
}

type subscriptionMeta struct {
	ID json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
}

// notifications are those of the kinds there are that this program sends.
type notifications struct {
	ToolsListChanged bool `json:"toolsListChanged,omitempty"`
}

func (l listener) meta() subscriptionMeta { return subscriptionMeta{json.RawMessage(l)} }

// listen answers subscriptions/listen: it acknowledges at once, and the result
// is the end of the news, which is when the client says no more. A client that
// cancels gets none.
func (s *server) listen(ctx context.Context, id, params json.RawMessage) (json.RawMessage, *rpcError) {
	var wanted struct {
		Notifications *notifications `json:"notifications"`
	}
	if err := json.Unmarshal(params, &wanted); err != nil || wanted.Notifications == nil {
		return nil, &rpcError{Code: protocol.CodeInvalidParams, Message: "subscriptions/listen: params must have notifications, an object"}
	}
	l := listener(id)
	if wanted.Notifications.ToolsListChanged {
		s.assumeGiven(ctx)
	}
	s.notify("notifications/subscriptions/acknowledged", subscriptionParams{l.meta(), wanted.Notifications})
	if wanted.Notifications.ToolsListChanged {
		s.await(ctx, l)
	}
	return completed(resultMeta{s.info(), id}), nil
}

// assumeGiven decides what is news to a listener that never asked this process
// for the tools: whatever is not as it was when it began to listen.
func (s *server) assumeGiven(ctx context.Context) {
	s.tools.mu.Lock()
	never := s.tools.given == nil
	s.tools.mu.Unlock()
	if never {
		_, _ = s.listTools(ctx, nil) // never fails
	}
}

// await has a listener told of changes until its request, or the input, ends.
func (s *server) await(ctx context.Context, l listener) {
	s.mu.Lock()
	s.listeners = append(s.listeners, l)
	s.mu.Unlock()
	s.announceTools()
	select {
	case <-ctx.Done():
	case <-s.silent:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = slices.DeleteFunc(s.listeners, func(other listener) bool { return string(other) == string(l) })
}
