package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tidepool/protocol"
)

func TestRepliesComeAsCallsFinish(t *testing.T) {
	slow, fast := newGate(), newGate()
	c := dial(t, serveOn(t, Options{Tools: scripted{"slow": slow.call, "fast": fast.call}}))
	c.send(callLine("1", "slow") + callLine("2", "fast") + ping)
	c.expect(pong)
	<-slow.begun
	<-fast.begun
	close(fast.open)
	c.expect(`…"id":"2"`)
	close(slow.open)
	c.expect(`…"id":"1"`)
}

// When every worker is busy, tool calls wait and everything else is answered, on the same connection and on others.
func TestBusyWorkers(t *testing.T) {
	g := newGate()
	path := serveOn(t, Options{Workers: 2, Tools: scripted{"wait": g.call}})
	c := dial(t, path)
	for i := range 5 {
		c.send(callLine(fmt.Sprint(i), "wait"))
	}
	<-g.begun
	<-g.begun
	for _, c := range []*client{c, dial(t, path)} {
		c.send(ping)
		c.expect(pong)
		c.send(`{"type":"HookEvent","input":{}}` + "\n")
		c.expect(`…HookResponse`)
		c.send(`{"type":"StatusRequest"}` + "\n")
		c.expect(`…"calls_in_flight":5`)
	}
	if len(g.begun) > 0 {
		t.Error("more calls run than there are workers")
	}
	close(g.open)
	for range 5 {
		c.expect(`…"result":"through"`)
	}
}

// A connection with too many calls is not read, and read again when one is answered.
func TestTooManyUnanswered(t *testing.T) {
	g := newGate()
	c := dial(t, serveOn(t, Options{Workers: unfinished, Tools: scripted{"wait": g.call}}))
	for i := range unfinished + 1 {
		c.send(callLine(fmt.Sprint(i), "wait"))
	}
	c.send(ping)
	for range unfinished {
		<-g.begun
	}
	close(g.open)
	seen := map[string]int{}
	for range unfinished + 2 {
		seen[kind(c.receive())]++
	}
	if seen["MCPToolResponse"] != unfinished+1 || seen["Pong"] != 1 {
		t.Errorf("got %v", seen)
	}
}

// kind is the type of a reply.
func kind(line string) string {
	line, _, _ = strings.Cut(strings.TrimPrefix(line, `{"type":"`), `"`)
	return line
}

func TestClientsThatGoCancelTheirCalls(t *testing.T) {
	leave := map[string]func(*client){
		"at once":          func(c *client) { _ = c.conn.Close() },
		"after half close": func(c *client) { c.closeWrite(); _ = c.conn.Close() },
		"after a while": func(c *client) {
			c.closeWrite()
			c.expect(`…"id":"other"`) // the server has long seen the end of the input
			_ = c.conn.Close()
		},
	}
	for name, leave := range leave {
		t.Run(name, func(t *testing.T) {
			g, other := newGate(), newGate()
			path := serveOn(t, Options{Tools: scripted{"wait": g.call, "other": other.call}})
			stays, goes := dial(t, path), dial(t, path)
			stays.send(callLine("stays", "other"))
			goes.send(callLine("goes", "wait") + callLine("other", "other"))
			<-g.begun
			<-other.begun
			<-other.begun
			if name == "after a while" {
				close(other.open)
			}
			leave(goes)
			if err := <-g.ended; !errors.Is(err, errHangUp) {
				t.Errorf("the call ended with %v", err)
			}
			if name != "after a while" {
				close(other.open)
			}
			stays.expect(`…"id":"stays","result":"through"`)
		})
	}
}

func TestHalfCloseIsNoHangUp(t *testing.T) {
	g := newGate()
	c := dial(t, serveOn(t, Options{Tools: scripted{"wait": g.call}}))
	c.send(callLine("a", "wait") + callLine("b", "wait"))
	c.closeWrite()
	<-g.begun
	<-g.begun
	g.open <- struct{}{}
	c.expect(`…"result":"through"`)
	close(g.open)
	c.expect(`…"result":"through"`)
	c.expect("")
}

func TestPanicsAreAnswered(t *testing.T) {
	var log bytes.Buffer
	s := New(Options{
		Log:   slog.New(slog.NewTextHandler(&log, nil)),
		Tools: scripted{"bomb": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) { panic("tick") }},
		Hooks: hookFunc(func(context.Context, *protocol.HookEvent) *protocol.HookResponse { panic("tock") }),
	})
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stop := serveWith(t, s, l)
	c := dial(t, path)
	c.send(callLine("a", "bomb"))
	c.expect(`{"type":"MCPToolResponse","id":"a","result":null,"error":{"code":-32603,"message":"bomb failed: internal error: see the daemon's log"}}`)
	c.send(`{"type":"HookEvent","input":{}}` + "\n")
	c.expect(`{"type":"ErrorResponse","error":{"code":-32603,"message":"the hook failed: internal error: see the daemon's log"}}`)
	c.send(ping)
	c.expect(pong)
	stop(context.Background())
	for _, want := range []string{"tick", "tock", "call_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %q", want)
		}
	}
}

func TestProgress(t *testing.T) {
	steps := func(_ context.Context, _ *protocol.MCPToolCall, caller Caller) (Result, error) {
		caller.Progress(1, 2, "half")
		caller.Progress(2, 2, "")
		return Result{JSON: []byte("1")}, nil
	}
	c := dial(t, serveOn(t, Options{Tools: scripted{"steps": steps}}))
	c.send(`{"type":"MCPToolCall","id":"a","tool_name":"steps","progress":true}` + "\n")
	c.expect(`{"type":"MCPToolProgress","id":"a","done":1,"total":2,"message":"half"}`)
	c.expect(`{"type":"MCPToolProgress","id":"a","done":2,"total":2}`)
	c.expect(`…"result":1`)
	c.send(callLine("b", "steps"))
	c.expect(`…"result":1`)
}

// A hook that takes long holds up neither what comes after it on its connection, nor does its input change.
func TestSlowHook(t *testing.T) {
	begun, open := make(chan struct{}), make(chan struct{})
	c := dial(t, serveOn(t, Options{Hooks: hookFunc(func(_ context.Context, e *protocol.HookEvent) *protocol.HookResponse {
		if bytes.Contains(e.Input, []byte("slow")) {
			close(begun)
			<-open
		}
		return &protocol.HookResponse{Output: e.Input}
	})}))
	release := sync.OnceFunc(func() { close(open) })
	t.Cleanup(release)
	event := func(word string) string { return `{"type":"HookEvent","input":{"word":"` + word + `"}}` + "\n" }
	answer := func(word string) string { return `…"output":{"word":"` + word + `"}` }
	c.send(event("quick"))
	c.expect(answer("quick"))
	c.send(event("slow"))
	<-begun
	for i := range 100 {
		word := fmt.Sprintf("n%03d", i)
		c.send(event(word))
		c.expect(answer(word))
	}
	release()
	c.expect(answer("slow"))
}

// Many clients at once, on connections that are kept and on ones that are not.
func TestManyAtOnce(t *testing.T) {
	path := serveOn(t, Options{Workers: 3, Tools: scripted{
		"echo": func(_ context.Context, call *protocol.MCPToolCall, _ Caller) (Result, error) {
			return Result{JSON: call.Arguments}, nil
		},
	}})
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			c := dial(t, path)
			for j := range 50 {
				if j%10 == 0 {
					_ = c.conn.Close()
					c = dial(t, path)
				}
				id := fmt.Sprintf("%d-%d", i, j)
				c.send(`{"type":"MCPToolCall","id":"` + id + `","tool_name":"echo","arguments":{"id":"` + id + `"}}` + "\n")
				want := `{"type":"MCPToolResponse","id":"` + id + `","result":{"id":"` + id + `"},"error":null}`
				if got := c.receive(); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
	group.Wait()
}

// advised is an error whose hint may be empty.
type advised string

func (advised) Error() string  { return "no" }
func (a advised) Hint() string { return string(a) }

func TestErrorCarriesItsHint(t *testing.T) {
	for hint, want := range map[advised]string{"ask again": "no: ask again", "": "no"} {
		if got := asError(fmt.Errorf("%w", hint)).Message; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
