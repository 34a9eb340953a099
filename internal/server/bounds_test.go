package server

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tidepool/protocol"
)

// limitedSocket makes the test binary a server on that socket that may open few files.
const limitedSocket = "TIDEPOOL_TEST_LIMITED_SOCKET"

// serveLimited serves until it is killed.
func serveLimited(path string) error {
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 40, Max: 40}); err != nil {
		return err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	fmt.Println("listening")
	return New(Options{}).Serve(l)
}

// Connections beyond what the process may open wait, and are served when others have gone.
func TestNoFileDescriptorsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(exe)
	server.Env = append(os.Environ(), limitedSocket+"="+path)
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	var held []*client
	for range 60 {
		held = append(held, dial(t, path))
	}
	late := dial(t, path)
	late.send(ping)
	for _, c := range held {
		_ = c.conn.Close()
	}
	late.expect(pong)
}

// Hooks beyond their bound wait for each other, not for tools, nor tools for them.
func TestHooksAtOnce(t *testing.T) {
	begun, open := make(chan struct{}, 2*hooksAtOnce), make(chan struct{})
	path := serveOn(t, Options{
		Hooks: hookFunc(func(context.Context, *protocol.HookEvent) *protocol.HookResponse {
			begun <- struct{}{}
			<-open
			return &protocol.HookResponse{}
		}),
		Tools: scripted{"quick": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
			return Result{JSON: []byte("1")}, nil
		}},
	})
	const perClient = unfinished / 2
	var clients []*client
	for range hooksAtOnce/perClient + 1 {
		c := dial(t, path)
		for range perClient {
			c.send(`{"type":"HookEvent","input":{}}` + "\n")
		}
		clients = append(clients, c)
	}
	for range hooksAtOnce {
		<-begun
	}
	for _, c := range clients {
		c.send(callLine("a", "quick"))
		c.expect(`…"result":1`)
	}
	if len(begun) > 0 {
		t.Errorf("more than %d hooks run", hooksAtOnce)
	}
	close(open)
	for _, c := range clients {
		for range perClient {
			c.expect(`…HookResponse`)
		}
	}
}

func TestThousandSilentConnections(t *testing.T) {
	path := serveOn(t, Options{})
	for range 1000 {
		dial(t, path)
	}
	c := dial(t, path)
	c.send(ping)
	c.expect(pong)
}

const attach = `{"type":"Attach","client":"test"}` + "\n"

// When connections run out the oldest gives way that nobody waits on: neither one with a call in flight, nor an
// attached one. Half a line is no request.
func TestOldestIdleConnectionGivesWay(t *testing.T) {
	g := newGate()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{MaxConnections: 5, Tools: scripted{"wait": g.call}})
	stop := serveWith(t, s, l)
	t.Cleanup(func() { stop(context.Background()) })
	attached, busy, half, idle, silent := dial(t, path), dial(t, path), dial(t, path), dial(t, path), dial(t, path)
	attached.send(attach)
	attached.expect("…Attached")
	busy.send(callLine("a", "wait"))
	<-g.begun
	idle.send(ping)
	idle.expect(pong)
	half.send(`{"type":`)
	awaitUnheld(t, s, 3)
	for i, gone := range []*client{half, idle, silent} {
		c := dial(t, path)
		c.send(attach)
		c.expect("…Attached")
		if line, err := gone.lines.ReadLine(); err == nil {
			t.Errorf("connection %d goes on: %q", i, line)
		}
	}
	refused := dial(t, path)
	refused.expect(`…and all are in use`)
	close(g.open)
	busy.expect(`…"result":"through"`)
	attached.send(ping)
	attached.expect(pong)
}

// awaitUnheld waits until so many connections can be given up: a client has its answer a moment before the server has let
// go of the connection.
func awaitUnheld(t *testing.T, s *Server, want int) {
	t.Helper()
	unheld := func() (n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for e := s.order.Front(); e != nil; e = e.Next() {
			if e.Value.(*conn).pins.Load() == 0 {
				n++
			}
		}
		return n
	}
	for deadline := time.Now().Add(time.Minute); unheld() != want; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d connections can be given up, want %d", unheld(), want)
		}
	}
}

// No crowd of silent clients keeps a hook from its answer, be they before it or come meanwhile.
func TestHookBesideSilentConnections(t *testing.T) {
	path := serveOn(t, Options{})
	for i := range 2100 {
		c := dial(t, path)
		if i%2 == 0 {
			c.send(`{"type":"HookEvent","in`)
		}
	}
	for range 100 {
		c := dial(t, path)
		c.send(preToolUse)
		c.expect("…HookResponse")
		dial(t, path)
	}
}

const preToolUse = `{"type":"HookEvent","input":{"hook_event_name":"PreToolUse","tool_name":"Bash"}}` + "\n"

// PreToolUse hooks have slots of their own, which no other hook can occupy.
func TestPolicyWaitsForNoOtherHook(t *testing.T) {
	begun, open := make(chan struct{}, 2*hooksAtOnce), make(chan struct{})
	path := serveOn(t, Options{Hooks: hookFunc(func(_ context.Context, e *protocol.HookEvent) *protocol.HookResponse {
		if !asksPolicy(e) {
			begun <- struct{}{}
			<-open
		}
		return &protocol.HookResponse{}
	})})
	defer close(open)
	// That the name stands somewhere in it makes no hook one that asks the policy, nor does its input, if the client
	// says otherwise.
	others := []string{
		`{"type":"HookEvent","input":{"tool_input":{"hook_event_name":"PreToolUse"},"hook_event_name":"PostToolUse"}}` + "\n",
		`{"type":"HookEvent","input":{"hook_event_name":"PreToolUse"},"event":"Stop"}` + "\n",
	}
	for i := range 2 * hooksAtOnce {
		dial(t, path).send(others[i%2])
	}
	for range hooksAtOnce {
		<-begun
	}
	for _, hook := range []string{
		preToolUse, `{"type":"HookEvent","input":{"hook_event_name" : "PreToolUse"}}` + "\n",
		`{"type":"HookEvent","input":{"tool_input":{"hook_event_name":"Stop"},"hook_event_name":"PreToolUse"}}` + "\n", `{"type":"HookEvent","input":{},"event":"PreToolUse"}` + "\n",
	} {
		c := dial(t, path)
		c.send(hook)
		c.expect("…HookResponse")
	}
}

// What a client asked for that is gone by the time is not begun.
func TestWorkForNobodyIsNotBegun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var begun atomic.Int32
	s := New(Options{
		Hooks: hookFunc(func(context.Context, *protocol.HookEvent) *protocol.HookResponse {
			begun.Add(1)
			return &protocol.HookResponse{}
		}),
		Tools: scripted{"work": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
			begun.Add(1)
			return Result{}, nil
		}},
	})
	for range 20 { // before anybody accepts
		c := dial(t, path)
		c.send(`{"type":"HookEvent","input":{"hook_event_name":"PostToolUse"}}` + "\n" + callLine("a", "work"))
		_ = c.conn.Close()
	}
	stays := dial(t, path)
	stays.send(`{"type":"HookEvent","input":{"hook_event_name":"PostToolUse"}}` + "\n")
	stays.closeWrite() // which is no hang-up
	stop := serveWith(t, s, l)
	stays.expect("…HookResponse")
	stop(t.Context()) // which waits for all calls
	if n := begun.Load(); n != 1 {
		t.Errorf("%d calls were begun, of which one has a client", n)
	}
}

func TestMaxConnections(t *testing.T) {
	path := serveOn(t, Options{MaxConnections: 3})
	var served []*client
	for range 3 {
		c := dial(t, path)
		c.send(attach)
		c.expect("…Attached")
		served = append(served, c)
	}
	refused := dial(t, path)
	refused.expect(`…not served: 3 connections are open, which is the most, and all are in use`)
	refused.expect("")
	for _, c := range served {
		c.send(ping)
		c.expect(pong)
	}
	// When one goes, there is room for another, as soon as the server has seen it go.
	_ = served[0].conn.Close()
	for {
		c := dial(t, path)
		if _, err := c.conn.Write([]byte(ping)); err != nil {
			continue
		}
		line, err := c.lines.ReadLine()
		if err == nil && string(line) == pong {
			return
		}
	}
}

func TestAttachCountsUntilTheClientGoes(t *testing.T) {
	s := New(Options{})
	path := t.TempDir() + "/s"
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stop := serveWith(t, s, l)
	defer stop(t.Context())
	c := dial(t, path)
	for range 2 { // twice is once
		c.send(`{"type":"Attach","client":"test","pid":1}` + "\n")
		c.expect("…Attached")
	}
	if got := s.Stats().Clients; got != 1 {
		t.Errorf("%d clients are attached, want 1", got)
	}
	c.closeWrite()
	c.expect("")
	if got := s.Stats().Clients; got != 0 {
		t.Errorf("%d clients are attached after it has gone", got)
	}
}
