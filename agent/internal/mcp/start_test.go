package mcp

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tidepool/agent/internal/launch"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// A scriptedLauncher starts what a test says.
type scriptedLauncher struct {
	start           func() error
	starts, renewal atomic.Int32
}

func (l *scriptedLauncher) Start(protocol.Place, time.Time) error {
	l.starts.Add(1)
	return l.start()
}

func (l *scriptedLauncher) Renew(protocol.Place, time.Time) error {
	l.renewal.Add(1)
	return l.start()
}

// A client that asks for the tools once, right after the start, gets them.
func TestSessionStartsTheDaemon(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{tools: tooled("one"), call: func(c *peertest.Conn, call *protocol.MCPToolCall) {
		c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: "done"})
	}}
	l := &scriptedLauncher{start: func() error {
		d.start(t, dir)
		return nil
	}}
	s := serveWith(t, dir, l)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":` + toolsJSON("one") + `}`)
	s.call("2", "one", "")
	s.wantText("2", "done", false)
	if l.renewal.Load() != 1 || l.starts.Load() != 0 {
		t.Errorf("renewed %d times, started %d times", l.renewal.Load(), l.starts.Load())
	}
}

// A daemon that died is started again without being asked for; one that left in good order only for a call.
func TestDaemonThatEndsInASession(t *testing.T) {
	dir := peertest.Project(t)
	settled := make(chan struct{}, 10) // the session is attached and has asked for the tools
	peers := make(chan *peertest.Peer, 1)
	l := &scriptedLauncher{start: func() error {
		removeSocket(dir)
		var attached atomic.Bool
		peers <- peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
			switch r := r.(type) {
			case *protocol.Attach:
				attached.Store(true)
				c.Reply(&protocol.Attached{})
			case *protocol.ToolsListRequest:
				c.Reply(&protocol.ToolsListResponse{Tools: tooled("one")})
				if attached.Load() {
					settled <- struct{}{}
				}
			case *protocol.MCPToolCall:
				c.Reply(&protocol.MCPToolResponse{ID: r.ID, Text: "done"})
			}
		})
		return nil
	}}
	s := serveWith(t, dir, l)
	s.handshake("2025-11-25")
	<-settled
	(<-peers).Stop() // takes the socket away

	s.call("1", "one", "")
	s.wantText("1", "done", false)
	<-settled
	if got := l.starts.Load(); got != 1 {
		t.Errorf("started %d times for a call", got)
	}
	(<-peers).Stop()
	leaveStaleSocket(t, dir)
	<-settled
	if got := l.starts.Load(); got != 2 {
		t.Errorf("started %d times after a death", got)
	}
}

func removeSocket(dir string) {
	_ = os.Remove(filepath.Join(dir, protocol.StateDir, protocol.SocketName))
}

func leaveStaleSocket(t *testing.T, dir string) {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(dir, protocol.StateDir, protocol.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
}

// A model reads why there is no daemon, and not every call tries to start one.
func TestDaemonThatCannotBeStarted(t *testing.T) {
	dir := peertest.Project(t)
	l := &scriptedLauncher{start: func() error {
		return &launch.Error{Reason: "the daemon did not start: no", Advice: "mend it", Log: "start.log"}
	}}
	s := serveWith(t, dir, l)
	s.handshake("2025-11-25")
	for range 2 {
		s.call("1", "echo", "")
		s.wantText("1", "echo failed: the daemon did not start: no: mend it (start.log)", true)
	}
	if all := l.starts.Load() + l.renewal.Load(); all > 5 {
		t.Errorf("tried %d times", all)
	}
}

func TestAutostartIsOff(t *testing.T) {
	dir := peertest.Project(t)
	s := serveWith(t, dir, &scriptedLauncher{start: func() error { return launch.ErrNobody }})
	s.handshake("2025-11-25")
	s.call("1", "echo", "")
	s.wantText("1", "To start it: run `controlserver serve` in "+dir, true)
}

// A call that the daemon has not read, because it was leaving, is made again.
func TestUnreadCallIsMadeAgain(t *testing.T) {
	var calls atomic.Int32
	dir := peertest.Project(t)
	l, err := net.Listen("unix", filepath.Join(dir, protocol.StateDir, protocol.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			one := make([]byte, len(`{"type":"MCPToolCall"`))
			n, _ := conn.Read(one) // leaves the rest unread
			if !strings.Contains(string(one[:n]), "MCPToolCall") || calls.Add(1) == 1 {
				conn.Close()
				continue
			}
			_, _ = protocol.NewReader(conn).ReadLine()
			_, _ = conn.Write(protocol.AppendResponse(nil, &protocol.MCPToolResponse{Text: "done"}))
			conn.Close()
		}
	}()
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.call("1", "echo", "")
	s.wantText("1", "done", false)
	if got := calls.Load(); got != 2 {
		t.Errorf("%d calls", got)
	}
}
