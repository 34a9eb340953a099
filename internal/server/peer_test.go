package server

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"tidepool/protocol"
)

func TestPeerIsTold(t *testing.T) {
	c := dial(t, serveOn(t, Options{Hooks: hookFunc(func(ctx context.Context, _ *protocol.HookEvent) *protocol.HookResponse {
		return &protocol.HookResponse{Output: fmt.Appendf(nil, "%d", PeerPID(ctx))}
	})}))
	for range 2 {
		c.send(`{"type":"HookEvent","input":{}}` + "\n")
		c.expect(fmt.Sprintf(`{"type":"HookResponse","output":%d,"exit_code":0}`, os.Getpid()))
	}
	if pid := PeerPID(t.Context()); pid != 0 {
		t.Errorf("%d behind no connection", pid)
	}
}

// TestElicitationOutlastsOtherHooks and takes none of their slots.
func TestElicitationOutlastsOtherHooks(t *testing.T) {
	answer := make(chan struct{})
	path := serveOn(t, Options{HookTimeout: time.Second, Hooks: hookFunc(func(ctx context.Context, e *protocol.HookEvent) *protocol.HookResponse {
		if isElicitation(e) {
			select {
			case <-answer:
			case <-ctx.Done():
			}
		}
		return &protocol.HookResponse{Output: []byte(`{}`)}
	})})
	var waiting []*client
	for range hooksAtOnce {
		c := dial(t, path)
		c.send(`{"type":"HookEvent","input":{"hook_event_name":"Elicitation"}}` + "\n")
		waiting = append(waiting, c)
	}
	begin := time.Now()
	for time.Since(begin) < 1200*time.Millisecond { // longer than any other hook may take
		other := dial(t, path)
		other.send(`{"type":"HookEvent","input":{"tool_input":{"hook_event_name":"Elicitation"},"hook_event_name":"PreToolUse"}}` + "\n")
		other.expect(`{"type":"HookResponse","output":{},"exit_code":0}`)
	}
	close(answer)
	for _, c := range waiting {
		c.expect(`{"type":"HookResponse","output":{},"exit_code":0}`)
	}
}
