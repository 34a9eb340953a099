// Package peertest plays the daemon in the agent's tests: a real Unix socket,
// the real protocol, and scripted replies.
package peertest

import (
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tidepool/protocol"
)

// A Handler answers one request; it runs in a goroutine of its own. Returning
// without a reply leaves the request open.
type Handler func(*Conn, protocol.Request)

// A Peer listens on the socket of a project.
type Peer struct {
	listener net.Listener
	handle   Handler
	running  sync.WaitGroup

	mu    sync.Mutex
	conns map[*Conn]bool
}

// Project makes a directory with a .tidepool directory in it.
func Project(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, protocol.StateDir), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Start listens in the project until Stop, or the end of the test.
func Start(t testing.TB, project string, handle Handler) *Peer {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(project, protocol.StateDir, protocol.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	p := &Peer{listener: listener, handle: handle, conns: map[*Conn]bool{}}
	p.running.Go(p.accept)
	t.Cleanup(p.Stop)
	return p
}

// Stop closes the socket and every connection, as a daemon that dies.
func (p *Peer) Stop() {
	p.listener.Close()
	p.mu.Lock()
	for conn := range p.conns {
		conn.Close()
	}
	p.mu.Unlock()
	p.running.Wait()
}

func (p *Peer) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.serve(conn) })
	}
}

func (p *Peer) serve(conn net.Conn) {
	c := &Conn{conn: conn, gone: make(chan struct{})}
	p.mu.Lock()
	p.conns[c] = true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.conns, c)
		p.mu.Unlock()
		c.Close()
	}()
	lines := protocol.NewReader(conn)
	for {
		line, err := lines.ReadLine()
		if err != nil {
			close(c.gone)
			return
		}
		request, err := protocol.DecodeRequest(append([]byte(nil), line...))
		if err != nil {
			c.Reply(&protocol.ErrorResponse{Error: err.(*protocol.Error)})
			continue
		}
		go p.handle(c, request)
	}
}

// A Conn is one connection of a client.
type Conn struct {
	conn net.Conn
	gone chan struct{}
	mu   sync.Mutex // one writer at a time
}

// Reply sends one message.
func (c *Conn) Reply(response protocol.Response) {
	c.Raw(string(protocol.AppendResponse(nil, response)))
}

// Raw sends bytes as they are.
func (c *Conn) Raw(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.conn.Write([]byte(text))
}

// Gone is closed when the client has hung up.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Close hangs up on the client.
func (c *Conn) Close() { c.conn.Close() }
