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

// A call is one request that needs one reply. Whoever has the reply first sends it: the handler, the deadline, or the client's
// hang-up. Its context ends with the call at the latest.
type call struct {
	conn           *conn
	request        protocol.Request
	ctx            context.Context
	cancel         context.CancelFunc
	timeout        deadlineError
	answered       bool          // guarded by conn.mu
	waitsForPerson bool          // a hook that may wait for a person
	slot           chan struct{} // holds an element for this call; nil: given back. Only the goroutine that runs the call uses it
	lineSlot       lineSlot      // memory of the request's line, if it is long

	replies chan protocol.Response  // receives the reply of a call that came by HTTP, see Do; nil: the connection does
	interim func(protocol.Response) // receives what precedes the reply of such a call, see Follow; nil: nothing does
}

// A deadlineError is the cause of a call's context when the call took too long.
type deadlineError struct {
	what  string
	limit time.Duration
}

func (e *deadlineError) Error() string {
	return fmt.Sprintf("%s did not finish within %v: ask for less, or raise the timeout", e.what, e.limit)
}

// callLimit returns how long a tool call may take: the client's limit if that is the shorter one.
func (s *Server) callLimit(r *protocol.MCPToolCall) time.Duration {
	if 0 < r.TimeoutMS && r.TimeoutMS < s.options.CallTimeout.Milliseconds() {
		return time.Duration(r.TimeoutMS) * time.Millisecond
	}
	return s.options.CallTimeout
}

// begin registers a request. It blocks, and with it the reading, while the connection has too many.
func (c *conn) begin(r protocol.Request, limit time.Duration) *call {
	c.calls <- struct{}{}
	k := c.register(c.ctx, r, limit)
	k.lineSlot, c.slot = c.slot, lineSlot{}
	return k
}

// register registers a request that has a place in calls. Its context is its own, and ends with that of the connection.
func (c *conn) register(ctx context.Context, r protocol.Request, limit time.Duration) *call {
	c.pin()
	c.open.Add(1)
	c.users.Add(1)
	if isTool(r) {
		c.server.calls.Add(1)
		c.server.inFlight.Add(1)
	}
	k := &call{conn: c, request: r, timeout: deadlineError{nameOf(r), limit}}
	k.ctx, k.cancel = context.WithTimeoutCause(ctx, limit, &k.timeout)
	return k
}

// end unregisters the request.
func (k *call) end() {
	k.cancel()
	k.lineSlot.release()
	<-k.conn.calls
	k.conn.unpin()
	k.conn.release()
}

// isElicitation reports whether a hook may wait for a person. A tool's input may contain the event's name, too, and must not
// take PreToolUse out of its own slots. So input that contains the name is decoded.
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

// isTool reports whether the request is a tool call. Only tool calls are counted in Stats.
func isTool(r protocol.Request) bool {
	_, is := r.(*protocol.MCPToolCall)
	return is
}

// run answers a call on its own goroutine.
func (k *call) run() {
	k.watchContext()
	k.perform()
	k.end()
}

// runInline answers a call on the reading goroutine. It reports whether this goroutine still reads: false after replaceReader.
func (k *call) runInline() bool {
	c := k.conn
	c.inline.Store(k)
	c.replaceTimer.Reset(inlineLimit)
	k.perform()
	reads := c.inline.CompareAndSwap(k, nil)
	if reads {
		c.replaceTimer.Stop()
		if cap(c.spare) > keep {
			c.spare = nil
		}
	}
	k.end()
	return reads
}

// watchContext sends the failure as soon as the call's context ends, whatever the handler does.
func (k *call) watchContext() {
	k.conn.users.Add(1)
	context.AfterFunc(k.ctx, func() {
		k.answer(k.failure(context.Cause(k.ctx)))
		k.conn.release()
	})
}

// perform runs the handler and sends its reply.
func (k *call) perform() {
	defer k.catch()
	k.answer(k.find())
}

// find waits for a slot and runs the handler. It frees the slot before the reply is sent, so a client that reads slowly
// delays no other.
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

// isAbandoned reports whether nobody waits for the reply. A policy decision takes less time than this check, so it is not
// checked for.
func (k *call) isAbandoned() bool { return k.ctx.Err() != nil || hasHungUp(k.conn.net) }

// leave gives the slot back. Later calls do nothing.
func (k *call) leave() {
	if k.slot != nil {
		<-k.slot
		k.slot = nil
	}
}

// acquire waits for a slot or for the end of the call. It tries without waiting first: Done allocates the context's channel,
// which most calls do not need.
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

// slots returns the semaphore for calls of this kind.
func (k *call) slots() chan struct{} {
	s := k.conn.server
	switch r := k.request.(type) {
	case *protocol.HookEvent:
		switch {
		case k.waitsForPerson:
			return s.waits
		case asksPolicy(r):
			return s.policy
		}
	case *protocol.MCPToolCall:
		return s.tools
	case *protocol.MCPRequest:
		return s.features
	case *protocol.StatusRequest:
		if r.WaitReady {
			return s.waits
		}
	}
	return s.hooks
}

// asksPolicy reports whether a hook may refuse a tool call. The handler decodes the whole input. Decoding it here, too, adds a
// tenth to the cost of the exchange, and so does a search for a text that begins with a quotation mark, of which JSON is full.
// Only if the field's name occurs more than once, as in a tool's input, the input is decoded to find the one that counts.
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

// reply runs the handler.
func (k *call) reply() protocol.Response {
	s := k.conn.server
	switch r := k.request.(type) {
	case *protocol.HookEvent:
		return k.callHook(r)
	case *protocol.MCPToolCall:
		return k.callTool(r)
	case *protocol.MCPRequest:
		return k.callFeature(r)
	case *protocol.ToolsListRequest:
		if s.options.Tools != nil {
			return &protocol.ToolsListResponse{Tools: s.options.Tools.List(), Instructions: s.options.Advice}
		}
		return &protocol.ToolsListResponse{Tools: []protocol.ToolDefinition{}}
	case *protocol.StatusRequest:
		return k.status(r)
	case *protocol.ScrubText:
		return k.scrub(r)
	case *protocol.QuestionsRequest:
		return k.questions()
	case *protocol.AnswerRequest:
		return k.answerQuestion(r)
	}
	return k.failure(fmt.Errorf("no answer to %T", k.request))
}

// callHook runs the handler of hooks. Without one every hook passes.
func (k *call) callHook(r *protocol.HookEvent) protocol.Response {
	s := k.conn.server
	if s.options.Hooks == nil {
		return &protocol.HookResponse{Output: []byte(`{"continue":true}`)}
	}
	return s.options.Hooks.Hook(k.ctx, r)
}

// callTool runs a tool, and logs its name, its time and its error, but neither arguments nor result. If the call's context has
// ended, that is the error, whatever the tool returned.
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

// toolUse returns the id that the call shares with its hooks, for the log; "" if the client sent none.
func toolUse(r *protocol.MCPToolCall) string {
	const most = 100 // bytes
	if r.Meta == nil {
		return ""
	}
	return r.Meta.ToolUseID[:min(most, len(r.Meta.ToolUseID))]
}

// status waits at most the call timeout, and then returns the daemon's present state.
func (k *call) status(r *protocol.StatusRequest) protocol.Response {
	s := k.conn.server
	ctx, cancel := context.WithTimeout(k.ctx, s.options.CallTimeout)
	defer cancel()
	status := &protocol.StatusResponse{PID: os.Getpid(), Version: s.options.Version}
	if s.options.Status != nil {
		status = s.options.Status.Status(ctx, r)
	}
	counted := s.Stats()
	status.Clients, status.CallsInFlight, status.Calls = counted.Clients, counted.CallsInFlight, counted.Calls
	return status
}

// answer sends the first reply to the call and drops later ones.
func (k *call) answer(r protocol.Response) {
	c := k.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.answered {
		return
	}
	k.answered = true
	c.open.Add(-1) // before the client can have read the reply
	if k.replies != nil {
		k.replies <- r
		return
	}
	c.send(r)
}

// catch turns a panic of the handler into a reply.
func (k *call) catch() {
	v := recover()
	if v == nil {
		return
	}
	name := nameOf(k.request)
	k.conn.server.log.Error("panic", "in", name, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
	k.answer(k.failure(fmt.Errorf("%s failed: internal error: see the daemon's log", name)))
}

// failure returns the reply that carries an error.
func (k *call) failure(err error) protocol.Response {
	switch r := k.request.(type) {
	case *protocol.MCPToolCall:
		return &protocol.MCPToolResponse{ID: r.ID, Error: asError(err)}
	case *protocol.MCPRequest:
		return &protocol.MCPResult{ID: r.ID, Error: asError(err)}
	}
	return &protocol.ErrorResponse{Error: asError(err)}
}

// asError returns an error in the form of the wire, with its hint.
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

// nameOf returns how errors name a request.
func nameOf(r protocol.Request) string {
	switch r := r.(type) {
	case *protocol.MCPToolCall:
		return r.ToolName
	case *protocol.MCPRequest:
		return wording.Line(wording.Visible(r.Method), maxForeign)
	case *protocol.HookEvent:
		return "the hook"
	case *protocol.StatusRequest:
		return "the status"
	}
	return "the request"
}
