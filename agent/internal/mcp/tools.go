package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// How long tools/list, and a client's first word, wait for a daemon that is
// being started or does not answer, and how long the same may take while nobody
// waits. Claude Code waits three seconds for the answer to its first word.
const (
	listLimit   = time.Second
	attachLimit = 5 * time.Second
)

// How often a daemon is looked for: a failed connect(2) costs microseconds.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 2 * time.Second
)

// tools are what the daemon has and what the client has been told, both as the
// result of tools/list.
type tools struct {
	mu     sync.Mutex
	known  json.RawMessage // what the daemon last said; nil if it never did
	advice string          // when to prefer them, as the daemon last said
	given  json.RawMessage // what the client was last given; nil if it never asked
}

// noAdvice stands for the daemon's advice while there is none.
const noAdvice = "Answers questions about this project's code from language servers that are kept warm. " +
	"Prefer its tools to searching text when they fit the question; they appear as soon as the project's daemon runs."

// instructions tells a model when to prefer the tools, as the daemon says it.
func (s *server) instructions(ctx context.Context) string {
	_ = s.fetchTools(ctx, listLimit) // without a daemon there is still something to say
	s.tools.mu.Lock()
	defer s.tools.mu.Unlock()
	return cmp.Or(s.tools.advice, noAdvice)
}

// listTools answers tools/list: from the daemon if it answers, else with what
// it last said. A daemon that restarts does not take its tools away.
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

// present is value, or nil if it is null.
func present(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// announceTools tells a client that knows other tools than the daemon has.
func (s *server) announceTools() {
	s.tools.mu.Lock()
	stale := s.tools.given != nil && s.tools.known != nil && !bytes.Equal(s.tools.given, s.tools.known)
	s.tools.mu.Unlock()
	if !stale {
		return
	}
	s.mu.Lock()
	initialized, listeners := s.initialized, slices.Clone(s.listeners)
	s.mu.Unlock()
	if initialized {
		s.notify("notifications/tools/list_changed", nil)
	}
	for _, l := range listeners {
		s.notify("notifications/tools/list_changed", subscriptionParams{Meta: l.meta()})
	}
}

// attach begins to stay attached, at the client's first word.
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

// attachOnce returns when the connection has ended, and whether it held.
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
	if err := session.Send(&protocol.Attach{Client: name, PID: s.PID}); err != nil {
		return false
	}
	if !attached(session) || s.fetchTools(s.ctx, attachLimit) != nil {
		return false
	}
	s.announceTools()
	if session.SetDeadline(time.Time{}) != nil {
		return false
	}
	for attached(session) { // events of a kind this program does not know
	}
	return true
}

// attached reads one reply. An error reply counts as well: a daemon that does
// not know Attach still shows by the connection that it lives.
func attached(session *client.Session) bool {
	_, err := session.Receive()
	_, refused := err.(*protocol.Error)
	return err == nil || refused
}

// pause waits, or returns at once when ctx is done.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
