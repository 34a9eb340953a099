package server

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/protocol"
)

// A conn is one connection. Whoever reads it and every call holds one of users; the last to let go closes it.
type conn struct {
	server *Server
	net    net.Conn
	ctx    context.Context // of the connection's calls; ends when the client is gone
	cancel context.CancelCauseFunc
	users  atomic.Int32
	calls  chan struct{} // holds one element for each request that has not ended
	open   atomic.Int32  // requests that are not answered
	ended  atomic.Bool   // the input has
	inline atomic.Pointer[call]
	tired  *time.Timer   // runs handOver
	held   atomic.Int32  // the line that is being answered, requests that have not ended, an attached client; see crowd.go
	place  *list.Element // in the server's order

	peerOnce sync.Once
	peer     int // see PeerPID

	// Of the goroutine that reads.
	lines    *protocol.Reader
	spare    []byte // holds the input of a hook; the next line overwrites the one it came in
	room     place  // of the line that was read last
	attached bool
	watching bool

	mu  sync.Mutex // orders replies
	out []byte
}

// keep is the largest buffer, in bytes, that a connection keeps for the next request or reply.
const keep = 16 << 10

// errHangUp is the cause with which the calls of a client end that is gone.
var errHangUp = errors.New("the client has closed the connection")

func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{server: s, net: nc, calls: make(chan struct{}, unfinished)}
	c.ctx, c.cancel = context.WithCancelCause(context.WithValue(s.work, peerKey{}, c))
	c.lines = protocol.NewReader(&input{conn: c})
	c.lines.LimitBy(c.makeRoom)
	c.tired = time.AfterFunc(patience, c.handOver)
	c.tired.Stop()
	c.users.Store(1)
	return c
}

// serve reads the connection to its end. The first byte decides what it speaks; lines of JSON are all there is yet.
func (c *conn) serve() {
	switch first, err := c.lines.Peek(); {
	case err == nil && first != '{' && !isSpace(first):
		c.reject(protocol.CodeParse, "this socket speaks lines of JSON, which begin with '{': send {\"type\":\"Ping\"} and a newline")
		c.finish()
	default:
		c.read()
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// read answers line after line until the input ends, the server quits, or another goroutine has taken over.
func (c *conn) read() {
	for !c.server.isQuitting() {
		line, err := c.lines.ReadLine()
		if err == nil || err == io.ErrUnexpectedEOF {
			if !c.hold() {
				break
			}
			reads := c.handle(line)
			c.letGo()
			if !reads {
				return
			}
		}
		c.room.leave()
		if err != nil && !c.readOn(err) {
			break
		}
	}
	c.finish()
}

// readOn deals with the end of a line or of the input and reports whether another line may follow.
func (c *conn) readOn(err error) bool {
	switch {
	case err == protocol.ErrLineTooLong:
		c.reject(protocol.CodeInvalidRequest, err.Error()+": send less at a time")
		return true
	case err == errNoRoom:
		c.reject(protocol.CodeInternal, err.Error())
		return true
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		c.awaitReplies()
	case c.server.isQuitting():
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.reject(protocol.CodeInvalidRequest, "the line was not finished within "+
			c.server.options.LineTimeout.String()+": end each message with a newline")
		c.cancel(errHangUp)
	default:
		c.cancel(errHangUp)
	}
	return false
}

// awaitReplies returns, after the end of the input, when all calls are answered or the client is gone. Only then
// are there calls to cancel: who ends its input and waits for nothing has not hung up.
func (c *conn) awaitReplies() {
	c.ended.Store(true)
	if c.users.Load() > 1 && awaitHangUp(c.net) {
		c.cancel(errHangUp)
	}
}

// finish ends the reading, and with it the presence of the client.
func (c *conn) finish() {
	c.room.leave()
	if c.attached {
		c.server.clients.Add(-1)
	}
	c.release()
}

// release lets go of the connection.
func (c *conn) release() {
	switch left := c.users.Add(-1); {
	case left == 0:
		_ = c.net.Close()
		c.cancel(errHangUp)
		c.server.leave(c)
	case left == 1 && c.ended.Load():
		c.wake()
	}
}

// wake makes the goroutine that reads look up.
func (c *conn) wake() { _ = c.net.SetReadDeadline(time.Unix(1, 0)) }

// handle answers one line, or starts to. It reports whether the caller is still the one who reads.
func (c *conn) handle(line []byte) bool {
	if len(bytes.TrimSpace(line)) == 0 {
		return true
	}
	c.server.heard.Add(1)
	request, err := protocol.DecodeRequest(line)
	if err != nil {
		c.server.log.Warn("undecodable line", "err", err)
		c.write(&protocol.ErrorResponse{Error: asError(err)})
		return true
	}
	switch r := request.(type) {
	case *protocol.Ping:
		c.write(&protocol.Pong{})
	case *protocol.Attach:
		c.attach(r)
	case *protocol.LSPAttach:
		return c.turn(r)
	case *protocol.Watch:
		c.watch(r)
	case *protocol.MCPToolCall:
		if !c.lines.Release() {
			r.Arguments = bytes.Clone(r.Arguments) // the line is overwritten by the next
		}
		go c.begin(r, c.server.callLimit(r)).run()
	case *protocol.StatusRequest:
		if r.WaitReady {
			go c.begin(r, c.server.options.CallTimeout+c.server.options.HookTimeout).run()
			return true
		}
		return c.begin(r, c.server.options.HookTimeout).runInline()
	case *protocol.HookEvent:
		if isElicitation(r) { // may wait for a person
			r.Input = bytes.Clone(r.Input)
			k := c.begin(r, c.server.options.CallTimeout)
			k.patient = true
			go k.run()
			return true
		}
		r.Input = c.save(r.Input)
		return c.begin(r, c.server.options.HookTimeout).runInline()
	default:
		return c.begin(request, c.server.options.HookTimeout).runInline()
	}
	return true
}

// attach counts the client in, unless the daemon leaves for the one that the client would start.
func (c *conn) attach(r *protocol.Attach) {
	yield := c.server.options.Yield
	leaving := r.Build != "" && yield != nil && yield(r.Build)
	if !leaving {
		c.present()
	}
	c.write(&protocol.Attached{PID: os.Getpid(), Version: c.server.options.Version, Leaving: leaving})
}

// present counts the client in, once.
func (c *conn) present() {
	if !c.attached {
		c.attached = true
		c.hold() // for good
		c.server.clients.Add(1)
	}
}

// save keeps the input of a hook that is answered before the next line is read, or by a goroutine that has handed over.
// It copies no long one.
func (c *conn) save(input []byte) []byte {
	if c.lines.Release() {
		return input
	}
	c.spare = append(c.spare[:0], input...)
	return c.spare
}

// makeRoom finds memory for a line that becomes long.
func (c *conn) makeRoom(size int) error {
	s := c.server
	return s.room.enter(&c.room, size, s.options.HookTimeout, s.quit)
}

// handOver starts another goroutine to read if the one that did is busy with a call, which keeps its input.
func (c *conn) handOver() {
	if k := c.inline.Swap(nil); k != nil {
		k.watchContext()
		c.spare = nil
		go c.read()
	}
}

// reject says why something was not understood.
func (c *conn) reject(code int, message string) {
	c.write(&protocol.ErrorResponse{Error: &protocol.Error{Code: code, Message: message}})
}

// write sends a reply that belongs to no call.
func (c *conn) write(r protocol.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(r)
}

// send is called with mu held. A client that does not take a reply in time is gone.
func (c *conn) send(r protocol.Response) {
	c.out = protocol.AppendResponse(c.out[:0], r)
	_ = c.net.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := c.net.Write(c.out); err != nil {
		c.cancel(errHangUp)
		_ = c.net.Close()
	}
	if cap(c.out) > keep {
		c.out = nil
	}
}
