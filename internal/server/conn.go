package server

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/peer"
	"tidepool/protocol"
)

// A conn is one connection.
//
// Ownership: the goroutine that reads and each call hold one of users. The last to release it closes the connection and removes
// it from the server. Replies are written by whoever has one, under mu.
//
// The reading goroutine changes when a call runs too long inline (replaceReader). The fields in its group have no lock: the swap
// of inline passes them on.
type conn struct {
	server       *Server
	net          net.Conn
	ctx          context.Context // parent of the calls' contexts; ends when the client is gone
	cancel       context.CancelCauseFunc
	users        atomic.Int32
	calls        chan struct{} // holds one element for each request that has not ended
	open         atomic.Int32  // requests without a reply
	ended        atomic.Bool   // the input has ended
	inline       atomic.Pointer[call]
	replaceTimer *time.Timer   // runs replaceReader
	pins         atomic.Int32  // reasons not to evict it: a line being handled, requests that have not ended, an attached client (evict.go)
	inOrder      *list.Element // its element in Server.order

	http atomic.Pointer[httpConn] // nil: the connection carries lines
	port http.Handler             // answers what comes by a port; nil: the connection came by the socket

	peerOnce sync.Once
	peer     int // see PeerPID

	// Used by the reading goroutine only.
	lines    *protocol.Reader
	spare    []byte   // holds the input of a hook; the next line overwrites the one it came in
	slot     lineSlot // memory of the line that was read last
	attached bool
	watching bool
	messaged bool // it is sent messages

	mu  sync.Mutex // guards out and call.answered; held while a reply is written
	out []byte
}

// keep is the largest buffer, in bytes, that a connection keeps for its next request or reply.
const keep = 16 << 10

// errHangUp is the cause of the calls' contexts when their client is gone.
var errHangUp = errors.New("the client has closed the connection")

// newConn returns a connection with one user, the goroutine that is going to read it. Its calls' contexts descend from the
// server's work, so they outlive the start of a shutdown.
func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{server: s, net: nc, calls: make(chan struct{}, unfinished)}
	c.ctx, c.cancel = context.WithCancelCause(context.WithValue(s.work, peerKey{}, c))
	c.lines = protocol.NewReader(&input{conn: c})
	c.lines.LimitBy(c.reserve)
	c.replaceTimer = time.AfterFunc(inlineLimit, c.replaceReader)
	c.replaceTimer.Stop()
	c.users.Store(1)
	return c
}

// serve reads the connection to its end, if its peer may be served. Its first byte says whether it carries lines or HTTP; others are refused.
func (c *conn) serve() {
	if err := c.server.confined(peer.PID(c.net)); err != nil {
		c.reject(protocol.CodeInternal, "not served: "+err.Error()+": ask from outside of the sandbox")
		c.finish()
		return
	}
	if c.port != nil {
		c.servePort()
		return
	}
	switch first, err := c.lines.Peek(); {
	case err == nil && isMethod(first) && c.server.options.HTTP != nil:
		c.serveHTTP(first)
	case err == nil && first != '{' && !isSpace(first):
		c.reject(protocol.CodeParse, "this socket speaks lines of JSON, which begin with '{': send {\"type\":\"Ping\"} and a newline")
		c.finish()
	default:
		c.read()
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// read handles line after line until the input ends, the server quits, or another goroutine has taken over the reading.
func (c *conn) read() {
	for !c.server.isQuitting() {
		line, err := c.lines.ReadLine()
		if err == nil || err == io.ErrUnexpectedEOF {
			if !c.pin() {
				break
			}
			reads := c.handle(line)
			c.unpin()
			if !reads {
				return
			}
		}
		c.slot.release()
		if err != nil && !c.readOn(err) {
			break
		}
	}
	c.finish()
}

// readOn handles an error of reading and reports whether another line may follow.
func (c *conn) readOn(err error) bool {
	switch {
	case err == protocol.ErrLineTooLong:
		c.reject(protocol.CodeInvalidRequest, err.Error()+": send less at a time")
		return true
	case err == errNoLineMemory:
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

// awaitReplies waits, after the end of the input, until all calls are answered or the client is gone. If the client is gone
// it cancels them.
func (c *conn) awaitReplies() {
	c.ended.Store(true)
	if c.users.Load() > 1 && awaitHangUp(c.net) {
		c.cancel(errHangUp)
	}
}

// finish ends the reading. An attached client is attached no longer.
func (c *conn) finish() {
	c.slot.release()
	if c.attached {
		c.server.clients.Add(-1)
	}
	c.release()
}

// release gives up one of users.
func (c *conn) release() {
	switch left := c.users.Add(-1); {
	case left == 0:
		_ = c.net.Close()
		c.cancel(errHangUp)
		c.server.removeConn(c)
	case left == 1 && c.ended.Load():
		c.wake()
	}
}

// wake interrupts the read that the reading goroutine waits in.
func (c *conn) wake() {
	if h := c.http.Load(); h != nil {
		h.quit()
		return
	}
	_ = c.net.SetReadDeadline(time.Unix(1, 0))
}

// handle answers one line, or starts a goroutine that does. It reports whether the caller still reads the connection.
func (c *conn) handle(line []byte) bool {
	if len(bytes.TrimSpace(line)) == 0 {
		return true
	}
	c.server.received.Add(1)
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
		return c.serveLSP(r)
	case *protocol.Watch:
		c.watch(r)
	case *protocol.MCPToolCall:
		if !c.lines.Release() {
			r.Arguments = bytes.Clone(r.Arguments) // the next line overwrites this one
		}
		go c.begin(r, c.server.callLimit(r)).run()
	case *protocol.MCPRequest:
		if !c.lines.Release() {
			r.Params = bytes.Clone(r.Params)
		}
		go c.begin(r, c.server.options.CallTimeout).run()
	case *protocol.StatusRequest:
		if r.WaitReady {
			go c.begin(r, c.server.options.CallTimeout+c.server.options.HookTimeout).run()
			return true
		}
		return c.begin(r, c.server.options.HookTimeout).runInline()
	case *protocol.ScrubText:
		c.countClient()
		return c.begin(r, c.server.options.HookTimeout).runInline()
	case *protocol.HookEvent:
		if isElicitation(r) {
			r.Input = bytes.Clone(r.Input)
			k := c.begin(r, c.server.options.CallTimeout)
			k.waitsForPerson = true
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

// attach counts the client as attached, unless the daemon hands over to the build that the client would start.
func (c *conn) attach(r *protocol.Attach) {
	yield := c.server.options.Yield
	leaving := r.Build != "" && yield != nil && yield(r.Build)
	if !leaving {
		c.countClient()
	}
	c.write(&protocol.Attached{PID: os.Getpid(), Version: c.server.options.Version, Leaving: leaving})
	if r.Messages && !leaving {
		c.sendMessages()
	}
}

// countClient counts the client as attached, once.
func (c *conn) countClient() {
	if !c.attached {
		c.attached = true
		c.pin() // as long as the connection lives
		c.server.clients.Add(1)
	}
}

// save returns the input of a hook in memory that the next line does not overwrite. It takes the reader's buffer for a long
// input, and copies a short one into spare, which replaceReader leaves to the call.
func (c *conn) save(input []byte) []byte {
	if c.lines.Release() {
		return input
	}
	c.spare = append(c.spare[:0], input...)
	return c.spare
}

// reserve waits for memory for a line that becomes long.
func (c *conn) reserve(size int) error {
	s := c.server
	return s.lines.acquire(&c.slot, size, s.options.HookTimeout, s.quit)
}

// replaceReader starts another goroutine to read if the present one is busy with a call. The call keeps spare, which holds its input.
func (c *conn) replaceReader() {
	if k := c.inline.Swap(nil); k != nil {
		k.watchContext()
		c.spare = nil
		go c.read()
	}
}

// reject sends why a line was not understood.
func (c *conn) reject(code int, message string) {
	c.write(&protocol.ErrorResponse{Error: &protocol.Error{Code: code, Message: message}})
}

// write sends a message that belongs to no call.
func (c *conn) write(r protocol.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(r)
}

// send writes a message. Callers hold mu. A client that does not accept it within writeTimeout counts as gone.
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
