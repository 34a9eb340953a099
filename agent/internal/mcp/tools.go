package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// How long tools/list and the client's first request wait for a daemon that starts or
// does not answer, and how long that may take while nobody waits. Claude Code waits
// three seconds for the answer to its first request.
const (
	listLimit   = time.Second
	attachLimit = 5 * time.Second
)

// How often a connection is tried. A failed connect(2) costs microseconds.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 2 * time.Second
)

// tools are the daemon's tools and those that the client knows, both as the result of
// tools/list.
type tools struct {
	mu     sync.Mutex
	known  json.RawMessage // the daemon's latest; nil if it has not answered yet
	advice string          // the daemon's latest instructions for a model
	given  json.RawMessage // the latest that the client got; nil if it never asked
}

// noAdvice replaces the daemon's instructions while there is no daemon.
const noAdvice = "Answers questions about this project's code from language servers that are kept warm. " +
	"Prefer its tools to searching text when they fit the question; they appear as soon as the project's daemon runs."

// instructions returns the daemon's instructions: when a model should prefer the tools.
func (s *server) instructions(ctx context.Context) string {
	_ = s.fetchTools(ctx, listLimit) // without a daemon there is noAdvice
	s.tools.mu.Lock()
	defer s.tools.mu.Unlock()
	return cmp.Or(s.tools.advice, noAdvice)
}

// listTools answers tools/list: with the daemon's tools, or with its latest ones if it
// does not answer. The tools must not disappear while a daemon restarts.
func (s *server) listTools(ctx context.Context, _ json.RawMessage) (json.RawMessage, *rpcError) {
	_ = s.fetchTools(ctx, listLimit) // the goroutine that stays attached announces them later
	s.tools.mu.Lock()
	defer s.tools.mu.Unlock()
	s.tools.given = s.tools.known
	if s.tools.given == nil {
		s.tools.given = json.RawMessage(`{"tools":[]}`)
	}
	return s.tools.given, nil
}

func (s *server) fetchTools(ctx context.Context, limit time.Duration) error {
	session, err := s.open(limit)
	if err != nil {
		return err
	}
	defer session.Close()
	defer context.AfterFunc(ctx, func() { session.Close() })()
	if err := session.Send(&protocol.ToolsListRequest{}); err != nil {
		return err
	}
	response, err := session.Receive()
	if err != nil {
		return err
	}
	list, ok := response.(*protocol.ToolsListResponse)
	if !ok {
		return &client.BrokenError{Reason: fmt.Sprintf("the daemon answered a request for its tools with %T", response)}
	}
	s.tools.mu.Lock()
	s.tools.known, s.tools.advice = renderTools(list), list.Instructions
	s.tools.mu.Unlock()
	return nil
}

// A tool is one entry of tools/list.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
	Meta        json.RawMessage `json:"_meta,omitempty"`
}

func renderTools(list *protocol.ToolsListResponse) json.RawMessage {
	result := struct {
		Tools []tool `json:"tools"`
	}{make([]tool, 0, len(list.Tools))}
	for _, t := range list.Tools {
		schema := present(t.InputSchema)
		if schema == nil {
			schema = json.RawMessage(`{"type":"object"}`)
		}
		result.Tools = append(result.Tools, tool{t.Name, t.Description, schema, present(t.Annotations), present(t.Meta)})
	}
	return marshal(result)
}

// present returns value, or nil if it is null.
func present(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// announceTools notifies a client that knows other tools than the daemon has.
func (s *server) announceTools() {
	s.tools.mu.Lock()
	stale := s.tools.given != nil && s.tools.known != nil && !bytes.Equal(s.tools.given, s.tools.known)
	s.tools.mu.Unlock()
	if !stale {
		return
	}
	initialized, listeners := s.readers()
	if initialized {
		s.notify("notifications/tools/list_changed", nil)
	}
	for _, l := range listeners {
		if l.tools {
			s.notify("notifications/tools/list_changed", subscriptionParams{Meta: l.meta()})
		}
	}
}

// attach starts the goroutine that stays attached, at the client's first request.
func (s *server) attach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.attaching {
		s.attaching = true
		s.attached.Go(s.stayAttached)
	}
}

// stayAttached holds one connection to the daemon until the session ends.
func (s *server) stayAttached() {
	retry := firstRetry
	for s.ctx.Err() == nil {
		if s.attachOnce() {
			retry = firstRetry
		}
		pause(s.ctx, retry)
		retry = min(2*retry, lastRetry)
	}
}

// attachOnce returns when the connection has ended. It reports whether the daemon accepted it.
func (s *server) attachOnce() (held bool) {
	session, err := client.Open(s.Locate(), time.Now().Add(attachLimit))
	if hasDied(err) {
		session, err = s.open(attachLimit)
	}
	if err != nil {
		return false
	}
	defer session.Close()
	defer context.AfterFunc(s.ctx, func() { session.Close() })()
	s.mu.Lock()
	name := s.client
	s.mu.Unlock()
	if err := session.Send(&protocol.Attach{Client: name, PID: s.PID, Messages: true}); err != nil {
		return false
	}
	answer, ok := attached(session)
	if !ok || s.fetchTools(s.ctx, attachLimit) != nil {
		return false
	}
	s.announceTools()
	s.logDaemon(answer)
	defer s.logGone()
	s.lists.daemonCame()
	defer s.lists.daemonGone()
	s.announceLists()
	if session.SetDeadline(time.Time{}) != nil {
		return false
	}
	s.relayMessages(session)
	return true
}

// attached reads the reply to Attach. An error reply counts, too: the connection to a
// daemon that does not know Attach still shows that it runs.
func attached(session *client.Session) (answer *protocol.Attached, ok bool) {
	response, err := session.Receive()
	answer, _ = response.(*protocol.Attached)
	_, refused := err.(*protocol.Error)
	return answer, err == nil || refused
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
