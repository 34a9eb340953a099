package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"tidepool/protocol"
)

// A listener is a subscriptions/listen request.
type listener struct {
	id    json.RawMessage
	tools bool // it wants changes of the tools
	lists list // it wants changes of
}

// subscriptionParams are the params of notifications to a listener.
type subscriptionParams struct {
	Meta          subscriptionMeta `json:"_meta"`
	Notifications *notifications   `json:"notifications,omitempty"`
}

type subscriptionMeta struct {
	ID json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
}

// notifications are the kinds of notifications that this program sends.
type notifications struct {
	ToolsListChanged     bool `json:"toolsListChanged,omitempty"`
	PromptsListChanged   bool `json:"promptsListChanged,omitempty"`
	ResourcesListChanged bool `json:"resourcesListChanged,omitempty"`
}

func (n *notifications) lists() (wanted list) {
	if n.PromptsListChanged {
		wanted |= prompts
	}
	if n.ResourcesListChanged {
		wanted |= resources
	}
	return wanted
}

func (l listener) meta() subscriptionMeta { return subscriptionMeta{l.id} }

// listen answers subscriptions/listen. It acknowledges at once. The result marks the
// end of the subscription, when the client's input ends. A client that cancels gets
// no result.
func (s *server) listen(ctx context.Context, id, params json.RawMessage) (json.RawMessage, *rpcError) {
	var wanted struct {
		Notifications *notifications `json:"notifications"`
	}
	if err := json.Unmarshal(params, &wanted); err != nil || wanted.Notifications == nil {
		return nil, &rpcError{Code: protocol.CodeInvalidParams, Message: "subscriptions/listen: params must have notifications, an object"}
	}
	l := listener{id: id, tools: wanted.Notifications.ToolsListChanged, lists: wanted.Notifications.lists()}
	if l.tools {
		s.assumeGiven(ctx)
	}
	s.lists.expect(l.lists)
	s.notify("notifications/subscriptions/acknowledged", subscriptionParams{l.meta(), wanted.Notifications})
	if l.tools || l.lists != 0 {
		s.await(ctx, l)
	}
	return completed(resultMeta{s.info(), id}), nil
}

// assumeGiven sets the baseline for a listener that never asked this process for the
// tools: the tools at the time when it began to listen.
func (s *server) assumeGiven(ctx context.Context) {
	s.tools.mu.Lock()
	never := s.tools.given == nil
	s.tools.mu.Unlock()
	if never {
		_, _ = s.listTools(ctx, nil) // never fails
	}
}

// await keeps a listener subscribed until its request or the input ends.
func (s *server) await(ctx context.Context, l listener) {
	s.mu.Lock()
	s.listeners = append(s.listeners, l)
	s.mu.Unlock()
	s.announceTools()
	s.announceLists()
	select {
	case <-ctx.Done():
	case <-s.inputEnded:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = slices.DeleteFunc(s.listeners, func(other listener) bool { return string(other.id) == string(l.id) })
}
