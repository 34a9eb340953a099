// Package server answers requests of package protocol on a stream socket.
//
// A connection is served until its client is gone: one goroutine reads it, and replies go out in the order requests
// finish. These are bounded apart, so that one cannot starve the other: tool calls that run at once, hooks of PreToolUse,
// which may refuse something, other hooks, and requests of one connection that are not answered yet. A request beyond a
// bound waits; its deadline runs meanwhile. Reading of a connection stops only at the last. Work for a client that has
// gone by the time is not begun.
//
// Long lines take turns in a bounded memory (room.go). Connections are bounded, too; for one more the oldest gives way
// that nobody waits on (crowd.go).
//
// A hook is answered on the goroutine that read it: handing it to another adds a quarter to the price of the whole
// exchange (go test -bench HookEvent ./internal/server). If the answer takes longer than patience, another goroutine
// takes over the reading, so that a slow hook holds up nobody.
//
// End of input is no hang-up: a client that half-closes still gets its replies. A client that is gone cancels the
// contexts of its calls, and so does the end of a deadline; the cause of the context says which. The reply at a
// deadline is sent when it ends, whether the handler has noticed or not.
//
// A connection may become one to a language server. From then on it belongs to the LanguageServer that serves it, counts
// as a client that is present, and ends as soon as Shutdown is called: there is nothing to wait for.
package server
