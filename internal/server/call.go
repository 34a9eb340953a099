package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// A call is one request on its way to one reply.
type call struct {
	conn     *conn
	request  protocol.Request
	ctx      context.Context
	cancel   context.CancelFunc
	late     deadlineError
	answered bool          // guarded by conn.mu
	patient  bool          // a hook that may wait for a person
	slot     chan struct{} // holds an element for this call; nil: it counts no more. Of the goroutine that runs the call
	room     place         // of the request's line
}

// A deadlineError is the cause with which a call ends that took too long.
type deadlineError struct {
	what  string
	limit time.Duration
}

func (e *deadlineError) Error() string {
	return fmt.Sprintf("%s did not finish within %v: ask for less, or raise the timeout", e.what, e.limit)
}

// callLimit is how long a tool call may take.
func (s *Server) callLimit(r *protocol.MCPToolCall) time.Duration {
	if 0 < r.TimeoutMS && r.TimeoutMS < s.options.CallTimeout.Milliseconds() {
		return time.Duration(r.TimeoutMS) * time.Millisecond
	}
	return s.options.CallTimeout
}

// begin counts a request in, which waits while the connection has too many.
func (c *conn) begin(r protocol.Request, limit time.Duration) *call {
	c.calls <- struct{}{}
	c.hold()
	c.open.Add(1)
	c.users.Add(1)
	if isTool(r) {
		c.server.calls.Add(1)
		c.server.inFlight.Add(1)
	}
	k := &call{conn: c, request: r, late: deadlineError{nameOf(r), limit}, room: c.room}
	c.room = place{}
	k.ctx, k.cancel = context.WithTimeoutCause(c.ctx, limit, &k.late)
	return k
}

// end counts the request out.
func (k *call) end() {
	k.cancel()
	k.room.leave()
	<-k.conn.calls
	k.conn.letGo()
	k.conn.release()
}

// isElicitation reports whether a hook is one that may wait for a person. A tool's input can hold the name as well, and
// must not lead PreToolUse away from its own slots: so what has the name is decoded.
func isElicitation(r *protocol.HookEvent) bool {
	if r.Event != "" {
		return r.Event == protocol.Elicitation
	}
	if !bytes.Contains(r.Input, []byte(protocol.Elicitation)) {
		return false
	}
	kind, err := protocol.KindOfHook(r.Input)
	return err == nil && kind.Event == protocol.Elicitation
}

func isTool(r protocol.Request) bool {
	_, is := r.(*protocol.MCPToolCall)
	return is
}

// run answers a call on a goroutine of its own.
func (k *call) run() {
	k.watchContext()
	k.perform()
	k.end()
}

// runInline answers a call on the goroutine that reads, and reports whether it still is that.
func (k *call) runInline() bool {
	c := k.conn
	c.inline.Store(k)
	c.tired.Reset(patience)
	k.perform()
	reads := c.inline.CompareAndSwap(k, nil)
	if reads {
		c.tired.Stop()
		if cap(c.spare) > keep {
			c.spare = nil
		}
	}
	k.end()
	return reads
}

// watchContext sees to it that the call is answered when its context ends, whatever its handler does. The context
// ends with the call at the latest.
func (k *call) watchContext() {
	k.conn.users.Add(1)
	context.AfterFunc(k.ctx, func() {
		k.answer(k.failure(context.Cause(k.ctx)))
		k.conn.release()
	})
}

// perform finds the answer and sends it.
func (k *call) perform() {
	defer k.catch()
	k.answer(k.find())
}

// find waits for a slot and asks the handler. The slot is free again before the reply is sent: a client that is slow
// to take it holds up nobody.
func (k *call) find() protocol.Response {
	if isTool(k.request) {
		defer k.conn.server.inFlight.Add(-1)
	}
	slots := k.slots()
	if !k.acquire(slots) {
		return k.failure(context.Cause(k.ctx))
	}
	k.slot = slots
	defer k.leave()
	if slots != k.conn.server.policy && k.isAbandoned() {
		return k.failure(errHangUp)
	}
	return k.reply()
}

// isAbandoned reports whether nobody waits for the answer, so that the work is not begun. For what the policy says,
// which takes less than to ask this, it is not worth it.
func (k *call) isAbandoned() bool { return k.ctx.Err() != nil || hasHungUp(k.conn.net) }

// leave gives the slot back. Once is enough.
func (k *call) leave() {
	if k.slot != nil {
		<-k.slot
		k.slot = nil
	}
}

// acquire waits for one of the slots, or the end of the call. Asking for the channel of a context makes one, which
// most calls do not need.
func (k *call) acquire(slots chan struct{}) bool {
	select {
	case slots <- struct{}{}:
		return true
	default:
	}
	select {
	case slots <- struct{}{}:
		return true
	case <-k.ctx.Done():
		return false
	}
}

// slots bounds how many calls of this kind run at once.
func (k *call) slots() chan struct{} {
	s := k.conn.server
	switch r := k.request.(type) {
	case *protocol.HookEvent:
		switch {
		case k.patient:
			return s.waits
		case asksPolicy(r):
			return s.policy
		}
	case *protocol.MCPToolCall:
		return s.tools
	case *protocol.StatusRequest:
		if r.WaitReady {
			return s.waits
		}
	}
	return s.hooks
}

// asksPolicy reports whether a hook is one that may refuse a tool call. The handler reads the input whole; doing so here
// as well would add a tenth to the price of the exchange, and so would looking for a text that begins with a quotation
// mark, of which JSON is full. Only where the name of the field stands more than once, as in a tool's input, the input
// says which one counts.
func asksPolicy(r *protocol.HookEvent) bool {
	if r.Event != "" {
		return r.Event == protocol.PreToolUse
	}
	_, rest, found := bytes.Cut(r.Input, []byte(`hook_event_name"`))
	if !found {
		return false
	}
	if bytes.Contains(rest, []byte(`hook_event_name"`)) {
		kind, err := protocol.KindOfHook(r.Input)
		return err == nil && kind.Event == protocol.PreToolUse
	}
	rest = bytes.TrimLeft(rest, " \t\r\n:")
	return bytes.HasPrefix(rest, []byte(`"`+protocol.PreToolUse+`"`))
}

// reply asks the handler.
func (k *call) reply() protocol.Response {
	s := k.conn.server
	switch r := k.request.(type) {
	case *protocol.HookEvent:
		return k.callHook(r)
	case *protocol.MCPToolCall:
		return k.callTool(r)
	case *protocol.ToolsListRequest:
		if s.options.Tools != nil {
			return &protocol.ToolsListResponse{Tools: s.options.Tools.List(), Instructions: s.options.Advice}
		}
		return &protocol.ToolsListResponse{Tools: []protocol.ToolDefinition{}}
	case *protocol.StatusRequest:
		return k.status(r)
	case *protocol.QuestionsRequest:
		return k.questions()
	case *protocol.AnswerRequest:
		return k.answerQuestion(r)
	}
	return k.failure(fmt.Errorf("no answer to %T", k.request))
}

func (k *call) callHook(r *protocol.HookEvent) protocol.Response {
	s := k.conn.server
	if s.options.Hooks == nil {
		return &protocol.HookResponse{Output: []byte(`{"continue":true}`)}
	}
	return s.options.Hooks.Hook(k.ctx, r)
}

func (k *call) callTool(r *protocol.MCPToolCall) protocol.Response {
	s := k.conn.server
	if s.options.Tools == nil {
		return k.failure(&protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown tool " + r.ToolName + ": there are none"})
	}
	start := time.Now()
	result, err := s.options.Tools.Call(k.ctx, r, caller{k})
	k.observe(start, err)
	if err == nil {
		s.log.Info("tool call", "tool", r.ToolName, "tool_use", toolUse(r), "took", time.Since(start))
		return &protocol.MCPToolResponse{ID: r.ID, Result: result.JSON, Text: result.Text}
	}
	if k.ctx.Err() != nil {
		err = context.Cause(k.ctx)
	}
	s.log.Info("tool call failed", "tool", r.ToolName, "tool_use", toolUse(r), "took", time.Since(start), "err", err)
	return k.failure(err)
}

// toolUse is what joins a call to its hooks, for the log; "" if the client does not tell.
func toolUse(r *protocol.MCPToolCall) string {
	const most = 100 // bytes
	if r.Meta == nil {
		return ""
	}
	return r.Meta.ToolUseID[:min(most, len(r.Meta.ToolUseID))]
}

// status waits no longer than the call timeout, and then tells how far the daemon is.
func (k *call) status(r *protocol.StatusRequest) protocol.Response {
	s := k.conn.server
	ctx, cancel := context.WithTimeout(k.ctx, s.options.CallTimeout)
	defer cancel()
	status := &protocol.StatusResponse{PID: os.Getpid(), Version: s.options.Version}
	if s.options.Status != nil {
		status = s.options.Status.Status(ctx, r.WaitReady)
	}
	counted := s.Stats()
	status.Clients, status.CallsInFlight, status.Calls = counted.Clients, counted.CallsInFlight, counted.Calls
	return status
}

// answer sends the first answer to the call; a later one is dropped.
func (k *call) answer(r protocol.Response) {
	c := k.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if !k.answered {
		c.open.Add(-1) // before the client can know
		c.send(r)
		k.answered = true
	}
}

// catch turns a panic of the handler into an answer.
func (k *call) catch() {
	v := recover()
	if v == nil {
		return
	}
	name := nameOf(k.request)
	k.conn.server.log.Error("panic", "in", name, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
	k.answer(k.failure(fmt.Errorf("%s failed: internal error: see the daemon's log", name)))
}

// failure is the answer that says why there is no other.
func (k *call) failure(err error) protocol.Response {
	if r, ok := k.request.(*protocol.MCPToolCall); ok {
		return &protocol.MCPToolResponse{ID: r.ID, Error: asError(err)}
	}
	return &protocol.ErrorResponse{Error: asError(err)}
}

// asError puts an error into the form of the wire, hint included.
func asError(err error) *protocol.Error {
	if wire, ok := errors.AsType[*protocol.Error](err); ok {
		return wire
	}
	message := err.Error()
	if hint := wording.HintOf(err); hint != "" {
		message += ": " + hint
	}
	return &protocol.Error{Code: protocol.CodeInternal, Message: message}
}

// nameOf is what a request is called in an error.
func nameOf(r protocol.Request) string {
	switch r := r.(type) {
	case *protocol.MCPToolCall:
		return r.ToolName
	case *protocol.HookEvent:
		return "the hook"
	case *protocol.StatusRequest:
		return "the status"
	}
	return "the request"
}
